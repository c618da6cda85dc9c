// The registered strategies, by name.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "outrider/detail/boxed.hpp"
#include "outrider/strategy.hpp"

namespace outrider {

/// A strategy that asks a program, which may say its version in an answer.
class SaysVersion {
  public:
    virtual ~SaysVersion() = default;
    virtual const std::string& reported_version() const = 0;  ///< empty: it has not
};

/// A strategy of the library itself that can be copied, with all that it remembers.
class CopiesItself {
  public:
    virtual ~CopiesItself() = default;
    virtual std::unique_ptr<Strategy> copy() const = 0;
};

/// Of a registered type or one that CopiesItself. Throws CannotCopy.
std::unique_ptr<Strategy> copy_strategy(const Strategy& strategy);

/// All strategies by name.
const std::vector<StrategyInfo>& strategies();
/// Throws Error and names the nearest one when there is no such strategy.
const StrategyInfo& find_strategy(const std::string& name, const std::string& where);
/// From "name" or "name(option=value, ...)". Throws Error.
std::unique_ptr<Strategy> make_strategy(const std::string& text, const std::string& where);
/// The same for maps with cells of this size, which its options have to fit.
std::unique_ptr<Strategy> make_strategy(const std::string& text, const std::string& where, double cell_m);
/// The command of the program that a strategy would start, "python module:Class" for one in Python; empty for others.
/// Throws Error.
std::string program_of(const std::string& text, const std::string& where);
/// "module:Class" of a strategy in Python; empty for others. Throws Error.
std::string python_class_of(const std::string& text, const std::string& where);
/// The file with the weights of a learned strategy, the option `model` of one in Python or the plan of `tour`; empty
/// when it names none. Throws Error.
std::string model_of(const std::string& text, const std::string& where);
/// An option that is a text, of "name(option=value, ...)"; empty when it is not given. Throws Error.
std::string strategy_option(const std::string& text, std::string_view key, const std::string& where);
/// "name(alpha=2)" gives "name".
std::string strategy_name(const std::string& text);

/// Loads the strategies in a shared library that was built for this program (outrider build-strategy), and returns
/// their names; those of one that was loaded before without loading it again. Its code runs from then on: never for a
/// name that comes from a file. Throws Error, and then nothing was added.
std::vector<std::string> load_strategies(const std::string& library);

}  // namespace outrider
