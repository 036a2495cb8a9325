//===- Facts.h - What a program says of how it was made ---------*- C++ -*-===//
#ifndef CHI_DRIVER_PROVENANCE_FACTS_H
#define CHI_DRIVER_PROVENANCE_FACTS_H

#include "chi/Launch/RunOptions.h"
#include "chi/Source/SourceFiles.h"

namespace chi::driver {

/// A compilation whose program saves files.
struct MakingFacts {
  const SourceFiles &sources; ///< all that were read; the first is the program
  const launch::CompileOptions &options;
  llvm::StringRef verb;       ///< "run" or "build"
  llvm::StringRef specialize; ///< of a run: needed | all | none
  /// Of a build: the params that are fixed ("n=4"), and the member for the
  /// commit (GitQuery).
  llvm::ArrayRef<std::string> defines;
  std::string git;
};

/// The members of a JSON object, without its braces, for the records of the
/// files that the program saves (docs/provenance.md): the program, the version,
/// and the options that are not the usual ones.
std::string membersOf(const MakingFacts &facts);

/// The hash, in hexadecimal digits, of the texts of a program and of all that
/// it imports.
std::string hashOfTexts(const SourceFiles &sources);

} // namespace chi::driver
#endif // CHI_DRIVER_PROVENANCE_FACTS_H
