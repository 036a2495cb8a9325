//===- Formats.h - The kinds of files ---------------------------*- C++ -*-===//
#ifndef CHIRT_IO_FORMATS_H
#define CHIRT_IO_FORMATS_H

#include "chirt/field/Field.h"
#include "chirt/io/File.h"

namespace chirt {

/// Writers and readers fail at `site`; they return false or null then. A file
/// that cannot be read or is malformed is the world's fault; one that holds
/// another type or rank than asked for, the program's.
bool saveNpy(const chirt_site *site, const char *path,
             const chirt_field *field);
/// `isCast`: numbers of another type are converted.
chirt_field *loadNpy(const chirt_site *site, const char *path,
                     const FieldType &type, int rank, bool isCast);
/// `isXY`: first index right, second up; else first down, second right.
bool savePng(const chirt_site *site, const char *path, const chirt_field *field,
             bool isXY);
chirt_field *loadPng(const chirt_site *site, const char *path,
                     const FieldType &type, int rank);

} // namespace chirt
#endif // CHIRT_IO_FORMATS_H
