#include "world/stage_world.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "base/input.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;
constexpr double farthest_stage_m = 1e5;
constexpr int most_stage_levels = 32, most_includes = 8;

struct StageValue {
    std::string where;
    std::string text;             ///< of a string
    std::vector<double> numbers;  ///< of a number, or of a list
};

/// A model, or what a `define` says of a type.
struct StageEntity {
    std::string type, where;
    std::map<std::string, StageValue, std::less<>> values;
};

struct StageToken {
    enum class Kind { end, name, number, text, mark } kind = Kind::end;
    std::string text;
    double number = 0;
    std::size_t line = 0;
};

class StageTokens {
  public:
    StageTokens(const std::string& path, std::string_view text) : path_(path), text_(text) { advance(); }
    const StageToken& now() const { return token_; }
    std::string where() const { return fmt::format("{}:{}", path_, token_.line); }
    bool is(std::string_view mark) const { return token_.kind == StageToken::Kind::mark && token_.text == mark; }
    StageToken take() {
        StageToken old = std::move(token_);
        advance();
        return old;
    }
    void expect(std::string_view mark, const std::string& of) {
        if (!is(mark))
            fail(
                "{}: expected '{}' {}, {}", where(), mark, of,
                token_.kind == StageToken::Kind::end ? "but the file ends" : "not '" + token_.text.substr(0, 40) + "'");
        advance();
    }

  private:
    void advance() {
        while (at_ < text_.size()) {
            if (text_[at_] == '\n') ++line_;
            if (text_[at_] == '#')
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (std::isspace(static_cast<unsigned char>(text_[at_])))
                ++at_;
            else
                break;
        }
        token_ = {StageToken::Kind::end, "", 0, line_};
        if (at_ == text_.size()) return;
        const char c = text_[at_];
        if (c == '"') {
            const std::size_t close = text_.find('"', at_ + 1);
            if (close == std::string_view::npos || text_.substr(at_, close - at_).find('\n') != std::string_view::npos)
                fail("{}:{}: a text without its closing quote", path_, line_);
            token_.kind = StageToken::Kind::text;
            token_.text = text_.substr(at_ + 1, close - at_ - 1);
            at_ = close + 1;
        } else if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
            const std::size_t from = at_;
            while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' ||
                                          text_[at_] == '.' || text_[at_] == '-'))
                ++at_;
            token_.kind = StageToken::Kind::name;
            token_.text = text_.substr(from, at_ - from);
        } else if (std::isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '+' || c == '.') {
            const std::size_t from = at_ + (c == '+');
            const auto [end, error] = std::from_chars(text_.data() + from, text_.data() + text_.size(), token_.number);
            if (error != std::errc{} || !std::isfinite(token_.number))
                fail("{}:{}: '{}': expected a number", path_, line_, text_.substr(at_, 24));
            token_.kind = StageToken::Kind::number;
            token_.text = text_.substr(at_, static_cast<std::size_t>(end - text_.data()) - at_);
            at_ = static_cast<std::size_t>(end - text_.data());
        } else {
            token_.kind = StageToken::Kind::mark;
            token_.text = text_.substr(at_++, 1);
        }
    }

    const std::string& path_;
    std::string_view text_;
    std::size_t at_ = 0, line_ = 1;
    StageToken token_;
};

class StageReader {
  public:
    std::map<std::string, StageEntity, std::less<>> types;  ///< by the names that `define` gives
    std::vector<StageEntity> models;
    std::vector<std::string> notes;

    void read_file_of(const std::string& path, int depth) {
        const std::string text = read_text_file(path, "a world of Stage");
        StageTokens tokens(path, text);
        while (tokens.now().kind != StageToken::Kind::end) read_entry(tokens, path, depth);
    }

    /// A value of a model, or of the types that it is made of.
    const StageValue* find(const StageEntity& model, std::string_view key) const {
        const StageEntity* entity = &model;
        for (int level = 0; entity; ++level) {
            if (level > most_stage_levels) fail("{}: '{}' is defined by itself", model.where, model.type);
            if (const auto value = entity->values.find(key); value != entity->values.end()) return &value->second;
            const auto type = types.find(entity->type);
            entity = type == types.end() ? nullptr : &type->second;
        }
        return nullptr;
    }
    /// The type of Stage itself that a model comes down to.
    std::string base_type(const StageEntity& model) const {
        std::string type = model.type;
        for (int level = 0; types.contains(type); ++level) {
            if (level > most_stage_levels) fail("{}: '{}' is defined by itself", model.where, model.type);
            type = types.find(type)->second.type;
        }
        return type;
    }

  private:
    void read_entry(StageTokens& tokens, const std::string& path, int depth) {
        const std::string where = tokens.where();
        if (tokens.now().kind != StageToken::Kind::name)
            fail("{}: expected a word such as define, include or the type of a model, not '{}'", where,
                 tokens.now().text);
        const std::string word = tokens.take().text;
        if (word == "include") {
            include(tokens, path, depth);
        } else if (word == "define") {
            if (tokens.now().kind != StageToken::Kind::name) fail("{}: define: expected a name", where);
            const std::string name = tokens.take().text;
            if (tokens.now().kind != StageToken::Kind::name) fail("{}: define {}: expected a type", where, name);
            StageEntity type{tokens.take().text, where, {}};
            read_values(tokens, type, 0);
            types[name] = std::move(type);
        } else if (tokens.is("(")) {
            StageEntity model{word, where, {}};
            read_values(tokens, model, 0);
            models.push_back(std::move(model));
        } else {
            read_value(tokens, word);  // of the world itself, such as resolution
        }
    }

    void include(StageTokens& tokens, const std::string& path, int depth) {
        const std::string where = tokens.where();
        if (tokens.now().kind != StageToken::Kind::text) fail("{}: include: expected \"FILE\"", where);
        const std::string name = tokens.take().text, file = (fs::path(path).parent_path() / name).string();
        std::error_code error;
        if (!fs::is_regular_file(file, error)) {
            notes.push_back(fmt::format("{}: {} is not there; types that it defines are unknown", where, name));
            return;
        }
        if (depth == most_includes) fail("{}: include: more than {} files within each other", where, most_includes);
        read_file_of(file, depth + 1);
    }

    /// ( key value key value type ( ... ) )
    void read_values(StageTokens& tokens, StageEntity& entity, int level) {
        tokens.expect("(", "after " + entity.type);
        if (level == most_stage_levels)
            fail("{}: more than {} models within each other", entity.where, most_stage_levels);
        while (!tokens.is(")")) {
            if (tokens.now().kind != StageToken::Kind::name) tokens.expect(")", "at the end of " + entity.type);
            const std::string where = tokens.where(), key = tokens.take().text;
            if (tokens.is("(")) {  // a model on it, such as a laser
                StageEntity part{key, where, {}};
                read_values(tokens, part, level + 1);
            } else {
                entity.values[key] = read_value(tokens, key);
            }
        }
        tokens.take();
    }

    StageValue read_value(StageTokens& tokens, const std::string& key) {
        StageValue value{tokens.where(), "", {}};
        const bool list = tokens.is("[");
        if (list) tokens.take();
        const auto one = [&] {
            if (tokens.now().kind == StageToken::Kind::number)
                value.numbers.push_back(tokens.take().number);
            else if (tokens.now().kind == StageToken::Kind::text)
                value.text = tokens.take().text;
            else
                fail("{}: {}: expected a number, a text or a list [...]{}", tokens.where(), key,
                     tokens.now().kind == StageToken::Kind::end ? ", but the file ends"
                                                                : ", not '" + tokens.now().text + "'");
        };
        if (!list) one();
        while (list && !tokens.is("]")) one();
        if (list) tokens.take();
        return value;
    }
};

/// Four numbers x, y, z, yaw in degrees; fewer are not a pose.
Pose stage_pose(const StageValue* value, const std::string& where) {
    if (!value) return {};
    const std::vector<double>& v = value->numbers;
    if (v.size() != 4 || !(std::abs(v[0]) <= farthest_stage_m) || !(std::abs(v[1]) <= farthest_stage_m) ||
        !(std::abs(v[3]) <= 1e4))
        fail("{}: pose: expected [x y z yaw] in metres, at most {:.0f}, and degrees",
             value->where.empty() ? where : value->where, farthest_stage_m);
    return {v[0], v[1], wrap_angle(radians(v[3]))};
}

bool is_robot(const std::string& type, bool parts_missing) {
    if (type == "position") return true;
    static const std::set<std::string, std::less<>> others{
        "model", "ranger", "laser",    "sonar",          "fiducial", "blobfinder", "gripper", "camera",   "window",
        "puck",  "block",  "actuator", "lightindicator", "bumper",   "wifi",       "speech",  "floorplan"};
    return parts_missing && !others.contains(type);
}

}  // namespace

Pose StageWorld::corner() const { return compose(middle, Pose{-width_m / 2, -height_m / 2, 0}); }

StageWorld read_stage_world(const std::string& path) {
    StageReader reader;
    reader.read_file_of(path, 0);
    StageWorld world;
    world.notes = reader.notes;
    int maps = 0;
    for (const StageEntity& model : reader.models) {
        const StageValue* bitmap = reader.find(model, "bitmap");
        if (!bitmap || bitmap->text.empty()) continue;
        const StageValue* size = reader.find(model, "size");
        if (!size || size->numbers.size() < 2 || !(size->numbers[0] > 0) || !(size->numbers[1] > 0) ||
            !(size->numbers[0] <= farthest_stage_m) || !(size->numbers[1] <= farthest_stage_m))
            fail("{}: a model with a bitmap: expected size [width depth height] in metres, above 0 and at most {:.0f}",
                 size ? size->where : model.where, farthest_stage_m);
        ++maps;
        if (size->numbers[0] * size->numbers[1] <= world.width_m * world.height_m) continue;
        world.width_m = size->numbers[0];
        world.height_m = size->numbers[1];
        world.where = bitmap->where;
        const std::string file = bitmap->where.substr(0, bitmap->where.rfind(':'));
        world.image = (fs::path(file).parent_path() / bitmap->text).lexically_normal().string();
        world.middle = stage_pose(reader.find(model, "pose"), model.where);
    }
    if (maps == 0)
        fail("{}: a world of Stage without a map: expected a model with bitmap \"IMAGE\" and size [...]{}", path,
             reader.notes.empty() ? "" : "; " + reader.notes.front());
    if (maps > 1)
        world.notes.push_back(fmt::format("{}: {} models have a bitmap; the largest one is the map", path, maps));
    for (const StageEntity& model : reader.models) {
        const StageValue* pose = reader.find(model, "pose");
        if (!pose || reader.find(model, "bitmap") || !is_robot(reader.base_type(model), !reader.notes.empty()))
            continue;
        const StageValue* name = reader.find(model, "name");
        world.robots.push_back({name && !name->text.empty() ? name->text : fmt::format("r{}", world.robots.size() + 1),
                                model.where, stage_pose(pose, model.where)});
    }
    return world;
}

}  // namespace outrider
