//===- Database.h - The table of a sweep as a file --------------*- C++ -*-===//
// OUT/sweep.db, SQLite in WAL mode. The controlling process is the only one
// that writes it; others read it at any time.
//
#ifndef CHI_SWEEP_STORE_DATABASE_H
#define CHI_SWEEP_STORE_DATABASE_H

#include "chi/Sweep/Store/Ledger.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <memory>

struct sqlite3;

namespace chi::sweep {

class Database {
public:
  enum Access { Read, Write };
  /// Opens the file; `Write` makes it and its tables if they are not there.
  /// Fails if it is no table of a sweep, or of a later version.
  static llvm::Expected<std::unique_ptr<Database>> open(const std::string &path,
                                                        Access access);
  ~Database();

  /// A property of the sweep: "request", "program". "" if it is not set.
  llvm::Expected<std::string> property(llvm::StringRef name);
  /// Sets it.
  llvm::Error setProperty(llvm::StringRef name, llvm::StringRef value);

  /// All points, by their numbers.
  llvm::Expected<std::vector<Row>> rows();
  /// How much of each file of lines is in the table: name and bytes.
  llvm::Expected<std::vector<std::pair<std::string, int64_t>>> offsets();

  /// Writes rows and offsets in one transaction: both or none.
  llvm::Error write(llvm::ArrayRef<const Row *> changed,
                    llvm::ArrayRef<std::pair<std::string, int64_t>> offsets);
  /// Moves all of the log into the file, so that it can be renamed.
  llvm::Error finishLog();

private:
  Database(sqlite3 *database, std::string path)
      : database(database), path(std::move(path)) {}
  llvm::Error prepare(Access access);
  llvm::Error execute(const char *sql);
  llvm::Error error() const;

  sqlite3 *database;
  std::string path;
};

} // namespace chi::sweep
#endif // CHI_SWEEP_STORE_DATABASE_H
