//===- Description.cpp - Types as the run time reads them -----------------===//
#include "chi/Driver/Library/Description.h"

#include "llvm/ADT/STLExtras.h"

using namespace chi;
using namespace chi::driver;

std::string chi::driver::elementDescription(sema::TypeRef element) {
  std::string text = element->scalar()->str();
  if (element->isAggregate())
    text += ":" + std::to_string(element->shape[0]);
  if (element->isMat())
    text += "x" + std::to_string(element->shape[1]);
  return text;
}

std::string chi::driver::fieldDescription(sema::TypeRef field) {
  std::string text = elementDescription(field->element);
  if (field->layout == sema::Layout::SoA)
    text += ";soa";
  for (auto [k, axis] : llvm::enumerate(field->order))
    text += (k ? "," : ";order=") + std::to_string(axis);
  return text;
}
