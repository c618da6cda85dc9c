#include "log/chunk_store.hpp"

#include <utility>

#include "log/tile_codec.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_waiting = 4;  // chunks; then the run waits for the disk

}  // namespace

void append_hashes(ByteWriter& out, std::span<const Hash128> steps, std::span<const std::uint32_t> robots) {
    out.text("hash");
    for (const Hash128& h : steps) {
        out.integer(static_cast<std::int64_t>(h.high));
        out.integer(static_cast<std::int64_t>(h.low));
    }
    out.text("robot_hash");
    for (const std::uint32_t h : robots) out.integer(h);
}

ChunkStore::ChunkStore(Database& db, bool background) : db_(db) {
    if (background) thread_ = std::thread([this] { work(); });
}

ChunkStore::~ChunkStore() {
    try {
        finish();
    } catch (const std::exception&) {
        // Callers that need the error call finish().
    }
}

void ChunkStore::add(LogChunk chunk) {
    if (!thread_.joinable()) return write(chunk);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return queue_.size() < most_waiting || error_; });
    if (error_) rethrow();
    queue_.push_back(std::move(chunk));
    changed_.notify_all();
}

void ChunkStore::finish() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
        changed_.notify_all();
    }
    thread_.join();
    if (error_) rethrow();
}

void ChunkStore::rethrow() { std::rethrow_exception(error_); }

void ChunkStore::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return closing_ || !queue_.empty(); });
        if (queue_.empty()) return;
        LogChunk chunk = std::move(queue_.front());
        lock.unlock();
        std::exception_ptr error;
        try {
            write(chunk);
        } catch (...) {
            error = std::current_exception();
        }
        lock.lock();
        queue_.pop_front();
        if (error) {
            error_ = error;
            queue_.clear();
        }
        changed_.notify_all();
        if (error_) return;
    }
}

void ChunkStore::write(LogChunk& chunk) {
    if (!insert_) {
        insert_.emplace(Statements{db_.prepare("INSERT INTO chunk VALUES(?, ?, 'zlib', ?, ?)"),
                                   db_.prepare("INSERT INTO event VALUES(?, ?, ?, ?)"),
                                   {},
                                   {}});
        if (chunk.steps) {
            insert_->steps = db_.prepare("INSERT INTO waist VALUES(?, ?, 'zlib', ?, ?, ?)");
            insert_->tile = db_.prepare("INSERT INTO tile VALUES(?, ?, ?)");
        }
    }
    const auto bind_steps = [&](Statement& row) -> Statement& {
        return row.bind(1, std::int64_t{chunk.first}).bind(2, std::int64_t{chunk.last});
    };
    db_.run("BEGIN");
    try {
        const std::string_view sections =
            packer_.pack(chunk.sections, chunk.steps ? Packer::Method::fast : Packer::Method::small);
        bind_steps(insert_->chunk).bind(3, std::int64_t{checksum(sections)}).bind_blob(4, sections).run();
        for (const LogEvent& e : chunk.events)
            insert_->event.bind(1, std::int64_t{e.step})
                .bind(2, e.kind)
                .bind(3, std::int64_t{e.robot})
                .bind(4, e.json)
                .run();
        if (chunk.steps) {
            const std::string steps = pack_steps(*chunk.steps, packer_);
            bind_steps(*insert_->steps)
                .bind(3, std::int64_t{checksum(steps)})
                .bind_blob(4, name_bytes(steps_name(*chunk.steps)))
                .bind_blob(5, steps)
                .run();
            for (const NewTile& t : chunk.steps->tiles)
                insert_->tile->bind(1, t.id).bind_blob(2, name_bytes(t.name)).bind_blob(3, t.bytes).run();
        }
        db_.run("COMMIT");
    } catch (const RunFailure&) {
        insert_.reset();
        try {
            db_.run("ROLLBACK");
        } catch (const RunFailure&) {
            // SQLite has done it already.
        }
        throw;
    }
}

}  // namespace outrider
