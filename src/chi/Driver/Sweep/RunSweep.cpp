//===- RunSweep.cpp - Begins and goes on with sweeps ----------------------===//
#include "chi/Driver/Sweep/RunSweep.h"
#include "chi/Driver/Sweep/Inspect.h"
#include "chi/Launch/Files.h"
#include "chi/Launch/Git.h"
#include "chi/Sweep/Points/Failure.h"
#include "chi/Sweep/Slurm/ArrayTask.h"
#include "chi/Sweep/Slurm/SlurmSweep.h"
#include "chi/Sweep/Workers/LocalSweep.h"
#include "chirt/host.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace chi;
using namespace chi::driver;
using sweep::Database;
using sweep::Journal;
using sweep::Point;
using sweep::Row;

namespace {
/// One sweep under this process.
class Sweep {
public:
  Sweep(const SweepWords &words, DriverEnv &env) : words(words), env(env) {}
  int begin();
  int resume();

private:
  int refuse(llvm::Error problem);
  llvm::Expected<std::vector<Point>>
  pointsOf(llvm::ArrayRef<sweep::ParamFacts> params);
  llvm::Error takeFolder(const std::string &folder);
  llvm::Error openTable();
  llvm::Error archive(llvm::StringRef why);
  llvm::Error addPoints(llvm::ArrayRef<Point> points);
  llvm::Error openJournal();
  llvm::Expected<int> runPoints(sweep::Progress &progress);
  int run();
  int finish(int signal);

  const SweepWords &words;
  DriverEnv &env;
  sweep::Request request;
  std::string out; ///< absolute
  std::optional<sweep::SweepLock> lock;
  std::unique_ptr<Database> database;
  std::unique_ptr<Journal> journal;
};
} // namespace

int Sweep::refuse(llvm::Error problem) {
  env.err << "chic sweep: " << llvm::toString(std::move(problem)) << "\n";
  return ExitWorld;
}

//===--- Before anything starts -------------------------------------------===//

llvm::Expected<std::vector<Point>>
Sweep::pointsOf(llvm::ArrayRef<sweep::ParamFacts> params) {
  sweep::Space space;
  auto read = [](llvm::StringRef path) -> llvm::Expected<std::string> {
    auto text = launch::readFile(path.str());
    if (!text)
      return sweep::failure("'" + path + "': " + std::strerror(errno));
    return std::move(*text);
  };
  for (const std::string &over : words.overs)
    if (llvm::Error wrong = sweep::addOver(over, read, space))
      return wrong;
  auto points = sweep::makePoints(space, {words.zips, words.samples}, params);
  if (!points)
    return points;
  if (llvm::Error wrong =
          sweep::checkPoints(*points, params, sweptFlags(request)))
    return wrong;
  return points;
}

/// Words for all points are kept for other working folders.
static std::vector<std::string> absoluteWords(std::vector<std::string> words) {
  for (size_t k = 0; k < words.size(); ++k) {
    if (words[k] == "-I" && k + 1 < words.size())
      words[k + 1] = launch::absolutePath(words[k + 1]);
    else if (llvm::StringRef(words[k]).starts_with("-I"))
      words[k] = "-I" + launch::absolutePath(words[k].substr(2));
  }
  return words;
}

int Sweep::begin() {
  request.program = launch::absolutePath(words.file);
  request.fixed = absoluteWords(words.fixed);
  request.seed = words.seed;
  request.hasSameSeed = words.hasSameSeed;
  for (const std::string &input : words.inputs)
    request.inputs.push_back(launch::absolutePath(input));
  if (llvm::Error wrong = applyWords(words, request))
    return refuse(std::move(wrong));
  std::vector<sweep::ParamFacts> params;
  if (int status = inspectProgram(request, &params, env))
    return status;
  auto points = pointsOf(params);
  if (!points)
    return refuse(points.takeError());
  if (int status = checkProgram(request, points->front(), env))
    return status;
  if (llvm::Error failed = takeFolder(words.out))
    return refuse(std::move(failed));
  if (llvm::Error failed = openTable())
    return refuse(std::move(failed));
  if (llvm::Error failed = addPoints(*points))
    return refuse(std::move(failed));
  for (const sweep::ParamFacts &param : params) // labels of plots
    if (llvm::Error failed =
            database->setProperty("doc " + param.name, param.doc))
      return refuse(std::move(failed));
  return run();
}

int Sweep::resume() {
  if (!llvm::sys::fs::exists(words.resume + "/sweep.db"))
    return refuse(sweep::failure("'" + words.resume +
                                 "' has no sweep.db: it is "
                                 "not the folder of a sweep"));
  if (llvm::Error failed = takeFolder(words.resume))
    return refuse(std::move(failed));
  auto opened = Database::open(out + "/sweep.db", Database::Write);
  if (!opened)
    return refuse(opened.takeError());
  database = std::move(*opened);
  auto text = database->property("request");
  if (!text)
    return refuse(text.takeError());
  if (text->empty())
    return refuse(sweep::failure("'" + words.resume +
                                 "' was stopped before "
                                 "its table was whole: begin the sweep again"));
  auto read = sweep::readRequest(*text);
  if (!read)
    return refuse(read.takeError());
  request = std::move(*read);
  if (llvm::Error wrong = applyWords(words, request))
    return refuse(std::move(wrong));
  auto rows = database->rows();
  if (!rows)
    return refuse(rows.takeError());
  std::string before = request.hash;
  if (int status = inspectProgram(request, nullptr, env))
    return status;
  if (!rows->empty())
    if (int status = checkProgram(request, pointOf(rows->front()), env))
      return status;
  if (request.hash != before && !words.isMixed)
    return refuse(sweep::failure(
        "'" + request.program + "', a module or an input has changed since '" +
        words.resume + "' began; --mixed goes on with what there is now"));
  if (llvm::Error failed = addPoints({}))
    return refuse(std::move(failed));
  return run();
}

//===--- The folder -------------------------------------------------------===//

llvm::Error Sweep::takeFolder(const std::string &folder) {
  out = launch::absolutePath(folder);
  while (out.size() > 1 && out.back() == '/')
    out.pop_back();
  for (const char *part : {"", "/points", "/workers"})
    if (std::error_code failed = llvm::sys::fs::create_directories(out + part))
      return sweep::failure("'" + folder + part + "': " + failed.message());
  auto taken = sweep::SweepLock::take(out);
  if (!taken)
    return taken.takeError();
  lock.emplace(std::move(*taken));
  return llvm::Error::success();
}

/// The results of another program stay, apart.
llvm::Error Sweep::archive(llvm::StringRef why) {
  if (llvm::Error failed = database->finishLog())
    return failed;
  database.reset();
  std::string old;
  for (int number = 1; old.empty() || llvm::sys::fs::exists(old); ++number)
    old = out + "/old-" + std::to_string(number);
  if (std::error_code failed = llvm::sys::fs::create_directory(old))
    return sweep::failure("'" + old + "': " + failed.message());
  for (const char *part : {"/sweep.db", "/points", "/workers", "/slurm"}) {
    if (!llvm::sys::fs::exists(out + part))
      continue;
    if (std::error_code failed = llvm::sys::fs::rename(out + part, old + part))
      return sweep::failure("'" + old + part + "': " + failed.message());
  }
  for (const char *part : {"/points", "/workers"})
    if (std::error_code failed = llvm::sys::fs::create_directories(out + part))
      return sweep::failure("'" + out + part + "': " + failed.message());
  env.err << "sweep: " << why << ": a new table begins; the old one is in '"
          << old << "'\n";
  auto opened = Database::open(out + "/sweep.db", Database::Write);
  if (!opened)
    return opened.takeError();
  database = std::move(*opened);
  return llvm::Error::success();
}

llvm::Error Sweep::openTable() {
  auto opened = Database::open(out + "/sweep.db", Database::Write);
  if (!opened)
    return opened.takeError();
  database = std::move(*opened);
  auto text = database->property("request");
  if (!text)
    return text.takeError();
  if (text->empty())
    return llvm::Error::success();
  auto before = sweep::readRequest(*text);
  if (!before)
    return before.takeError();
  if (before->hash == request.hash || words.isMixed)
    return llvm::Error::success();
  return archive(before->program == request.program
                     ? "the program has changed"
                     : "the table is of another program");
}

/// Points that the table does not have yet; the others keep their rows.
llvm::Error Sweep::addPoints(llvm::ArrayRef<Point> points) {
  auto rows = database->rows();
  if (!rows)
    return rows.takeError();
  llvm::StringMap<bool> known;
  std::vector<Row> changed;
  for (Row &row : *rows) {
    known[row.key] = true;
    bool isOfAnother = !row.isFinished() && row.program != request.hash;
    if (isOfAnother) {
      row.program = request.hash;
      changed.push_back(row);
    }
  }
  auto count = int64_t(rows->size());
  for (const Point &point : points) {
    Row row = rowOf(point, request);
    if (!known.try_emplace(row.key, true).second)
      continue;
    row.number = ++count;
    changed.push_back(std::move(row));
  }
  std::vector<const Row *> pointers;
  for (const Row &row : changed)
    pointers.push_back(&row);
  if (llvm::Error failed = database->write(pointers, {}))
    return failed;
  return database->setProperty("request", textOf(request));
}

//===--- Running ----------------------------------------------------------===//

llvm::Error Sweep::openJournal() {
  auto opened = Journal::open(out, std::move(database), request.retries);
  if (!opened)
    return opened.takeError();
  journal = std::move(*opened);
  if (words.retriesFailed)
    for (const Row &row : journal->ledger.all())
      if (row.state == Row::Failed)
        journal->ledger.reopen(row.number);
  return llvm::Error::success();
}

/// The points record the commit in the files that they save: git is asked once
/// for all of them.
static void askForCommit(const std::string &program) {
  if (chirt_usual_provenance() == CHIRT_PROVENANCE_OFF)
    return;
  launch::GitQuery git(launch::folderOfProgram(program));
  ::setenv("CHI_GIT", git.member().c_str(), /*overwrite=*/0);
}

llvm::Expected<int> Sweep::runPoints(sweep::Progress &progress) {
  if (!request.isExecutable)
    askForCommit(request.program);
  std::string chic = env.host.binaryFolder + "/chic";
  if (request.slurm.isUsed) {
    sweep::SlurmSweep slurm(*journal, request, out, chic, progress);
    slurm.adopt();
    return slurm.run();
  }
  journal->adopt();
  sweep::LocalSweep local(*journal, request, out, chic, *lock, progress);
  return local.run();
}

int Sweep::run() {
  if (llvm::Error failed = openJournal())
    return refuse(std::move(failed));
  auto counts = journal->ledger.count();
  env.err << "sweep: " << counts.total() << " points in '" << out << "'";
  if (int64_t done = counts.states[Row::Done])
    env.err << ", " << done << " of them done before";
  env.err << "\n";
  env.err.flush();
  sweep::Progress progress(env.err, ::isatty(STDERR_FILENO) != 0, counts);
  auto signal = runPoints(progress);
  progress.finish(journal->ledger.count());
  if (!signal)
    return refuse(signal.takeError());
  return finish(*signal);
}

int Sweep::finish(int signal) {
  constexpr int64_t kShown = 5;
  int64_t numFailed = 0;
  for (const Row &row : journal->ledger.all()) {
    if (row.state != Row::Failed || ++numFailed > kShown)
      continue;
    env.err << "point " << row.number << " (" << pointOf(row).text()
            << ") failed: " << row.error << "\n";
  }
  if (numFailed > kShown)
    env.err << "and " << numFailed - kShown
            << " more; chic sweep table shows them\n";
  if (signal) {
    env.err << (request.slurm.isUsed ? "sweep: the jobs go on"
                                     : "sweep: stopped")
            << "; chic sweep --resume "
            << (words.resume.empty() ? words.out : words.resume)
            << " goes on\n";
    return 128 + signal;
  }
  return numFailed ? ExitUser : ExitGood;
}

int chi::driver::runSweep(const SweepWords &words, DriverEnv &env) {
  Sweep sweep(words, env);
  return words.resume.empty() ? sweep.begin() : sweep.resume();
}

int chi::driver::runWorkerOf(const std::string &batch, DriverEnv &env) {
  auto status = sweep::runArrayTask(batch);
  if (status)
    return *status;
  env.err << "chic sweep: " << llvm::toString(status.takeError()) << "\n";
  return ExitWorld;
}
