// What a scenario lists of features that the core does not know: entries such as [[smoke]], as values.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/read_section.hpp"

namespace outrider {

class FeatureList {
  public:
    virtual ~FeatureList() = default;
    /// Reads the entries of [[name]]. Throws Error.
    virtual void read(ConfigTable& config, const std::string& name) = 0;
    /// By entry.
    virtual std::vector<std::vector<FieldInfo>> entries() const = 0;
    /// Of an entry that says nothing.
    virtual std::vector<FieldInfo> defaults() const = 0;
    /// Leaves out what is said of a robot that is there no more.
    virtual void remove_robot(const std::string& name) = 0;
    virtual std::unique_ptr<FeatureList> clone() const = 0;
};

/// Entry: fields(Fields&), and `where` it stands, for messages.
template <class Entry>
class FeatureListOf final : public FeatureList {
  public:
    std::vector<Entry> list;

    void read(ConfigTable& config, const std::string& name) override {
        std::vector<ConfigTable>* tables = config.array(name);
        if (!tables) return;
        for (ConfigTable& table : *tables) {
            list.emplace_back().where = table.where;
            read_section(table, fmt::format("{}[{}].", name, list.size()), list.back());
        }
    }
    std::vector<std::vector<FieldInfo>> entries() const override {
        std::vector<std::vector<FieldInfo>> out;
        for (const Entry& entry : list) out.push_back(list_fields(entry));
        return out;
    }
    std::vector<FieldInfo> defaults() const override { return list_fields(Entry{}); }
    void remove_robot(const std::string& name) override {
        if constexpr (requires(Entry e) { e.robot == name; })
            std::erase_if(list, [&](const Entry& entry) { return entry.robot == name; });
    }
    std::unique_ptr<FeatureList> clone() const override { return std::make_unique<FeatureListOf>(*this); }
};

template <class Entry>
std::unique_ptr<FeatureList> make_list() {
    return std::make_unique<FeatureListOf<Entry>>();
}

/// The lists of all features.
class FeatureLists {
  public:
    struct Named {
        const char* name;   ///< "smoke"
        const char* about;  ///< what an entry is for
        std::unique_ptr<FeatureList> list;
    };

    FeatureLists() = default;
    FeatureLists(const FeatureLists& other) {
        for (const Named& l : other.lists_) lists_.push_back({l.name, l.about, l.list->clone()});
    }
    FeatureLists& operator=(FeatureLists other) {
        lists_.swap(other.lists_);
        return *this;
    }

    void add(const char* name, const char* about, std::unique_ptr<FeatureList> list) {
        lists_.push_back({name, about, std::move(list)});
    }
    /// CHECK: there are such, as in every scenario.
    template <class Entry>
    std::vector<Entry>& edit() {
        FeatureListOf<Entry>* found = nullptr;
        for (Named& l : lists_)
            if (!found) found = dynamic_cast<FeatureListOf<Entry>*>(l.list.get());
        const bool there = found != nullptr;
        OUTRIDER_CHECK(there, ==, true);
        return found->list;
    }
    template <class Entry>
    const std::vector<Entry>& get() const {
        return const_cast<FeatureLists&>(*this).edit<Entry>();
    }
    void remove_robot(const std::string& name) {
        for (Named& l : lists_) l.list->remove_robot(name);
    }
    const std::vector<Named>& all() const { return lists_; }

  private:
    std::vector<Named> lists_;
};

}  // namespace outrider
