//===- Arguments.h - What a command line leaves to the program --*- C++ -*-===//
#ifndef CHIRT_CONTAINERS_ARGUMENTS_H
#define CHIRT_CONTAINERS_ARGUMENTS_H

#include <cstdint>

namespace chirt {

/// chirt_arguments gives these from now on. They live as long as the process.
void setArguments(int32_t count, const char *const *words);

} // namespace chirt
#endif // CHIRT_CONTAINERS_ARGUMENTS_H
