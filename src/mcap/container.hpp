// Writes MCAP, a container of time-stamped messages (mcap.dev/spec): chunks compressed by zstd, an index of the
// messages in each, and a summary at the end by which a reader finds a time without reading the rest.
//
//     McapWriter mcap(file, "", "outrider 1.0");
//     const auto schema = mcap.add_schema("foxglove.Log", "jsonschema", "{...}");
//     const auto channel = mcap.add_channel(schema, "/events", "json");
//     mcap.write(channel, time_ns, "{...}");
//     mcap.finish();
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/output.hpp"

namespace outrider {

/// At both ends of a file.
inline constexpr std::string_view mcap_magic = "\x89MCAP0\r\n";

/// The first byte of a record; then follow the length of its content (8 bytes) and the content. All little endian.
enum class McapOpcode : std::uint8_t {
    header = 1,
    footer,
    schema,
    channel,
    message,
    chunk,
    message_index,
    chunk_index,
    attachment,
    attachment_index,
    statistics,
    metadata,
    metadata_index,
    summary_offset,
    data_end,
};

class McapWriter {
  public:
    using Texts = std::map<std::string, std::string>;
    static constexpr std::size_t default_chunk_bytes = 1 << 20;

    /// Writes to `out`, which outlives this; commit() is left to the caller. `profile`: what the messages conform to,
    /// such as ros2. A chunk is closed when it holds `chunk_bytes` before compression.
    McapWriter(OutputFile& out, std::string_view profile, std::string_view library,
               std::size_t chunk_bytes = default_chunk_bytes);
    ~McapWriter();

    /// Numbers count from 1. Throws Error when there are more than 65,535.
    std::uint16_t add_schema(std::string_view name, std::string_view encoding, std::string_view data);
    std::uint16_t add_channel(std::uint16_t schema, std::string_view topic, std::string_view message_encoding,
                              const Texts& metadata = {});
    /// Facts about the whole file, under a name.
    void add_metadata(std::string_view name, const Texts& texts);
    /// A message. Times should not go back: a reader sorts within a chunk, but hardly across chunks.
    void write(std::uint16_t channel, std::uint64_t time_ns, std::string_view data);
    /// Closes the last chunk and writes index and summary. Nothing may be written after it.
    void finish();

    std::uint64_t messages() const { return messages_; }

  private:
    struct Channel {
        std::string record;
        std::uint16_t schema = 0;
        bool written = false;  ///< in some chunk
        std::uint32_t messages = 0;
        std::vector<std::pair<std::uint64_t, std::uint64_t>> index;  ///< times and offsets in the open chunk
    };
    struct Schema {
        std::string record;
        bool written = false;
    };
    struct Times {
        std::uint64_t first = UINT64_MAX, last = 0;
        void take(std::uint64_t t);
    };
    void put(std::string_view bytes);
    void close_chunk();

    OutputFile& out_;
    std::size_t chunk_bytes_;
    std::uint64_t offset_ = 0;  // in the file
    std::uint32_t crc_ = 0;     // of all bytes so far
    std::vector<Schema> schemas_;
    std::vector<Channel> channels_;
    std::string chunk_;  // records of the open one
    Times chunk_times_, times_;
    std::uint64_t messages_ = 0;
    std::uint32_t chunks_ = 0, metadata_ = 0;
    std::string chunk_indexes_, metadata_indexes_;  // records for the summary
    struct Compressor;
    std::unique_ptr<Compressor> compressor_;
};

}  // namespace outrider
