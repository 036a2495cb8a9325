//===- NativeMath.h - Whose elementary functions --math takes ---*- C++ -*-===//
#ifndef CHI_LAUNCH_NATIVEMATH_H
#define CHI_LAUNCH_NATIVEMATH_H

#include "chi/Launch/RunOptions.h"

namespace chi::launch {

/// NVIDIA's library of elementary functions, as LLVM bitcode: of the toolkit
/// that CUDA_HOME or CUDA_PATH names, else of the one that nvcc on the PATH is
/// of, else where toolkits are installed. "" if there is none.
std::string findLibdevice();

/// Looks for the functions that `--math=native` asks for; that there are none
/// is told once a program needs one. False, told, if `target` ("cpu") has none
/// that could be asked for, or `--float=strict` excludes them.
bool takeNativeMath(CompileOptions &options, std::string_view target);

} // namespace chi::launch
#endif // CHI_LAUNCH_NATIVEMATH_H
