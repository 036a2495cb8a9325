//===- Exports.cpp --------------------------------------------------------===//
#include "chi/Sema/Tree/Exports.h"

#include "llvm/ADT/StringExtras.h"

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

static std::string refused(const std::string &what, TypeRef type,
                           const char *where) {
  return what + " is `" + type->str() + "`, which has no type in " + where;
}

// Of a call in the run time (chirt/program/Library.cpp, chirt/operators).
static constexpr int64_t kMaxResults = 16, kMaxArguments = 1024;
static constexpr int64_t kMaxFields = 32;

std::vector<TypeRef> chi::sema::resultsOf(const Function &function) {
  TypeRef result = function.result;
  if (!result || result->isVoid())
    return {};
  return result->isTuple() ? result->members : std::vector{result};
}

/// Why there are too many numbers for a call; "" if there are not.
static std::string problemOfCounts(const Function &function) {
  int64_t numResults = 0, numArguments = 0, numFields = 0;
  for (TypeRef member : resultsOf(function))
    numResults += member->isField() ? 1 : member->numScalars();
  if (numResults > kMaxResults)
    return "it returns " + std::to_string(numResults) +
           " numbers; a library takes " + std::to_string(kMaxResults);
  for (const Variable *parameter : function.params) {
    TypeRef type = parameter->type;
    numFields += type->isField();
    numArguments += type->isField() ? 1 : type->numScalars();
  }
  if (numFields > kMaxFields || numArguments > kMaxArguments)
    return "it has more than " + std::to_string(kMaxFields) + " fields or " +
           std::to_string(kMaxArguments) + " numbers as parameters";
  return "";
}

std::string chi::sema::problemForC(const Function &function) {
  for (TypeRef member : resultsOf(function)) {
    TypeRef scalar = member->scalarOrNull();
    if (!scalar || cType(scalar).empty() || member->isField() ||
        member->isArray() || member->isTuple())
      return refused("a result", member, "C");
  }
  for (const Variable *parameter : function.params) {
    TypeRef type = parameter->type, scalar = type->scalarOrNull();
    if (!scalar || type->isStr() || type->isTuple() || type->isArray() ||
        cType(scalar).empty())
      return refused("`" + parameter->name + "`", type, "C");
  }
  return problemOfCounts(function);
}

/// Whether tvm-ffi has values of a type.
static bool isForOperators(TypeRef type) {
  return type->isStr() || type->isScalar() || type->isAggregate() ||
         (type->isField() && type->element->scalarOrNull());
}

std::string chi::sema::problemForOperator(const Function &function) {
  for (TypeRef member : resultsOf(function))
    if (!isForOperators(member))
      return refused("a result", member, "tvm-ffi");
  for (const Variable *parameter : function.params)
    if (!isForOperators(parameter->type))
      return refused("`" + parameter->name + "`", parameter->type, "tvm-ffi");
  return problemOfCounts(function);
}

/// Whether a function is of an imported module: "fluid.step", but not "step.2",
/// which is an instance of one of the main module.
static bool isImported(llvm::StringRef name) {
  auto [stem, number] = name.rsplit('.');
  bool isInstance = !number.empty() && llvm::all_of(number, llvm::isDigit);
  return (isInstance ? stem : name).contains('.');
}

bool chi::sema::isExported(const Program &program, const Function &function) {
  if (function.isKernel)
    return true;
  if (&function == program.script || function.name == "main" ||
      isImported(function.name))
    return false;
  for (const TestBlock &test : program.tests)
    if (test.function == &function)
      return false;
  return problemForC(function).empty() || problemForOperator(function).empty();
}
