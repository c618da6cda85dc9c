#include "log/step_chunk.hpp"

#include "log/tile_codec.hpp"
#include "outrider/error.hpp"

namespace outrider {

std::string pack_steps(const StepChunk& chunk, Packer& packer) {
    ByteWriter out;
    const auto put = [&](std::string_view name, bool packed, std::string_view bytes) {
        out.text(name);
        out.integer(packed);
        out.text(bytes);
    };
    put("keyframe", true, packer.pack(chunk.keyframe, Packer::Method::fast));
    for (const StepColumns::Column& column : StepColumns::all) {
        const std::string& bytes = chunk.columns.*column.bytes;
        if (column.packed)
            put(column.name, true,
                packer.pack(bytes, column.name == "ranges" ? Packer::Method::symbols : Packer::Method::fast));
        else
            put(column.name, false, bytes);
    }
    return std::move(out.bytes);
}

Hash128 steps_name(const StepChunk& chunk) {
    Hasher hasher;
    const auto add = [&](std::string_view bytes) { hasher(hash_bytes(bytes.data(), bytes.size())); };
    add(chunk.keyframe);
    for (const StepColumns::Column& column : StepColumns::all) add(chunk.columns.*column.bytes);
    return hasher.result();
}

StepChunk unpack_steps(std::string_view blob, std::int64_t crc, std::string_view name) {
    if (std::int64_t{checksum(blob)} != crc) fail("its checksum is wrong");
    StepChunk chunk;
    ByteReader in(blob);
    while (!in.at_end()) {
        const std::string_view section = in.text();
        const bool packed = in.integer() != 0;
        const std::string_view bytes = in.text();
        std::string* target = section == "keyframe" ? &chunk.keyframe : nullptr;
        for (const StepColumns::Column& column : StepColumns::all)
            if (column.name == section) target = &(chunk.columns.*column.bytes);
        if (!target) fail("it holds an unknown section '{}'", section);
        *target = packed ? unpack(bytes) : std::string(bytes);
    }
    if (name_bytes(steps_name(chunk)) != name) fail("its content is not what its hash says");
    return chunk;
}

}  // namespace outrider
