#include "run/waist_chunk.hpp"

#include "outrider/error.hpp"

namespace outrider {

std::string WaistPacker::pack(const WaistChunk& chunk) {
    ByteWriter out;
    const auto put = [&](std::string_view name, bool packed, std::string_view bytes) {
        out.text(name);
        out.integer(packed);
        out.text(bytes);
    };
    put("keyframe", true, plain_.pack(chunk.keyframe));
    for (const WaistColumns::Column& column : WaistColumns::all) {
        const std::string& bytes = chunk.columns.*column.bytes;
        if (column.packed)
            put(column.name, true, (column.name == "ranges" ? symbols_ : plain_).pack(bytes));
        else
            put(column.name, false, bytes);
    }
    return std::move(out.bytes);
}

WaistChunk unpack_waist(std::string_view blob, std::int64_t crc) {
    if (std::int64_t{checksum(blob)} != crc) fail("its checksum is wrong");
    WaistChunk chunk;
    ByteReader in(blob);
    while (!in.at_end()) {
        const std::string_view name = in.text();
        const bool packed = in.integer() != 0;
        const std::string_view bytes = in.text();
        std::string* target = name == "keyframe" ? &chunk.keyframe : nullptr;
        for (const WaistColumns::Column& column : WaistColumns::all)
            if (column.name == name) target = &(chunk.columns.*column.bytes);
        if (!target) fail("it holds an unknown section '{}'", name);
        *target = packed ? unpack(bytes) : std::string(bytes);
    }
    return chunk;
}

}  // namespace outrider
