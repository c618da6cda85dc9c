// The options of features that the core does not know, as values: those of a scenario, by the names of their sections.
#pragma once

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
        for (const Section& s : other.sections_) sections_.push_back({s.name, s.after, s.options->clone()});
    }
    FeatureSections& operator=(FeatureSections other) {
        sections_.swap(other.sections_);
        return *this;
    }

    /// `name`: a literal; `after`: the section after which it stands, "": the last one.
    void add(const char* name, std::string_view after, std::unique_ptr<FeatureOptions> options) {
        sections_.push_back({name, after, std::move(options)});
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
    template <class O>
    O& edit() {
        return const_cast<O&>(std::as_const(*this).get<O>());
    }
    /// Whether a scenario asks for the feature of this section.
    bool any(std::string_view name) const {
        for (const Section& s : sections_)
            if (name == s.name) return s.options->any();
        return false;
    }
    /// Calls visit(name, options) for those that stand after this section.
    template <class Visit>
    void visit_after(std::string_view section, Visit&& visit) {
        for (Section& s : sections_)
            if (s.after == section) visit(s.name, *s.options);
    }
    template <class Visit>
    void visit_after(std::string_view section, Visit&& visit) const {
        for (const Section& s : sections_)
            if (s.after == section) visit(s.name, std::as_const(*s.options));
    }

  private:
    struct Section {
        const char* name;
        std::string_view after;
        std::unique_ptr<FeatureOptions> options;
    };
    std::vector<Section> sections_;
};

}  // namespace outrider
