//===- Main.h - The thin `chic` ---------------------------------*- C++ -*-===//
#ifndef CHI_LAUNCH_MAIN_H
#define CHI_LAUNCH_MAIN_H

namespace chi::launch {

/// All of `chic`: runs cached programs by itself and loads the compiler library
/// for everything else. Returns the exit status.
int main(int argc, const char *const *argv);

} // namespace chi::launch
#endif // CHI_LAUNCH_MAIN_H
