// The one place where threads are made.
#pragma once

#include <functional>
#include <memory>

namespace outrider {

/// Threads that parallel_for may use when called by this thread, for as long as the object lives; 1 calls the body in a
/// plain loop without workers (the same holds without any ThreadLimit, and inside of a body). The newest one counts. A
/// local variable: several runs, each in its own thread, do not see each other's.
class ThreadLimit {
  public:
    struct Arena;
    explicit ThreadLimit(int threads);
    /// With threads obtained before, for many short limits one after the other.
    explicit ThreadLimit(std::shared_ptr<Arena> threads);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

  private:
    std::shared_ptr<Arena> arena_;
    void* previous_;
};
/// Threads for a ThreadLimit; nullptr for a single one.
std::shared_ptr<ThreadLimit::Arena> get_threads(int threads);

/// Calls body(i) once for each i in [0, count), in any order, and waits for all. Body i may read what nobody writes
/// meanwhile and write only what belongs to index i; then the result cannot depend on the number of threads. Of the
/// exceptions thrown that of the lowest index is passed on.
void parallel_for(int count, const std::function<void(int)>& body);

}  // namespace outrider
