//===- NpyHeader.h - Headers of NumPy's array files -------------*- C++ -*-===//
// Format: numpy.lib.format, versions 1 to 3.
#ifndef CHIRT_IO_NPYHEADER_H
#define CHIRT_IO_NPYHEADER_H

#include "chirt/io/Streams.h"
#include "chirt/text/Text.h"
#include <cstdint>

namespace chirt {

/// What the header of an array says.
struct NpyHeader {
  /// Of its numbers, or -1: a type that Chi does not have.
  int32_t dtype = -1;
  /// Of complex numbers: those of `dtype` in pairs, which are the last axis.
  bool isComplex = false;
  /// Code points (`<U5`) or bytes (`|S5`) of a text, or -1: it holds none.
  int64_t textLength = -1;
  Text descr;             ///< the text of the type, printable
  bool isUnicode = false; ///< of a text: code points of 4 bytes
  bool isBigEndian = false, isFortran = false;
  int axes = 0;
  int64_t extents[32];

  /// Bytes of one value of the array. It is of a known type, or a text.
  int64_t valueBytes() const;
  /// Bytes of all values, or -1 if they cannot be counted.
  int64_t bytes() const;
};

/// The type of numbers as NumPy writes it: "|b1", "<f4"; of complex numbers of
/// two such floats "<c8".
void appendNpyType(Text &out, int32_t dtype, bool isComplex = false);
/// Appends the header of an array of values of the type `descr`, row-major.
void makeNpyHeader(Text &out, std::string_view descr, int axes,
                   const int64_t *extents);
/// Reads a header. False if it is none.
bool readNpyHeader(const ByteSource &source, NpyHeader &header);

} // namespace chirt
#endif // CHIRT_IO_NPYHEADER_H
