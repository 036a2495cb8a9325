//===- FormatCheck.h - The formatter keeps what a text says -----*- C++ -*-===//
#ifndef CHI_TEST_FUZZ_FORMATCHECK_H
#define CHI_TEST_FUZZ_FORMATCHECK_H

#include <string>

namespace chi::fuzz {

/// False if formatting a text that parses fails, loses or changes a token or a
/// comment, or changes something when it is done again.
bool keepsFormat(const std::string &text);

} // namespace chi::fuzz
#endif // CHI_TEST_FUZZ_FORMATCHECK_H
