//===- Batch.cpp - One array job of a sweep -------------------------------===//
#include "chi/Sweep/Slurm/Batch.h"
#include "chi/Launch/Files.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace chi;
using namespace chi::sweep;

int64_t sweep::chunkOf(double chunkTime, double pointTime, int64_t count) {
  if (!(pointTime > 0))
    return 1;
  double points = std::floor(chunkTime / pointTime);
  return std::max<int64_t>(1, int64_t(std::min(points, double(count))));
}

/// Seconds of "minutes", "minutes:seconds", "hours:minutes:seconds",
/// "days-hours[:minutes[:seconds]]".
static std::optional<double> limitSeconds(llvm::StringRef time) {
  auto [days, rest] = time.split('-');
  bool hasDays = time.contains('-');
  llvm::SmallVector<llvm::StringRef, 3> parts;
  (hasDays ? rest : time).split(parts, ':');
  double factors[3] = {3600, 60, 1}, seconds = 0;
  size_t first = hasDays || parts.size() == 3 ? 0 : 1;
  if (parts.size() + first > 3)
    return std::nullopt;
  unsigned number = 0;
  for (size_t k = 0; k < parts.size(); ++k) {
    if (parts[k].getAsInteger(10, number))
      return std::nullopt;
    seconds += number * factors[first + k];
  }
  if (hasDays && days.getAsInteger(10, number))
    return std::nullopt;
  return seconds + (hasDays ? number * 86400. : 0);
}

std::optional<int> sweep::signalLead(llvm::StringRef time) {
  auto seconds = limitSeconds(time);
  if (!seconds || *seconds <= 0)
    return std::nullopt;
  return int(std::clamp(*seconds / 5, 1., 60.));
}

/// A word for a shell.
static std::string quoted(llvm::StringRef word) {
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string sweep::scriptOf(const SlurmRequest &request,
                            const std::string &name, const std::string &folder,
                            const std::string &chic, int64_t numTasks) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "#!/bin/sh\n";
  auto add = [&](const char *option, const std::string &value) {
    if (!value.empty())
      out << "#SBATCH --" << option << "=" << value << "\n";
  };
  add("job-name", name);
  add("array", "0-" + std::to_string(numTasks - 1));
  add("output", folder + "/%a.log");
  out << "#SBATCH --open-mode=append\n#SBATCH --requeue\n";
  add("time", request.time);
  if (auto lead = signalLead(request.time))
    add("signal", "B:USR1@" + std::to_string(*lead));
  add("partition", request.partition);
  add("account", request.account);
  add("gpus-per-task", request.gpus);
  if (!request.gpus.empty())
    out << "#SBATCH --ntasks=1\n";
  add("cpus-per-task", request.cpus);
  for (const std::string &line : request.sbatch)
    out << "#SBATCH " << line << "\n";
  out << "exec " << quoted(chic) << " sweep --worker " << quoted(folder)
      << "\n";
  return text;
}

std::string sweep::batchFolder(const std::string &out, int number) {
  return llvm::formatv("{0}/slurm/batch-{1,0+4}", out, number);
}

std::string sweep::linesName(int batch, int64_t task, int restart) {
  return llvm::formatv("slurm-{0,0+4}-{1,0+4}-{2,0+3}.jsonl", batch, task,
                       restart);
}

std::vector<Task> sweep::readTasks(const std::string &file) {
  std::string text = launch::readFile(file).value_or("");
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  std::vector<Task> tasks;
  for (llvm::StringRef line : lines)
    if (auto task = readTask(line))
      tasks.push_back(std::move(*task));
  return tasks;
}
