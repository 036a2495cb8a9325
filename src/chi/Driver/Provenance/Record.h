//===- Record.h - The record of a file, as people read it -------*- C++ -*-===//
#ifndef CHI_DRIVER_PROVENANCE_RECORD_H
#define CHI_DRIVER_PROVENANCE_RECORD_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace chi::driver {

/// How a file was made.
class FileRecord {
public:
  /// Reads it from a file. Fails with a sentence; `isMissing` says whether the
  /// file can be read and has no record that can be.
  static llvm::Expected<FileRecord> read(const std::string &path,
                                         bool &isMissing);

  /// A text of the record, "" if there is none.
  llvm::StringRef text(llvm::StringRef name) const;
  /// Of the object with the time, the host and the folder.
  llvm::StringRef made(llvm::StringRef name) const;
  /// Whether the program was an executable of `chic build`.
  bool isOfExecutable() const { return text("verb") == "build"; }
  /// What the state of the run came from that the record does not describe
  /// ("dt"), if it went on from a checkpoint of another run; else "".
  std::string otherState() const;
  /// The names of the params.
  std::vector<std::string> params() const;
  /// The folders of -I.
  std::vector<std::string> includeDirs() const;

  /// The words of the commands that make the file again, where the program is
  /// `program`. Of an executable: `chic build`, which writes `executable`, then
  /// the executable itself; else one command, of `chic run`.
  std::vector<std::vector<std::string>>
  commands(llvm::StringRef program, llvm::StringRef executable) const;

  /// Prints the record and the commands for a shell. Control characters, which
  /// a file may hold for a terminal, are printed as `?`.
  void print(llvm::raw_ostream &out) const;
  /// Prints the record as JSON, with the commands.
  void printJson(llvm::raw_ostream &out) const;

private:
  void printLines(llvm::raw_ostream &out) const;
  void printParams(llvm::raw_ostream &out) const;
  void printCommit(llvm::raw_ostream &out) const;
  std::vector<std::string> shellLines() const;
  void addOptions(std::vector<std::string> &words) const;
  void addRunWords(std::vector<std::string> &words) const;

  llvm::json::Object record;
};

/// A word as a shell takes it.
std::string shellWord(llvm::StringRef word);

} // namespace chi::driver
#endif // CHI_DRIVER_PROVENANCE_RECORD_H
