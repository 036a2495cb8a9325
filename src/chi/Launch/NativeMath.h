//===- NativeMath.h - Whose elementary functions --math takes ---*- C++ -*-===//
#ifndef CHI_LAUNCH_NATIVEMATH_H
#define CHI_LAUNCH_NATIVEMATH_H

#include "chi/Launch/RunOptions.h"

namespace chi::launch {

/// NVIDIA's library of elementary functions, as LLVM bitcode: of the toolkit
/// that CUDA_HOME or CUDA_PATH names, else of the one that nvcc on the PATH is
/// of, else where toolkits are installed. "" if there is none.
std::string findLibdevice();

/// Finds the functions that `--math=native` selects; if there are none, this is
/// reported when a program needs one. False, after a report, if `target`
/// ("cpu") has no such functions, or `--float=strict` excludes them.
bool takeNativeMath(CompileOptions &options, std::string_view target);

} // namespace chi::launch
#endif // CHI_LAUNCH_NATIVEMATH_H
