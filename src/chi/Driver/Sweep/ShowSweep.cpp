//===- ShowSweep.cpp - Status and tables of sweeps ------------------------===//
#include "chi/Driver/Sweep/RunSweep.h"
#include "chi/Launch/Files.h"
#include "chi/Sweep/Points/Failure.h"
#include "chi/Sweep/Store/Database.h"
#include "chi/Sweep/Store/TableFiles.h"
#include "chi/Sweep/Workers/Progress.h"
#include "chi/Sweep/Workers/Request.h"
#include "chi/Sweep/Workers/SweepLock.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <cstring>

using namespace chi;
using namespace chi::driver;
using sweep::Row;

static int refuse(DriverEnv &env, llvm::Error problem) {
  env.err << "chic sweep: " << llvm::toString(std::move(problem)) << "\n";
  return ExitWorld;
}

static llvm::Expected<std::vector<Row>> rowsOf(const std::string &folder) {
  auto opened =
      sweep::Database::open(folder + "/sweep.db", sweep::Database::Read);
  if (!opened)
    return opened.takeError();
  return (*opened)->rows();
}

/// The longest of the points, and how long they took together.
static void printTimes(llvm::ArrayRef<Row> rows, DriverEnv &env) {
  double sum = 0, most = 0;
  int64_t count = 0;
  for (const Row &row : rows)
    if (row.state == Row::Done) {
      sum += row.seconds;
      most = std::max(most, row.seconds);
      ++count;
    }
  if (count)
    env.out << llvm::formatv("a point took {0:F3} s, at most {1:F3} s\n",
                             sum / double(count), most);
}

static void printFailures(llvm::ArrayRef<Row> rows, DriverEnv &env) {
  constexpr int kShown = 10;
  int shown = 0;
  for (const Row &row : rows)
    if (row.state == Row::Failed && ++shown <= kShown)
      env.out << "point " << row.number << " (" << pointOf(row).text()
              << ") failed: " << row.error << "\n";
  if (shown > kShown)
    env.out << "and " << shown - kShown << " more\n";
}

int chi::driver::showStatus(const std::string &folder, DriverEnv &env) {
  auto rows = rowsOf(folder);
  if (!rows)
    return refuse(env, rows.takeError());
  sweep::Ledger ledger(*rows, 0);
  auto counts = ledger.count();
  env.out << sweep::countsText(counts) << ", " << counts.states[Row::Pending]
          << " pending\n";
  std::string holder = sweep::SweepLock::holder(folder);
  if (!holder.empty())
    env.out << holder << " controls the sweep\n";
  else if (counts.states[Row::Pending] + counts.states[Row::Running])
    env.out << "no process controls the sweep; chic sweep --resume " << folder
            << " goes on\n";
  printTimes(*rows, env);
  sweep::Table table = sweep::makeTable(*rows, /*isFull=*/false);
  if (table.numNaNs)
    env.out << table.numNaNs << " reported values are nan\n";
  if (table.numInfinities)
    env.out << table.numInfinities << " reported values are inf or -inf\n";
  printFailures(*rows, env);
  return ExitGood;
}

static int writeNpz(const sweep::Table &table, const std::string &file,
                    DriverEnv &env) {
  if (launch::writeFileAtomically(file, sweep::npzOf(table)))
    return ExitGood;
  return refuse(env, sweep::failure("'" + file + "': " + std::strerror(errno)));
}

int chi::driver::showTable(const TableWords &words, DriverEnv &env) {
  auto rows = rowsOf(words.folder);
  if (!rows)
    return refuse(env, rows.takeError());
  bool isForPrograms = words.isCsv || words.isJson || !words.npz.empty();
  sweep::Table table = sweep::makeTable(*rows, words.isFull || isForPrograms);
  if (!words.where.empty())
    if (llvm::Error wrong = sweep::filter(table, words.where))
      return refuse(env, std::move(wrong));
  if (!words.npz.empty())
    return writeNpz(table, words.npz, env);
  if (words.isCsv)
    sweep::writeCsv(table, env.out);
  else if (words.isJson)
    sweep::writeJson(table, env.out);
  else
    sweep::writeText(table, env.out);
  return ExitGood;
}
