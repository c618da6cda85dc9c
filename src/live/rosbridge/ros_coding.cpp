#include "live/rosbridge/ros_coding.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "live/rosbridge/cbor.hpp"
#include "mcap/cdr_writer.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

/// The value of a JSON number as the type of a field has it.
template <class Use>
void as_ros_number(std::string_view type, double value, Use&& use) {
    const auto whole = [&]<class T>(T) {
        if (!(value >= static_cast<double>(std::numeric_limits<T>::min()) &&
              value <= static_cast<double>(std::numeric_limits<T>::max())))
            fail("{} is no {}", value, type);
        use(static_cast<T>(value));
    };
    if (type == "float64") return use(value);
    if (type == "float32") return use(static_cast<float>(value));
    if (type == "int8") return whole(std::int8_t{});
    if (type == "uint8" || type == "byte" || type == "bool") return whole(std::uint8_t{});
    if (type == "int32") return whole(std::int32_t{});
    OUTRIDER_CHECK(type == "uint32", ==, true);
    whole(std::uint32_t{});
}

template <class T>
std::string little_endian(T value) {
    std::string raw(sizeof(T), '\0');
    std::memcpy(raw.data(), &value, sizeof(T));
    if constexpr (std::endian::native == std::endian::big) std::reverse(raw.begin(), raw.end());
    return raw;
}

/// What becomes of a message, part by part.
class RosSink {
  public:
    virtual ~RosSink() = default;
    virtual void begin_object(std::size_t fields) = 0;
    virtual void key(const std::string& name) = 0;
    virtual void end_object() = 0;
    virtual void begin_array(const RosField& of, std::size_t count) = 0;
    virtual void end_array() = 0;
    virtual void number(std::string_view type, double value) = 0;
    virtual void text(const std::string& value) = 0;
    virtual std::string take() = 0;
};

class JsonSink final : public RosSink {
  public:
    void begin_object(std::size_t) override { open('{'); }
    void key(const std::string& name) override {
        separate();
        out_ += json_quoted(name) + ": ";
        first_ = true;
    }
    void end_object() override { close('}'); }
    void begin_array(const RosField&, std::size_t) override { open('['); }
    void end_array() override { close(']'); }
    void number(std::string_view type, double value) override {
        separate();
        if (type == "bool")
            out_ += value != 0 ? "true" : "false";
        else
            out_ += json_text({value});
    }
    void text(const std::string& value) override {
        separate();
        out_ += json_quoted(value);
    }
    std::string take() override { return std::move(out_); }

  private:
    void separate() {
        if (!first_) out_ += ", ";
        first_ = false;
    }
    void open(char c) {
        separate();
        out_ += c;
        first_ = true;
    }
    void close(char c) {
        out_ += c;
        first_ = false;
    }

    std::string out_;
    bool first_ = true;
};

/// Of an array of numbers, little endian; 0: it is a list of values.
std::uint64_t cbor_tag_of(std::string_view type) {
    constexpr std::array<std::pair<std::string_view, std::uint64_t>, 5> tags{
        {{"int8", 72}, {"uint32", 70}, {"int32", 78}, {"float32", 85}, {"float64", 86}}};
    for (const auto& [name, tag] : tags)
        if (name == type) return tag;
    return 0;
}

std::size_t size_of_number(std::string_view type) {
    if (type == "float64") return 8;
    return type.ends_with("8") || type == "byte" || type == "bool" ? 1 : 4;
}

class CborSink final : public RosSink {
  public:
    void begin_object(std::size_t fields) override { out_ += cbor_head(CborKind::map, fields); }
    void key(const std::string& name) override { out_ += cbor_text(name); }
    void end_object() override {}
    void begin_array(const RosField& of, std::size_t count) override {
        const std::uint64_t tag = cbor_tag_of(of.type);
        packed_ = tag != 0 || of.type == "uint8";
        if (tag != 0) out_ += cbor_head(CborKind::tag, tag);
        out_ +=
            packed_ ? cbor_head(CborKind::bytes, count * size_of_number(of.type)) : cbor_head(CborKind::array, count);
    }
    void end_array() override { packed_ = false; }
    void number(std::string_view type, double value) override {
        if (packed_)
            as_ros_number(type, value, [&](auto number) { out_ += little_endian(number); });
        else if (type == "bool")
            out_ += value != 0 ? '\xF5' : '\xF4';
        else
            out_ += cbor_number(value);
    }
    void text(const std::string& value) override { out_ += cbor_text(value); }
    std::string take() override { return std::move(out_); }

  private:
    std::string out_;
    bool packed_ = false;  // within an array of numbers
};

/// ROS 1: one field after the other; lengths of texts and arrays before them.
class Ros1Sink final : public RosSink {
  public:
    void begin_object(std::size_t) override {}
    void key(const std::string&) override {}
    void end_object() override {}
    void begin_array(const RosField& of, std::size_t count) override {
        if (of.length == RosField::any_length) number("uint32", static_cast<double>(count));
    }
    void end_array() override {}
    void number(std::string_view type, double value) override {
        as_ros_number(type, value, [&](auto n) { out_ += little_endian(n); });
    }
    void text(const std::string& value) override {
        number("uint32", static_cast<double>(value.size()));
        out_ += value;
    }
    std::string take() override { return std::move(out_); }

  private:
    std::string out_;
};

class CdrSink final : public RosSink {
  public:
    void begin_object(std::size_t) override {}
    void key(const std::string&) override {}
    void end_object() override {}
    void begin_array(const RosField& of, std::size_t count) override {
        if (of.length == RosField::any_length) out_.length(count);
    }
    void end_array() override {}
    void number(std::string_view type, double value) override {
        as_ros_number(type, value, [&](auto n) { out_.add(n); });
    }
    void text(const std::string& value) override { out_.text(value); }
    std::string take() override { return out_.take(); }

  private:
    CdrWriter out_;
};

/// A field of a message; those of times have other names in the other dialect. nullptr: it is not there.
const Json* find_field(const Json& message, const std::string& name) {
    const Json* found = message.find(name);
    constexpr std::array<std::pair<const char*, const char*>, 2> others{{{"secs", "sec"}, {"nsecs", "nanosec"}}};
    for (const auto& [old_name, new_name] : others)
        if (!found && (name == old_name || name == new_name))
            found = message.find(name == old_name ? new_name : old_name);
    return found && std::holds_alternative<std::nullptr_t>(found->value) ? nullptr : found;
}

class RosWalk {
  public:
    RosWalk(RosDialect dialect, RosSink& sink) : dialect_(dialect), sink_(sink) {}

    void object(const Json* message, const RosType& type) {
        if (message && !message->object()) fail("expected an object");
        const auto is_field = [](const RosField& f) { return f.constant.empty(); };
        sink_.begin_object(static_cast<std::size_t>(std::count_if(type.fields.begin(), type.fields.end(), is_field)));
        for (const RosField& field : type.fields) {
            if (!is_field(field)) continue;
            sink_.key(field.name);
            const Json* const value = message ? find_field(*message, field.name) : nullptr;
            try {
                field.length == RosField::single ? single(value, field) : array(value, field);
            } catch (const Error& error) {
                const std::string what = error.what();
                fail("{}{}{}", field.name, what.starts_with("expected") ? ": " : ".", what);
            }
        }
        sink_.end_object();
    }

  private:
    void array(const Json* value, const RosField& field) {
        if (value && !value->array()) fail("expected an array");
        static const Json::Array none;
        const Json::Array& items = value ? *value->array() : none;
        const auto fixed = static_cast<std::size_t>(std::max(field.length, 0));
        if (value && field.length > 0 && items.size() != fixed) fail("expected {} values", field.length);
        const std::size_t count = field.length > 0 ? fixed : items.size();
        sink_.begin_array(field, count);
        for (std::size_t k = 0; k < count; ++k) single(k < items.size() ? &items[k] : nullptr, field);
        sink_.end_array();
    }
    void single(const Json* value, const RosField& field) {
        static const RosType time{"time", {{"uint32", "secs", -1, {}}, {"uint32", "nsecs", -1, {}}}},
            duration{"duration", {{"int32", "secs", -1, {}}, {"int32", "nsecs", -1, {}}}};
        if (field.type == "time") return object(value, time);
        if (field.type == "duration") return object(value, duration);
        if (const RosType* const part = find_ros_type(field.type, dialect_)) return object(value, *part);
        static const std::string nothing;
        if (field.type == "string") {
            if (value && !value->text()) fail("expected a text");
            return sink_.text(value ? *value->text() : nothing);
        }
        sink_.number(field.type, value ? number_of(*value, field) : 0);
    }

    /// JSON says null for what is no number.
    static double number_of(const Json& value, const RosField& field) {
        const bool is_null = std::holds_alternative<std::nullptr_t>(value.value);
        if (is_null && field.type.starts_with("float")) return std::numeric_limits<double>::quiet_NaN();
        if (!value.number() && !value.flag()) fail("expected a number");
        return value.flag() ? (*value.flag() ? 1 : 0) : *value.number();
    }

    RosDialect dialect_;
    RosSink& sink_;
};

}  // namespace

std::string encode_ros(const Json& message, const RosType& type, RosDialect dialect, RosCoding coding) {
    JsonSink json;
    CborSink cbor;
    Ros1Sink ros1;
    CdrSink cdr;
    RosSink& raw = dialect == RosDialect::ros1 ? static_cast<RosSink&>(ros1) : cdr;
    RosSink& sink = coding == RosCoding::json   ? static_cast<RosSink&>(json)
                    : coding == RosCoding::cbor ? static_cast<RosSink&>(cbor)
                                                : raw;
    RosWalk(dialect, sink).object(&message, type);
    return sink.take();
}

std::string publication(const std::string& topic, const std::string& message, RosCoding coding, double time_s) {
    if (coding == RosCoding::json)
        return R"({"op": "publish", "topic": )" + json_quoted(topic) + ", \"msg\": " + message + "}";
    std::string out = cbor_head(CborKind::map, 3) + cbor_text("op") + cbor_text("publish") + cbor_text("topic") +
                      cbor_text(topic) + cbor_text("msg");
    if (coding == RosCoding::cbor) return out + message;
    const double ns = std::round(std::max(0.0, time_s) * 1e9);
    out += cbor_head(CborKind::map, 3) + cbor_text("secs") + cbor_number(std::floor(ns / 1e9)) + cbor_text("nsecs") +
           cbor_number(std::fmod(ns, 1e9)) + cbor_text("bytes");
    return out + cbor_head(CborKind::bytes, message.size()) + message;
}

}  // namespace outrider
