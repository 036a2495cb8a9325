//===- FieldDescription.cpp - Types of fields as text ---------------------===//
#include "chirt/field/FieldDescription.h"

namespace chirt {

void appendDescription(Text &out, const chirt_field *field) {
  out << dtypeName(field->dtype);
  if (field->element_rank > 0)
    out << ':' << field->rows;
  if (field->element_rank > 1)
    out << 'x' << field->columns;
  if (field->is_soa)
    out << ";soa";
  if (!isInLogicalOrder(field)) {
    out << ";order=";
    for (int k = 0; k < field->rank; ++k)
      out << (k ? "," : "") << field->order[k];
  }
  if (field->is_complex)
    out << ";complex";
  if (field->has_grad)
    out << ";grad";
  if (field->has_dual)
    out << ";dual";
}

} // namespace chirt
