//===- Kind.h - What a file holds -------------------------------*- C++ -*-===//
#ifndef CHIRT_INSPECT_KIND_H
#define CHIRT_INSPECT_KIND_H

#include "chirt/io/File.h"

namespace chirt {

/// The formats that have a record.
enum class FileContent { Npy, Npz, Png, Other };

/// The format that the first bytes of a file tell. What `read` gives next
/// stays.
FileContent contentOf(OpenFile &file);

} // namespace chirt
#endif // CHIRT_INSPECT_KIND_H
