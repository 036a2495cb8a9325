//===- Members.cpp - The members that values have -------------------------===//
#include "chi/Sema/Builtins/Members.h"
#include "chi/Sema/Builtins/ObjectMembers.h"

using namespace chi;
using namespace chi::sema;

static constexpr MethodFacts kMethods[] = {
    {"norm", Method::Norm, MethodFacts::Vec, MethodFacts::Eps},
    {"norm_sqr", Method::NormSqr, MethodFacts::Either, MethodFacts::Nothing},
    {"normalized", Method::Normalized, MethodFacts::Vec, MethodFacts::Eps},
    {"dot", Method::Dot, MethodFacts::Vec, MethodFacts::One},
    {"cross", Method::Cross, MethodFacts::Vec, MethodFacts::One},
    {"outer", Method::Outer, MethodFacts::Vec, MethodFacts::One},
    {"transpose", Method::Transpose, MethodFacts::Mat, MethodFacts::Nothing},
    {"determinant", Method::Determinant, MethodFacts::SquareMat,
     MethodFacts::Nothing},
    {"trace", Method::Trace, MethodFacts::SquareMat, MethodFacts::Nothing},
    {"inverse", Method::Inverse, MethodFacts::SquareMat, MethodFacts::Nothing},
    {"sum", Method::Sum, MethodFacts::Either, MethodFacts::Nothing},
    {"prod", Method::Product, MethodFacts::Either, MethodFacts::Nothing},
    {"min", Method::Min, MethodFacts::Either, MethodFacts::Nothing},
    {"max", Method::Max, MethodFacts::Either, MethodFacts::Nothing},
    {"any", Method::Any, MethodFacts::Either, MethodFacts::Nothing},
    {"all", Method::All, MethodFacts::Either, MethodFacts::Nothing},
    {"col", Method::Column, MethodFacts::Mat, MethodFacts::One}};

const MethodFacts *sema::findMethod(llvm::StringRef name, TypeRef type) {
  for (const MethodFacts &facts : kMethods)
    if (facts.name == name && facts.isOn(type))
      return &facts;
  return nullptr;
}

static constexpr FieldMethod kFieldMethods[] = {
    {"fill", HostOp::FieldFill, 1},     {"copy_from", HostOp::FieldCopy, 1},
    {"sum", HostOp::FieldSum, 0},       {"mean", HostOp::FieldSum, 0},
    {"min", HostOp::FieldMin, 0},       {"max", HostOp::FieldMax, 0},
    {"argmin", HostOp::FieldArgMin, 0}, {"argmax", HostOp::FieldArgMax, 0},
    {"dot", HostOp::FieldDot, 1}};

const FieldMethod *sema::findFieldMethod(llvm::StringRef name) {
  for (const FieldMethod &known : kFieldMethods)
    if (known.name == name)
      return &known;
  return nullptr;
}

std::vector<llvm::StringRef> sema::membersOf(TypeRef type) {
  std::vector<llvm::StringRef> names;
  if (type->isField()) {
    names.push_back("shape");
    for (const FieldMethod &known : kFieldMethods)
      names.push_back(known.name);
    return names;
  }
  if (type->isRef())
    return {type->memberNames.begin(), type->memberNames.end()};
  if (type->isStr() || type->isObject())
    return objectMembers(type);
  for (const MethodFacts &facts : kMethods)
    if (facts.isOn(type))
      names.push_back(facts.name);
  return names;
}

std::optional<bool> sema::methodTakes(TypeRef type, llvm::StringRef name) {
  if (type->isField()) {
    if (const FieldMethod *known = findFieldMethod(name))
      return known->arity == 1;
    return std::nullopt;
  }
  const MethodFacts *facts = findMethod(name, type);
  if (!facts)
    return std::nullopt;
  return facts->takes == MethodFacts::One;
}

std::vector<unsigned> sema::swizzle(llvm::StringRef name, int64_t size) {
  std::vector<unsigned> components;
  for (llvm::StringRef letters : {"xyzw", "rgba", "stpq"}) {
    components.clear();
    for (char letter : name) {
      size_t k = letters.find(letter);
      if (k == llvm::StringRef::npos || int64_t(k) >= size)
        break;
      components.push_back(k);
    }
    if (components.size() == name.size() && name.size() <= 4)
      return components;
  }
  return {};
}
