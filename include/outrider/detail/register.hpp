// How OUTRIDER_STRATEGY adds a strategy to the registry. Included by outrider/strategy.hpp, at its end.
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <typeinfo>

#include "outrider/detail/settings.hpp"
#include "outrider/strategy.hpp"

#if __has_include("outrider/detail/api_fingerprint.hpp")  // of a strategy that is built outside of the project
#include "outrider/detail/api_fingerprint.hpp"
/// The headers that it was built with: what the program looks for before it loads it.
extern "C" __attribute__((weak, used)) const char outrider_api_mark[] = "outrider-api " OUTRIDER_API_FINGERPRINT;
#endif

namespace outrider {

/// What the registry knows of a strategy.
struct StrategyInfo {
    std::string name, summary;
    Traits traits;
    std::vector<FieldInfo> options;
    std::function<std::unique_ptr<Strategy>(std::vector<Setting>& settings, const std::string& prefix)> make;
    const char* source = nullptr;  ///< file that registers it, as the compiler names it; nullptr: the library does
    std::string plugin{};          ///< the shared library that it came in; empty: it is part of the program
    const std::type_info* type = nullptr;
    std::unique_ptr<Strategy> (*copy)(const Strategy&) =
        nullptr;  ///< of one of that type; nullptr: it cannot be copied
};

namespace detail {
/// Stops the program at start-up when two strategies have one name.
bool register_strategy(StrategyInfo info);

/// By its copy constructor, if it has one.
template <class T>
std::unique_ptr<Strategy> (*copier())(const Strategy&) {
    if constexpr (std::is_copy_constructible_v<T>)
        return [](const Strategy& one) -> std::unique_ptr<Strategy> {
            return std::make_unique<T>(static_cast<const T&>(one));
        };
    else
        return nullptr;
}

template <std::derived_from<Strategy> T>
bool register_type(const char* name, const char* source) {
    using Options = typename T::Options;
    return register_strategy({name,
                              T::summary,
                              T::traits,
                              list_fields(Options{}),
                              [](std::vector<Setting>& settings, const std::string& prefix) {
                                  Options options;
                                  SettingReader reader(settings, prefix);
                                  options.fields(reader);
                                  reader.expect_all_used();
                                  return std::unique_ptr<Strategy>(std::make_unique<T>(options));
                              },
                              source,
                              {},
                              &typeid(T),
                              copier<T>()});
}
}  // namespace detail

}  // namespace outrider
