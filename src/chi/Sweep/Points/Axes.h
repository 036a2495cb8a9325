//===- Axes.h - What --over varies ------------------------------*- C++ -*-===//
#ifndef CHI_SWEEP_POINTS_AXES_H
#define CHI_SWEEP_POINTS_AXES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace chi::sweep {

/// Values that vary together: of one name, or of several columns of a file.
struct Axis {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows; ///< of each a value for each name
};

/// A param that --sample draws.
struct Distribution {
  enum Kind { Uniform, LogUniform, Choice } kind = Uniform;
  std::string name;
  double low = 0, high = 0;
  std::vector<std::string> choices;
};

/// All of --over.
struct Space {
  std::vector<Axis> axes;
  std::vector<Distribution> sampled;
};

/// The text of a file, or an error.
using FileReader =
    llvm::function_ref<llvm::Expected<std::string>(llvm::StringRef path)>;

/// Adds one --over to the space: `NAME=LIST` or `@file.csv`. LIST is `a,b,c`,
/// `lo..hi[..step]`, `lin(lo,hi,count)`, `log(lo,hi,count)`, `@file.csv`, or a
/// distribution: `uniform(lo,hi)`, `loguniform(lo,hi)`, `choice(a,b)`. The
/// error names the param and what is wrong with the list.
llvm::Error addOver(llvm::StringRef text, FileReader read, Space &space);

} // namespace chi::sweep
#endif // CHI_SWEEP_POINTS_AXES_H
