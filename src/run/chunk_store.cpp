#include "run/chunk_store.hpp"

#include <utility>

#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_waiting = 4;  // chunks; then the run waits for the disk

}  // namespace

ChunkStore::ChunkStore(Database& db, bool background) : db_(db), small_(6), fast_(1) {
    if (background) thread_ = std::thread([this] { work(); });
}

ChunkStore::~ChunkStore() {
    try {
        finish();
    } catch (const std::exception&) {
        // Who cares asks finish().
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
    const std::string_view blob = (chunk.waist ? fast_ : small_).pack(chunk.sections);
    db_.run("BEGIN");
    try {
        const auto insert = [&](std::string_view table, std::string_view bytes) {
            db_.prepare(fmt::format("INSERT INTO {} VALUES(?, ?, 'zlib', ?, ?)", table))
                .bind(1, std::int64_t{chunk.first})
                .bind(2, std::int64_t{chunk.last})
                .bind(3, std::int64_t{checksum(bytes)})
                .bind_blob(4, bytes)
                .run();
        };
        insert("chunk", blob);
        Statement event = db_.prepare("INSERT INTO event VALUES(?, ?, ?, ?)");
        for (const LogEvent& e : chunk.events)
            event.bind(1, std::int64_t{e.step}).bind(2, e.kind).bind(3, std::int64_t{e.robot}).bind(4, e.json).run();
        if (chunk.waist) {
            insert("waist", waist_packer_.pack(*chunk.waist));
            Statement tile = db_.prepare("INSERT INTO tile VALUES(?, ?, ?)");
            for (const NewTile& t : chunk.waist->tiles)
                tile.bind(1, t.id).bind_blob(2, name_bytes(t.name)).bind_blob(3, t.bytes).run();
        }
        db_.run("COMMIT");
    } catch (const RunFailure&) {
        try {
            db_.run("ROLLBACK");
        } catch (const RunFailure&) {
            // SQLite has done it already.
        }
        throw;
    }
}

}  // namespace outrider
