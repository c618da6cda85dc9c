// What a module in a browser does otherwise, or says that it cannot do: threads, programs, logs, YAML. It stands in the
// place of the sources that CMakeLists.txt leaves out.
#include "base/parallel.hpp"
#include "base/programs.hpp"
#include "log/log_writer.hpp"
#include "outrider/error.hpp"
#include "world/map_formats.hpp"

namespace outrider {

// One thread: the result is the same at any number.
ThreadLimit::ThreadLimit(int) : previous_(nullptr) {}
ThreadLimit::ThreadLimit(std::shared_ptr<Arena>) : previous_(nullptr) {}
ThreadLimit::~ThreadLimit() = default;
std::shared_ptr<ThreadLimit::Arena> get_threads(int) { return nullptr; }
void parallel_for(int count, const std::function<void(int)>& body) {
    for (int i = 0; i < count; ++i) body(i);
}

void allow_program(const std::string&) {}
void allow_all_programs() {}
void expect_allowed(const std::string& command, const std::string& where) {
    throw ProgramRefused(fmt::format("{}: no program can be started in a browser: {}", where, command));
}

RosMap read_ros_map(const std::string& path) { fail("{}: maps of ROS cannot be read in a browser", path); }

LogWriter::LogWriter(const std::string& path, LogLevel, const Scenario&, const std::vector<Briefing>& briefings,
                     const SimDriver& driver, const Metrics& metrics, Frames)
    : db_(path, Database::Mode::create), driver_(driver), metrics_(metrics), finder_(briefings.size()) {}
void LogWriter::on_step(const StepView&) {}
void LogWriter::note(const std::string&) {}
void LogWriter::finish(EndReason, const Run&, const std::vector<SummaryValue>&, const Provenance&) {}
ChunkStore::~ChunkStore() = default;
Database::Database(const std::string& path, Mode) { fail("{}: a browser keeps no logs", path); }
bool database_in_use(const std::string&) { return false; }

}  // namespace outrider
