//===- Str.h - The strs that programs make ----------------------*- C++ -*-===//
// A str is the address of its text. Those that are made at run time are counted
// (chirt_str_retain, chirt_str_release); a table says which these are, so that
// literals, which live as long as the program, need nothing beside their text.
#ifndef CHIRT_TEXT_STR_H
#define CHIRT_TEXT_STR_H

#include <cstddef>
#include <string_view>

namespace chirt {

/// A str of that text, with one reference.
const char *makeStr(std::string_view text);

/// How many strs that were made are alive.
size_t numLivingStrs();

} // namespace chirt
#endif // CHIRT_TEXT_STR_H
