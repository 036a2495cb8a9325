//===- Redirect.h - Files of runs that leave no trace -----------*- C++ -*-===//
// `chic provenance --check` runs a program again, which must not replace the
// results of earlier runs: CHI_SAVE_UNDER in the environment names a folder
// below which all files go that the program writes. What it reads is there if
// it was written there, and else where it names it.
#ifndef CHIRT_PROVENANCE_REDIRECT_H
#define CHIRT_PROVENANCE_REDIRECT_H

#include "chirt/text/Text.h"

namespace chirt {

/// Where the file goes that a program writes as `path`; `redirected` holds the
/// text if that is elsewhere. Makes the folders below CHI_SAVE_UNDER.
const char *placeToWrite(const char *path, Text &redirected);
/// Where the file is that a program reads as `path`.
const char *placeToRead(const char *path, Text &redirected);

/// Appends `path` below a folder: its absolute path without `.` and `..`, whose
/// links are not followed.
void appendBelow(Text &out, std::string_view folder, const char *path);

} // namespace chirt
#endif // CHIRT_PROVENANCE_REDIRECT_H
