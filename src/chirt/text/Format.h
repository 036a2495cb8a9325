//===- Format.h - Python's format mini-language -----------------*- C++ -*-===//
#ifndef CHIRT_TEXT_FORMAT_H
#define CHIRT_TEXT_FORMAT_H

#include "chirt/chirt.h"
#include "chirt/text/Text.h"

namespace chirt {

/// [[fill]align][sign][#][0][width][,|_][.precision][type]
struct FormatSpec {
  char fill[5] = " "; ///< one code point
  char align = 0;     ///< < > = ^, or 0: the type's own
  char sign = '-';
  bool isAlternate = false;
  int width = 0;
  char grouping = 0;
  int precision = -1;
  char type = 0;
  bool isComplex = false; ///< two floats are one number; `j` at the end
};

/// Reads a format text; returns false if it is none. Widths and precisions are
/// limited to 1000.
bool parseFormatSpec(const char *text, FormatSpec &spec);

/// A float; without a type the shortest text that reads back in the precision
/// of `dtype` (f16, f32, f64), as Python's repr writes it.
void formatFloat(Text &out, double value, int32_t dtype,
                 const FormatSpec &spec);
/// An integer of sign and magnitude.
void formatInteger(Text &out, bool isNegative, uint64_t magnitude,
                   const FormatSpec &spec);
/// A bool: `True` or `False`, or as an integer if the type says so.
void formatBool(Text &out, bool value, const FormatSpec &spec);
/// A text, cut to the precision.
void formatText(Text &out, std::string_view text, const FormatSpec &spec);
/// A complex number as Python writes it: `(1+2j)`, `2j`.
void formatComplex(Text &out, double real, double imaginary, int32_t dtype,
                   const FormatSpec &spec);
/// The scalar of type `dtype` at `memory`.
void formatScalar(Text &out, int32_t dtype, const void *memory,
                  const FormatSpec &spec);
/// A scalar, vec or mat (`rank` 0 to 2) of rows * columns scalars: `[1, 2]`.
void formatValue(Text &out, int32_t dtype, int32_t rank, int32_t rows,
                 int32_t columns, const void *memory, const FormatSpec &spec);

} // namespace chirt
#endif // CHIRT_TEXT_FORMAT_H
