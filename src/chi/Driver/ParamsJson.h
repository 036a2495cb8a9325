//===- ParamsJson.h - Params for other programs -----------------*- C++ -*-===//
#ifndef CHI_DRIVER_PARAMSJSON_H
#define CHI_DRIVER_PARAMSJSON_H

#include "chi/Sema/Program/Sema.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace chi::driver {

/// The array of `chic params --json`: bounds and choices are numbers where the
/// param is one, and they are literals; else texts as written.
void printParamsJson(llvm::ArrayRef<sema::ParamSummary> params,
                     llvm::raw_ostream &out);

/// Reads such an array. Ranges of the source are not known.
llvm::Expected<std::vector<sema::ParamSummary>>
readParamSummaries(llvm::StringRef json);

/// Whether a file of this content is run by itself: machine code, or a script
/// that names its interpreter.
bool isExecutable(llvm::StringRef content);

/// What `EXE --params-json` prints. Fails if it cannot be run, or prints
/// something else.
llvm::Expected<std::string> paramsOfExecutable(const std::string &path);

} // namespace chi::driver
#endif // CHI_DRIVER_PARAMSJSON_H
