//===- Words.cpp - The command line of `chic sweep` -----------------------===//
#include "chi/Driver/Sweep/Words.h"
#include "chi/Sweep/Points/Failure.h"
#include "chi/Sweep/Points/Numbers.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace chi;
using namespace chi::driver;

std::optional<double> chi::driver::readDuration(llvm::StringRef text) {
  llvm::StringRef number =
      text.take_while([](char c) { return llvm::isDigit(c) || c == '.'; });
  llvm::StringRef unit = text.drop_front(number.size()).trim();
  double factor = unit.empty() || unit == "s"    ? 1
                  : unit == "min" || unit == "m" ? 60
                  : unit == "h"                  ? 3600
                  : unit == "d"                  ? 86400
                                                 : 0;
  auto value = sweep::readNumber(number);
  if (!value || factor == 0 || !std::isfinite(*value))
    return std::nullopt;
  return *value * factor;
}

static void replace(std::string &text, const std::string &given) {
  if (!given.empty())
    text = given;
}

llvm::Error chi::driver::applyWords(const SweepWords &words,
                                    sweep::Request &request) {
  if (words.jobs)
    request.jobs = *words.jobs;
  if (words.threads)
    request.threads = *words.threads;
  if (words.retries)
    request.retries = *words.retries;
  if (!words.gpus.empty())
    request.gpus = words.gpus;
  if (words.every) {
    if (!readDuration(*words.every))
      return sweep::failure("--every: `" + *words.every +
                            "` is no duration, such as 10min or 90s");
    request.every = *words.every;
  }
  sweep::SlurmRequest &slurm = request.slurm;
  slurm.isUsed |= words.isSlurm;
  replace(slurm.time, words.slurm.time);
  replace(slurm.partition, words.slurm.partition);
  replace(slurm.account, words.slurm.account);
  replace(slurm.gpus, words.slurm.gpus);
  replace(slurm.cpus, words.slurm.cpus);
  if (!words.slurm.sbatch.empty())
    slurm.sbatch = words.slurm.sbatch;
  if (words.slurm.chunk)
    slurm.chunk = words.slurm.chunk;
  if (!words.chunkTime.empty()) {
    auto seconds = readDuration(words.chunkTime);
    if (!seconds || *seconds <= 0)
      return sweep::failure("--chunk-time: `" + words.chunkTime +
                            "` is no duration, such as 10min or 90s");
    slurm.chunkTime = *seconds;
  }
  return llvm::Error::success();
}
