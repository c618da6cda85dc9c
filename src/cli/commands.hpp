// The commands of the program. Each returns its exit code; errors are thrown.
#pragma once

#include "arguments/arguments.hpp"

namespace outrider {

int run_command(const Arguments& arguments);
int check_command(const Arguments& arguments);
int generate_command(const Arguments& arguments);
int plan_command(const Arguments& arguments);
int slam_command(const Arguments& arguments);
int convert_command(const Arguments& arguments);
int rerun_command(const Arguments& arguments);
int replay_command(const Arguments& arguments);
int why_command(const Arguments& arguments);
int view_command(const Arguments& arguments);
int compare_command(const Arguments& arguments);
int sweep_command(const Arguments& arguments);
int report_command(const Arguments& arguments);
int figure_command(const Arguments& arguments);
int log_command(const Arguments& arguments);
int strategies_command(const Arguments& arguments);
int options_command(const Arguments& arguments);
int metrics_command(const Arguments& arguments);

}  // namespace outrider
