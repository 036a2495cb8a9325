//===- FieldText.cpp - print(x): a field as text --------------------------===//
#include "chirt/failure/Gather.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Field.h"
#include "chirt/text/Format.h"

namespace chirt {

namespace {
constexpr int64_t allUpTo = 1000; ///< elements; larger fields are abridged
constexpr int64_t edge = 3;       ///< entries shown at either end of an axis

/// Writes a field row by row, as NumPy writes arrays.
struct FieldPrinter {
  Text &out;
  const chirt_field *field;
  bool isAbridged;
  int64_t stride[CHIRT_MAX_RANK];

  void element(int64_t storage) {
    int components = componentsOf(field);
    const char *data = hostCopy(field);
    if (field->is_complex) {
      auto part = [&](int c) {
        return scalarAsDouble(field->dtype,
                              data + scalarOffset(field, storage, c));
      };
      return formatComplex(out, part(0), part(1), field->dtype, FormatSpec());
    }
    if (field->element_rank > 0)
      out << (field->element_rank == 2 ? "[[" : "[");
    for (int c = 0; c < components; ++c) {
      if (c)
        out << (field->element_rank == 2 && c % field->columns == 0 ? "], ["
                                                                    : ", ");
      formatScalar(out, field->dtype, data + scalarOffset(field, storage, c),
                   FormatSpec());
    }
    if (field->element_rank > 0)
      out << (field->element_rank == 2 ? "]]" : "]");
  }

  void separator(int axis) {
    int below = field->rank - 1 - axis;
    if (below == 0) {
      out << ", ";
      return;
    }
    out << ',';
    out.fill('\n', size_t(below));
    out.fill(' ', size_t(axis + 1));
  }

  void axis(int k, int64_t storage) {
    if (k == field->rank)
      return element(storage);
    out << '[';
    int64_t extent = field->extents[k];
    for (int64_t i = 0; i < extent; ++i) {
      if (i)
        separator(k);
      if (isAbridged && i == edge && extent > 2 * edge) {
        out << "...";
        i = extent - edge - 1;
        continue;
      }
      axis(k + 1, storage + i * stride[k]);
    }
    out << ']';
  }
};
} // namespace

} // namespace chirt

using namespace chirt;

void chirt_fmt_field(const chirt_field *field) {
  FieldPrinter printer{gatheredText(), field, field->elements > allUpTo, {}};
  storageSteps(field, printer.stride);
  printer.axis(0, 0);
}
