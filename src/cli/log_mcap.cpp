#include "cli/log_mcap.hpp"

#include "base/output.hpp"
#include "cli/interrupt.hpp"
#include "cli/logged.hpp"
#include "log/viewers/mcap_export.hpp"
#include "log/viewers/run_messages.hpp"

namespace outrider {
namespace {

/// Records a run in progress.
class McapObserver final : public Observer {
  public:
    McapObserver(const Simulation& sim, RunMessages& recorder) : sim_(sim), recorder_(recorder) {}
    void on_step(const StepView& view) override { recorder_.add(view, sim_.driver().world().poses()); }

  private:
    const Simulation& sim_;
    RunMessages& recorder_;
};

int run_again(Logged& logged, const MessageCoding& coding, OutputFile& out) {
    logged.expect_closed_loop();
    SimulationOptions options;
    options.interrupted = &catch_interrupts();
    options.orders = logged.orders;
    options.stop_after = logged.length();
    options.overlays = true;
    Simulation sim(logged.scenario, options);
    HashCheck check(logged.steps);
    McapRunFile file(logged.scenario, coding, out);
    RunMessages recorder(logged.scenario, file.topics(), logged.log.events());
    McapObserver observer(sim, recorder);
    sim.add_observer(check);
    sim.add_observer(observer);
    if (sim.run() == EndReason::interrupted) return 130;
    recorder.finish(sim.team());
    file.finish();
    return report(check, logged);
}

int read(Logged& logged, const MessageCoding& coding, OutputFile& out) {
    const McapExport result = export_mcap(logged.log, coding, out, &catch_interrupts());
    for (const std::string& damaged : result.damaged) print_aside("note: left out, damaged: {}\n", damaged);
    return result.whole ? 0 : 130;
}

}  // namespace

int write_mcap(const std::string& log, const std::string& path, bool ros2, bool force) {
    OutputFile out(path, force);
    Logged logged(log);
    const MessageCoding& coding = ros2 ? ros2_coding() : foxglove_coding();
    const int code = logged.full() ? read(logged, coding, out) : run_again(logged, coding, out);
    if (code == 130) {  // half a run would look like a whole one
        print_plain("interrupted; nothing is written\n");
        return code;
    }
    out.commit();
    print_plain("{}\n", path);
    return code;
}

}  // namespace outrider
