//===- LaunchProfile.h - The launches of a run, by kernel -------*- C++ -*-===//
#ifndef CHI_PROFILE_LAUNCHPROFILE_H
#define CHI_PROFILE_LAUNCHPROFILE_H

#include "chi/Profile/Work.h"
#include <map>
#include <string>
#include <vector>

struct chirt_launch_record;
struct chirt_task;

namespace chi::profile {

/// All launches of one parallel loop of the source. The times are measured;
/// the work is counted (Work.h) and summed over the launches.
struct Row {
  std::string name;   ///< "energy:12", "energy.adj:12"
  std::string kernel; ///< "energy"
  std::string file;   ///< as the compiler was given it; "" if not known
  int line = 0;       ///< of the loop; 0: not known
  bool isAdjoint = false;
  int64_t calls = 0;
  double seconds = 0, least = 0, most = 0;
  LaunchWork work;
};

/// One launch, for a trace.
struct Event {
  size_t row;
  double begin, seconds; ///< from the first launch on
  LaunchWork work;
};

/// Gathers the launches of a run.
class LaunchProfile {
public:
  /// `works`: of the tasks of the program; of others no work is known.
  /// `mostEvents`: how many launches are kept one by one.
  explicit LaunchProfile(std::vector<TaskWork> works, size_t mostEvents = 0);

  /// Adds a launch.
  void take(const chirt_launch_record &launch);
  /// The longest in all first. References live until the next launch.
  const std::vector<Row> &rows() const { return table; }
  /// Sorts the rows, and numbers the events accordingly.
  void sort();
  /// The first launches, in the order of their ends.
  const std::vector<Event> &events() const { return kept; }
  /// Launches that are no events.
  size_t numDropped() const { return dropped; }
  /// Time of all launches.
  double seconds() const;

private:
  /// What is known of one task of the program.
  struct Known {
    size_t row;
    const TaskWork *work = nullptr;
    /// The launch before, whose work is that of the next one if the numbers are
    /// the same.
    std::vector<int64_t> numbers;
    LaunchWork last;
  };
  Known &knownOf(const chirt_task *task);
  size_t rowOf(const chirt_task *task);
  const LaunchWork &workOf(Known &known, const chirt_launch_record &launch);

  std::vector<TaskWork> works;
  std::map<std::string, const TaskWork *> byName;
  std::map<const chirt_task *, Known> tasks;
  std::map<std::string, size_t> rowsByName;
  std::vector<Row> table;
  std::vector<Event> kept;
  size_t mostEvents, dropped = 0;
  double origin = 0;
};

} // namespace chi::profile
#endif // CHI_PROFILE_LAUNCHPROFILE_H
