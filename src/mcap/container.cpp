#include "mcap/container.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <new>

#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr std::size_t record_head = 9;  // opcode and length

template <class T>
void add(std::string& out, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
        out += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 255);
}

void add_text(std::string& out, std::string_view text) {
    add(out, static_cast<std::uint32_t>(text.size()));
    out += text;
}

void add_texts(std::string& out, const McapWriter::Texts& texts) {
    std::string entries;
    for (const auto& [key, value] : texts) {
        add_text(entries, key);
        add_text(entries, value);
    }
    add_text(out, entries);
}

std::string record(McapOpcode opcode, std::string_view content) {
    std::string out;
    out.reserve(record_head + content.size());
    add(out, static_cast<std::uint8_t>(opcode));
    add(out, std::uint64_t{content.size()});
    out += content;
    return out;
}

std::uint32_t crc_of(std::string_view bytes, std::uint32_t before = 0) {
    return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

/// zstd with the same working memory for all chunks.
struct McapWriter::Compressor {
    std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context{ZSTD_createCCtx(), &ZSTD_freeCCtx};
    std::string out;
    std::string_view pack(std::string_view bytes) {
        if (!context) throw std::bad_alloc();
        out.resize(std::max(out.size(), ZSTD_compressBound(bytes.size())));
        const std::size_t size =
            ZSTD_compressCCtx(context.get(), out.data(), out.size(), bytes.data(), bytes.size(), ZSTD_CLEVEL_DEFAULT);
        OUTRIDER_CHECK(ZSTD_isError(size), ==, 0u);
        return std::string_view(out).substr(0, size);
    }
};

void McapWriter::Times::take(std::uint64_t t) {
    first = std::min(first, t);
    last = std::max(last, t);
}

McapWriter::McapWriter(OutputFile& out, std::string_view profile, std::string_view library, std::size_t chunk_bytes)
    : out_(out), chunk_bytes_(chunk_bytes), compressor_(std::make_unique<Compressor>()) {
    put(mcap_magic);
    std::string header;
    add_text(header, profile);
    add_text(header, library);
    put(record(McapOpcode::header, header));
}
McapWriter::~McapWriter() = default;

void McapWriter::put(std::string_view bytes) {
    out_.write(bytes);
    offset_ += bytes.size();
    crc_ = crc_of(bytes, crc_);
}

std::uint16_t McapWriter::add_schema(std::string_view name, std::string_view encoding, std::string_view data) {
    if (schemas_.size() >= UINT16_MAX) fail("{}: more than {} kinds of messages", out_.path(), UINT16_MAX);
    const auto id = static_cast<std::uint16_t>(schemas_.size() + 1);
    std::string content;
    add(content, id);
    add_text(content, name);
    add_text(content, encoding);
    add_text(content, data);
    schemas_.push_back({record(McapOpcode::schema, content)});
    return id;
}

std::uint16_t McapWriter::add_channel(std::uint16_t schema, std::string_view topic, std::string_view message_encoding,
                                      const Texts& metadata) {
    OUTRIDER_CHECK(schema, >, 0);
    OUTRIDER_CHECK(std::size_t{schema}, <=, schemas_.size());
    if (channels_.size() >= UINT16_MAX)
        fail("{}: more than {} topics; MCAP cannot hold a team that large", out_.path(), UINT16_MAX);
    const auto id = static_cast<std::uint16_t>(channels_.size() + 1);
    std::string content;
    add(content, id);
    add(content, schema);
    add_text(content, topic);
    add_text(content, message_encoding);
    add_texts(content, metadata);
    Channel& channel = channels_.emplace_back();
    channel.record = record(McapOpcode::channel, content);
    channel.schema = schema;
    return id;
}

void McapWriter::add_metadata(std::string_view name, const Texts& texts) {
    close_chunk();
    std::string content, index;
    add_text(content, name);
    add_texts(content, texts);
    const std::string bytes = record(McapOpcode::metadata, content);
    add(index, offset_);
    add(index, std::uint64_t{bytes.size()});
    add_text(index, name);
    metadata_indexes_ += record(McapOpcode::metadata_index, index);
    ++metadata_;
    put(bytes);
}

void McapWriter::write(std::uint16_t id, std::uint64_t time_ns, std::string_view data) {
    OUTRIDER_CHECK(id, >, 0);
    Channel& channel = channels_.at(id - 1u);
    // A schema stands before the channels, and a channel before the messages, that refer to it.
    if (Schema& schema = schemas_[channel.schema - 1u]; !std::exchange(schema.written, true)) chunk_ += schema.record;
    if (!std::exchange(channel.written, true)) chunk_ += channel.record;
    channel.index.emplace_back(time_ns, chunk_.size());
    std::string head;
    add(head, static_cast<std::uint8_t>(McapOpcode::message));
    add(head, std::uint64_t{2 + 4 + 8 + 8 + data.size()});
    add(head, id);
    add(head, channel.messages++);  // sequence
    add(head, time_ns);             // logged
    add(head, time_ns);             // published
    chunk_ += head;
    chunk_ += data;
    chunk_times_.take(time_ns);
    times_.take(time_ns);
    ++messages_;
    if (chunk_.size() >= chunk_bytes_) close_chunk();
}

void McapWriter::close_chunk() {
    if (chunk_.empty()) return;
    const std::string_view packed = compressor_->pack(chunk_);
    std::string content;
    content.reserve(packed.size() + 64);
    add(content, chunk_times_.first);
    add(content, chunk_times_.last);
    add(content, std::uint64_t{chunk_.size()});
    add(content, crc_of(chunk_));
    add_text(content, "zstd");
    add(content, std::uint64_t{packed.size()});
    content += packed;
    const std::uint64_t start = offset_;
    put(record(McapOpcode::chunk, content));
    const std::uint64_t length = offset_ - start, indexes = offset_;

    std::string offsets;  // of the index of each channel
    for (std::size_t i = 0; i < channels_.size(); ++i) {
        if (channels_[i].index.empty()) continue;
        const auto id = static_cast<std::uint16_t>(i + 1);
        add(offsets, id);
        add(offsets, offset_);
        std::string entries, index;
        for (const auto& [time, offset] : channels_[i].index) {
            add(entries, time);
            add(entries, offset);
        }
        add(index, id);
        add_text(index, entries);
        put(record(McapOpcode::message_index, index));
        channels_[i].index.clear();
    }
    std::string summary;
    add(summary, chunk_times_.first);
    add(summary, chunk_times_.last);
    add(summary, start);
    add(summary, length);
    add_text(summary, offsets);
    add(summary, offset_ - indexes);
    add_text(summary, "zstd");
    add(summary, std::uint64_t{packed.size()});
    add(summary, std::uint64_t{chunk_.size()});
    chunk_indexes_ += record(McapOpcode::chunk_index, summary);
    ++chunks_;
    chunk_.clear();
    chunk_times_ = {};
}

void McapWriter::finish() {
    close_chunk();
    std::string end;
    add(end, crc_);
    put(record(McapOpcode::data_end, end));

    // The summary repeats what a reader of the index needs, grouped by kind of record.
    std::string schemas, channels, counts, statistics;
    for (const Schema& s : schemas_)
        if (s.written) schemas += s.record;
    std::uint32_t used = 0;
    for (std::size_t i = 0; i < channels_.size(); ++i) {
        if (!channels_[i].written) continue;
        channels += channels_[i].record;
        add(counts, static_cast<std::uint16_t>(i + 1));
        add(counts, std::uint64_t{channels_[i].messages});
        ++used;
    }
    add(statistics, messages_);
    add(statistics, static_cast<std::uint16_t>(
                        std::count_if(schemas_.begin(), schemas_.end(), [](const Schema& s) { return s.written; })));
    add(statistics, used);
    add(statistics, std::uint32_t{0});  // attachments
    add(statistics, metadata_);
    add(statistics, chunks_);
    add(statistics, messages_ > 0 ? times_.first : 0);
    add(statistics, times_.last);
    add_text(statistics, counts);

    const std::uint64_t summary_start = offset_;
    const std::pair<McapOpcode, std::string> groups[] = {
        {McapOpcode::schema, schemas},
        {McapOpcode::channel, channels},
        {McapOpcode::statistics, record(McapOpcode::statistics, statistics)},
        {McapOpcode::chunk_index, chunk_indexes_},
        {McapOpcode::metadata_index, metadata_indexes_}};
    std::string summary, offsets;
    for (const auto& [opcode, records] : groups) {
        if (records.empty()) continue;
        std::string offset;
        add(offset, static_cast<std::uint8_t>(opcode));
        add(offset, summary_start + summary.size());
        add(offset, std::uint64_t{records.size()});
        offsets += record(McapOpcode::summary_offset, offset);
        summary += records;
    }
    const std::uint64_t offsets_start = summary_start + summary.size();
    summary += offsets;
    std::string footer;
    add(footer, summary_start);
    add(footer, offsets_start);
    // The check covers the summary and the footer up to the check itself.
    std::string head;
    add(head, static_cast<std::uint8_t>(McapOpcode::footer));
    add(head, std::uint64_t{8 + 8 + 4});
    add(footer, crc_of(footer, crc_of(head, crc_of(summary))));
    put(summary);
    put(record(McapOpcode::footer, footer));
    put(mcap_magic);
}

}  // namespace outrider
