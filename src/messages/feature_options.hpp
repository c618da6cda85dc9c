// The options of features that the core does not know, as values: those of a scenario, by the names of their sections.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"

namespace outrider {

class FeatureOptions {
  public:
    virtual ~FeatureOptions() = default;
    /// As of every struct of options (outrider/options.hpp).
    virtual void fields(Fields& f) = 0;
    /// Whether they ask for the feature.
    virtual bool any() const = 0;
    /// Whether resolved scenarios name them even so: those of features that are older than src/features/.
    virtual bool in_every_scenario() const { return false; }
    /// Sets other fields to what a preset stands for.
    virtual void apply_preset() {}
    virtual std::unique_ptr<FeatureOptions> clone() const = 0;
};

/// struct MagnetOptions : FeatureOptionsOf<MagnetOptions> { ... };
template <class Own>
struct FeatureOptionsOf : FeatureOptions {
    std::unique_ptr<FeatureOptions> clone() const final {
        return std::make_unique<Own>(static_cast<const Own&>(*this));
    }
};

template <class O>
std::unique_ptr<FeatureOptions> make_options() {
    return std::make_unique<O>();
}

inline std::vector<FieldInfo> list_fields(const FeatureOptions& options) {
    FieldLister lister;
    options.clone()->fields(lister);
    return std::move(lister.fields);
}

class FeatureSections {
  public:
    FeatureSections() = default;
    FeatureSections(const FeatureSections& other) {
        for (const Section& s : other.sections_) sections_.push_back(s.copy());
    }
    FeatureSections& operator=(FeatureSections other) {
        sections_.swap(other.sections_);
        return *this;
    }

    /// `name`: a literal; `after`: the section after which it stands, "": the last one; `of_robots`: single robots have
    /// such a section, too.
    void add(const char* name, std::string_view after, bool of_robots, std::unique_ptr<FeatureOptions> options) {
        sections_.push_back({name, after, of_robots, std::move(options)});
    }
    /// Those that single robots have, too.
    FeatureSections of_robots() const {
        FeatureSections out;
        for (const Section& s : sections_)
            if (s.of_robots) out.sections_.push_back(s.copy());
        return out;
    }
    /// These, but of each section that a robot has, its own.
    FeatureSections with(const FeatureSections& own) const {
        FeatureSections out(*this);
        for (const Section& s : own.sections_) *out.named(s.name) = s.copy();
        return out;
    }
    std::vector<std::string_view> names() const {
        std::vector<std::string_view> out;
        for (const Section& s : sections_) out.emplace_back(s.name);
        return out;
    }
    /// The options of a section; nullptr: there is none.
    FeatureOptions* section(std::string_view name) {
        Section* found = named(name);
        return found ? found->options.get() : nullptr;
    }
    const FeatureOptions* section(std::string_view name) const {
        return const_cast<FeatureSections&>(*this).section(name);
    }
    /// nullptr: they are not there, as in a robot that is made by hand.
    template <class O>
    const O* find() const {
        for (const Section& s : sections_)
            if (const auto* found = dynamic_cast<const O*>(s.options.get())) return found;
        return nullptr;
    }
    /// CHECK: they are there, as in every scenario.
    template <class O>
    const O& get() const {
        const O* found = find<O>();
        const bool there = found != nullptr;
        OUTRIDER_CHECK(there, ==, true);
        return *found;
    }
    /// Their defaults where they are not there.
    template <class O>
    O get_or_default() const {
        const O* found = find<O>();
        return found ? *found : O{};
    }
    template <class O>
    O& edit() {
        return const_cast<O&>(std::as_const(*this).get<O>());
    }
    /// CHECK: there is such a section. Throws Error.
    void set(std::string_view section_name, const std::string& key, const std::string& value) {
        FeatureOptions* options = section(section_name);
        const bool there = options != nullptr;
        OUTRIDER_CHECK(there, ==, true);
        std::vector<Setting> settings{{key, value, "", false}};
        SettingReader reader(settings);
        options->fields(reader);
        reader.expect_all_used();
    }
    /// Whether a scenario asks for the feature of this section.
    bool any(std::string_view name) const {
        const FeatureOptions* found = section(name);
        return found && found->any();
    }
    /// Calls visit(name, options) for those that stand after this section, and after these.
    template <class Visit>
    void visit_after(std::string_view section, Visit&& visit) {
        for (Section& s : sections_) {
            if (s.after != section) continue;
            visit(s.name, *s.options);
            if (*s.name) visit_after(s.name, visit);
        }
    }
    template <class Visit>
    void visit_after(std::string_view section, Visit&& visit) const {
        const_cast<FeatureSections&>(*this).visit_after(
            section, [&](const char* name, const FeatureOptions& options) { visit(name, options); });
    }

  private:
    struct Section {
        const char* name;
        std::string_view after;
        bool of_robots;
        std::unique_ptr<FeatureOptions> options;
        Section copy() const { return {name, after, of_robots, options->clone()}; }
    };
    Section* named(std::string_view name) {
        const auto found = std::find_if(sections_.begin(), sections_.end(), [&](auto& s) { return s.name == name; });
        return found == sections_.end() ? nullptr : &*found;
    }
    std::vector<Section> sections_;
};

}  // namespace outrider
