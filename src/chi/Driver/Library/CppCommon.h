//===- CppCommon.h - What the C++ headers of all libraries share *- C++ -*-===//
#ifndef CHI_DRIVER_LIBRARY_CPPCOMMON_H
#define CHI_DRIVER_LIBRARY_CPPCOMMON_H

namespace chi::driver {

/// `chi::Error`, `Half`, `Vec`, `Mat`, `View` and `Field`, for those who use a
/// library. The common part begins with them.
extern const char *const kCppTypes;
/// How the functions of a library are called (chirt_operator_invoke), behind
/// the types; with the end of the common part.
extern const char *const kCppCalls;

} // namespace chi::driver
#endif // CHI_DRIVER_LIBRARY_CPPCOMMON_H
