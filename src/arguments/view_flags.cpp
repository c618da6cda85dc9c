#include "arguments/view_flags.hpp"

namespace outrider {

void ViewFlags::fields(Flags& f) {
    scenario.command = "view";
    scenario.fields(f);
    f.positional("beside", beside, "a second log, shown beside the first, step by step");
    f("connect", connect, "URL",
      "look over its relay, ws://HOST:PORT, at what the base station of a live team knows, and operate it "
      "(docs/live.md); the scenario is the one that the team's processes read");
    f("key", key, "FILE", "with --connect: what the relay asks for");
    f.number("room", room, 1, 10000, "m", "M", "with --connect: as with outrider robot, otherwise 60");
    f("log-file", log_file, "FILE", "live: write a full log of the run here");
    f("threads", threads, 0, 256, "N", "live: threads; the result is the same");
    f("play", play, "begin at once");
    f.number("speed", speed, 0, 60, "", "X", "times simulated time; 0: as fast as possible");
    f("dark", dark, "dark colours; otherwise as they were left");
    f.number("scale", scale, 0.5, 4, "", "X",
             "size of text and buttons as far as the window has room for them, 0.5 to 4");
    f("size", size, "WxH", "of the window, or of pictures; otherwise 1280x720, or as the window was left");
    f("preset", preset, 1, 9, "N", "set of layers to begin with, 1 to 9");
    f("layers", layers, "LIST", "layers to show, such as 'walls free:all path:mobile'");
    f("as-base", as_base, "begin with the run as the base station sees it");
    f("select", select, "NAME", "select this robot");
    f("tab", tab, "TAB", "tab on the left: layers, why, tables, plots, operate, edit");
    f("step", step, 0, INT32_MAX, "N", "go to this step");
    f("map-only", map_only, "pictures of the map without panels");
    f("screenshot", screenshot, "FILE", "write a picture and end; needs no display");
    f("frames", frames, "DIR", "write pictures 000000.png, ... into this folder; needs no display");
    f("video", video, "FILE", "write a video, if ffmpeg is installed; needs no display");
    f("from", from, 0, INT32_MAX, "N", "first step of frames and video");
    f("to", to, 0, INT32_MAX, "N", "last step");
    f("every", every, 1, INT32_MAX, "N", "a picture of every so many steps");
    f("fps", fps, 1, 240, "N", "pictures per second of the video");
    f("bench", bench, 1, 1'000'000, "N", "measure this many frames at 30 steps a second, print their times, and end");
    f("force", force, "overwrite files that exist");
}

HelpPage view_page() {
    return {
        "view",
        "Watch a run live, or replay a log, also the recording of a real robot (CARMEN, bags, MCAP). Without arguments "
        "an\nempty window; drop a file on it.\n",
        "[OPTION...] [SCENARIO.toml [--connect URL] | LOG.sqlite [LOG.sqlite] | RECORDING]"};
}

}  // namespace outrider
