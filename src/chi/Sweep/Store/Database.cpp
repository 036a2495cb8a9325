//===- Database.cpp - The table of a sweep as a file ----------------------===//
#include "chi/Sweep/Store/Database.h"
#include "chi/Sweep/Points/Failure.h"
#include "chi/Sweep/Store/Statement.h"
#include <sqlite3.h>

using namespace chi;
using namespace chi::sweep;

static constexpr int kVersion = 1;

static constexpr char kSchema[] = R"(
CREATE TABLE IF NOT EXISTS properties (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS points (
  point INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  params TEXT NOT NULL,
  program TEXT NOT NULL,
  seed INTEGER NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  losses INTEGER NOT NULL,
  checkpoint INTEGER NOT NULL,
  host TEXT NOT NULL,
  started REAL NOT NULL,
  seconds REAL NOT NULL,
  exit INTEGER NOT NULL,
  signal INTEGER NOT NULL,
  report TEXT NOT NULL,
  error TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS lines (file TEXT PRIMARY KEY, bytes INTEGER);
)";

llvm::Error Database::error() const { return databaseError(database, path); }

llvm::Error Database::execute(const char *sql) {
  if (sqlite3_exec(database, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    return error();
  return llvm::Error::success();
}

llvm::Error Database::prepare(Access access) {
  // Readers wait while the log is moved into the file.
  sqlite3_busy_timeout(database, 10000);
  int64_t version = 0;
  {
    Statement query(database, "PRAGMA user_version");
    if (query.step())
      version = query.integer(0);
    if (!query.isGood())
      return error();
  }
  bool isKnown = version == kVersion || (version == 0 && access == Write);
  if (!isKnown)
    return failure("'" + path + "' is no table of a sweep that this version " +
                   "of chic reads");
  if (access == Read)
    return llvm::Error::success();
  // A lost power supply may cost the last lines, never the file; the lines are
  // in the files of the workers, too.
  if (llvm::Error failed = execute("PRAGMA journal_mode=WAL;"
                                   "PRAGMA synchronous=NORMAL;"))
    return failed;
  if (llvm::Error failed = execute(kSchema))
    return failed;
  return execute(("PRAGMA user_version=" + std::to_string(kVersion)).c_str());
}

llvm::Expected<std::unique_ptr<Database>>
Database::open(const std::string &path, Access access) {
  sqlite3 *handle = nullptr;
  int flags = access == Write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                              : SQLITE_OPEN_READWRITE;
  int result = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  // A table in a folder that is read-only for this user.
  if (result != SQLITE_OK && access == Read) {
    sqlite3_close(handle);
    result =
        sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr);
  }
  std::unique_ptr<Database> opened(new Database(handle, path));
  if (result != SQLITE_OK)
    return opened->error();
  if (llvm::Error failed = opened->prepare(access))
    return failed;
  return opened;
}

Database::~Database() { sqlite3_close(database); }

llvm::Expected<std::string> Database::property(llvm::StringRef name) {
  Statement query(database, "SELECT value FROM properties WHERE name=?");
  query.bind(name);
  std::string value = query.step() ? query.text(0) : "";
  if (!query.isGood())
    return error();
  return value;
}

llvm::Error Database::setProperty(llvm::StringRef name, llvm::StringRef value) {
  Statement change(database, "INSERT OR REPLACE INTO properties VALUES (?, ?)");
  if (!change.bind(name).bind(value).run())
    return error();
  return llvm::Error::success();
}

static Row::State stateOf(llvm::StringRef name) {
  for (auto state : {Row::Pending, Row::Running, Row::Done})
    if (stateName(state) == name)
      return state;
  return Row::Failed;
}

llvm::Expected<std::vector<Row>> Database::rows() {
  Statement query(database,
                  "SELECT point, key, params, program, seed, state, attempts, "
                  "losses, checkpoint, host, started, seconds, exit, signal, "
                  "report, error FROM points ORDER BY point");
  std::vector<Row> rows;
  while (query.step()) {
    Row &row = rows.emplace_back();
    row.number = query.integer(0);
    row.key = query.text(1);
    row.params = query.text(2);
    row.program = query.text(3);
    row.seed = uint64_t(query.integer(4));
    row.state = stateOf(query.text(5));
    row.attempts = int(query.integer(6));
    row.losses = int(query.integer(7));
    row.hasCheckpoint = query.integer(8) != 0;
    row.host = query.text(9);
    row.started = query.real(10);
    row.seconds = query.real(11);
    row.exit = int(query.integer(12));
    row.signal = int(query.integer(13));
    row.report = query.text(14);
    row.error = query.text(15);
    if (row.number != int64_t(rows.size()))
      return failure("'" + path + "': point " + llvm::Twine(rows.size()) +
                     " is missing");
  }
  if (!query.isGood())
    return error();
  return rows;
}

llvm::Expected<std::vector<std::pair<std::string, int64_t>>>
Database::offsets() {
  Statement query(database, "SELECT file, bytes FROM lines");
  std::vector<std::pair<std::string, int64_t>> offsets;
  while (query.step())
    offsets.emplace_back(query.text(0), query.integer(1));
  if (!query.isGood())
    return error();
  return offsets;
}

static bool writeRow(Statement &change, const Row &row) {
  return change.bind(row.number)
      .bind(row.key)
      .bind(row.params)
      .bind(row.program)
      .bind(int64_t(row.seed))
      .bind(stateName(row.state))
      .bind(int64_t(row.attempts))
      .bind(int64_t(row.losses))
      .bind(int64_t(row.hasCheckpoint))
      .bind(row.host)
      .bind(row.started)
      .bind(row.seconds)
      .bind(int64_t(row.exit))
      .bind(int64_t(row.signal))
      .bind(row.report)
      .bind(row.error)
      .run();
}

llvm::Error
Database::write(llvm::ArrayRef<const Row *> changed,
                llvm::ArrayRef<std::pair<std::string, int64_t>> offsets) {
  if (changed.empty() && offsets.empty())
    return llvm::Error::success();
  if (llvm::Error failed = execute("BEGIN IMMEDIATE"))
    return failed;
  bool isGood = true;
  {
    Statement change(database,
                     "INSERT OR REPLACE INTO points VALUES "
                     "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const Row *row : changed)
      isGood = isGood && writeRow(change, *row);
    Statement move(database, "INSERT OR REPLACE INTO lines VALUES (?, ?)");
    for (const auto &[file, bytes] : offsets)
      isGood = isGood && move.bind(file).bind(bytes).run();
  }
  if (isGood)
    return execute("COMMIT");
  llvm::Error failed = error();
  llvm::consumeError(execute("ROLLBACK"));
  return failed;
}

llvm::Error Database::finishLog() {
  return execute("PRAGMA wal_checkpoint(TRUNCATE)");
}
