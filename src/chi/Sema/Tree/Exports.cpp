//===- Exports.cpp --------------------------------------------------------===//
#include "chi/Sema/Tree/Exports.h"

using namespace chi;
using namespace chi::sema;

std::string chi::sema::cType(TypeRef scalar) {
  if (scalar->isBool())
    return "uint8_t";
  if (scalar->isInt())
    return (scalar->isSigned ? "int" : "uint") + std::to_string(scalar->bits) +
           "_t";
  if (!scalar->isFloat())
    return "";
  return scalar->bits == 32 ? "float" : scalar->bits == 64 ? "double" : "";
}

static std::string refused(const std::string &what, TypeRef type) {
  return what + " is `" + type->str() + "`, which has no type in C";
}

std::string chi::sema::problemForC(const Function &function) {
  // Of a call in the run time (chirt/program/Library.cpp).
  constexpr int64_t kMaxResults = 16, kMaxArguments = 1024;
  constexpr int64_t kMaxFields = 32;
  TypeRef result = function.result;
  std::vector<TypeRef> members;
  if (result && !result->isVoid())
    members = result->isTuple() ? result->members : std::vector{result};
  int64_t numResults = 0, numArguments = 0, numFields = 0;
  for (TypeRef member : members) {
    TypeRef scalar = member->scalarOrNull();
    if (!scalar || cType(scalar).empty() || member->isField() ||
        member->isArray() || member->isTuple())
      return refused("a result", member);
    numResults += member->numScalars();
  }
  if (numResults > kMaxResults)
    return "it returns " + std::to_string(numResults) + " numbers; C takes " +
           std::to_string(kMaxResults);
  for (const Variable *parameter : function.params) {
    TypeRef type = parameter->type, scalar = type->scalarOrNull();
    if (!scalar || type->isStr() || type->isTuple() || type->isArray() ||
        cType(scalar).empty())
      return refused("`" + parameter->name + "`", type);
    numFields += type->isField();
    numArguments += type->isField() ? 1 : type->numScalars();
  }
  if (numFields > kMaxFields || numArguments > kMaxArguments)
    return "it has more than " + std::to_string(kMaxFields) + " fields or " +
           std::to_string(kMaxArguments) + " numbers as parameters";
  return "";
}

bool chi::sema::isForC(const Program &program, const Function &function) {
  if (function.isKernel)
    return true;
  if (&function == program.script || function.name == "main" ||
      function.name.find('.') != std::string::npos)
    return false;
  for (const TestBlock &test : program.tests)
    if (test.function == &function)
      return false;
  return problemForC(function).empty();
}
