//===- Formats.h - The kinds of files ---------------------------*- C++ -*-===//
#ifndef CHIRT_IO_FORMATS_H
#define CHIRT_IO_FORMATS_H

#include "chirt/field/Field.h"
#include "chirt/io/File.h"

namespace chirt {

// Writers and readers fail at `site`; they return false or null then. A file
// that cannot be read or is malformed is the world's fault; one that holds
// another type or rank than asked for, the program's.
/// Writes a field of any type as a NumPy array: its axes, then those of a vec
/// or mat, row-major.
bool saveNpy(const chirt_site *site, const char *path,
             const chirt_field *field);
/// Reads a NumPy array into a new field of `rank` axes. `isCast`: numbers of
/// another type are converted.
chirt_field *loadNpy(const chirt_site *site, const char *path,
                     const FieldType &type, int rank, bool isCast);
/// Writes a field of 2 axes as a picture; its elements are scalars, vec3 or
/// vec4 of floats (0 to 1), u8, u16 or bool. u16 takes 16 bits a sample, others
/// 8. `isXY`: first index right, second up; else first down, second right.
bool savePng(const chirt_site *site, const char *path, const chirt_field *field,
             bool isXY);
/// Reads a picture into a new field of shape (height, width), of the elements
/// that savePng takes: samples and channels are converted to `type`, for floats
/// to 0 to 1.
chirt_field *loadPng(const chirt_site *site, const char *path,
                     const FieldType &type, int rank);

} // namespace chirt
#endif // CHIRT_IO_FORMATS_H
