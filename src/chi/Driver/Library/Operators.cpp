//===- Operators.cpp - Functions of a library for tvm-ffi -----------------===//
#include "chi/Driver/Library/Operators.h"

#include "chi/Driver/Library/Description.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <charconv>

using namespace chi;
using namespace chi::driver;

/// The shortest text that reads back as the number.
static std::string shortest(double value) {
  char text[32];
  char *end = std::to_chars(text, text + sizeof(text), value).ptr;
  return std::string(text, end);
}

/// A default as the run time reads it; "" of one that is no literal, which a
/// caller has to give.
static std::string defaultText(const ast::Expr *value) {
  std::string sign;
  if (auto *unary = llvm::dyn_cast_or_null<ast::UnaryExpr>(value);
      unary && unary->op == ast::UnaryOp::Minus) {
    sign = "-";
    value = unary->operand;
  }
  if (auto *integer = llvm::dyn_cast_or_null<ast::IntExpr>(value))
    return sign + std::to_string(integer->value);
  if (auto *real = llvm::dyn_cast_or_null<ast::FloatExpr>(value))
    return sign + shortest(real->value);
  auto *truth = llvm::dyn_cast_or_null<ast::BoolExpr>(value);
  return truth && sign.empty() ? truth->value ? "True" : "False" : "";
}

/// The bits of a default, which the run time reads in any locale: of a double,
/// else of an integer.
static std::string bitsOf(const std::string &text, sema::TypeRef type) {
  uint64_t bits = text == "True";
  if (type->isFloat())
    bits = llvm::bit_cast<uint64_t>(std::strtod(text.c_str(), nullptr));
  else if (text.starts_with("-"))
    bits = uint64_t(std::strtoll(text.c_str(), nullptr, 10));
  else if (!type->isBool())
    bits = std::strtoull(text.c_str(), nullptr, 10);
  return llvm::utohexstr(bits, /*LowerCase=*/true);
}

/// The type of chirt_operator::signature.
static std::string itemOf(sema::TypeRef type, bool isWritten) {
  if (type->isField())
    return (isWritten ? "W" : "F") + std::to_string(type->rank()) +
           fieldDescription(type);
  if (type->isStr())
    return "T";
  return (type->isAggregate() ? "V" : "S") + elementDescription(type);
}

/// A type in tvm-ffi's schema.
static llvm::json::Value schemaOf(sema::TypeRef type) {
  using llvm::json::Array, llvm::json::Object;
  if (type->isField())
    return Object{{"type", "ffi.Tensor"}};
  if (type->isStr())
    return Object{{"type", "ffi.String"}};
  if (type->isBool())
    return Object{{"type", "bool"}};
  if (type->isScalar())
    return Object{{"type", type->isInt() ? "int" : "float"}};
  Object numbers{{"type", "ffi.Array"},
                 {"args", Array{schemaOf(type->isMat() ? type->scalar()
                                                       : type->element)}}};
  return Object{
      {"type", "Variant"},
      {"args", Array{std::move(numbers), Object{{"type", "ffi.Tensor"}}}}};
}

static llvm::json::Value resultSchema(const sema::Function &function) {
  std::vector<sema::TypeRef> results = resultsOf(function);
  if (results.empty())
    return llvm::json::Object{{"type", "None"}};
  llvm::json::Array members;
  for (sema::TypeRef result : results)
    if (result->isAggregate()) // comes as a tensor
      members.push_back(llvm::json::Object{{"type", "ffi.Tensor"}});
    else
      members.push_back(schemaOf(result));
  if (results.size() == 1)
    return std::move(members[0]);
  return llvm::json::Object{{"type", "Tuple"}, {"args", std::move(members)}};
}

static std::string textOf(llvm::json::Value value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

static std::string metadataOf(const sema::Function &function) {
  llvm::json::Array parameters;
  for (const sema::Variable *parameter : function.params)
    parameters.push_back(schemaOf(parameter->type));
  llvm::json::Object schema{
      {"type", "ffi.Function"},
      {"named_args",
       llvm::json::Object{{"return", llvm::json::Array{resultSchema(function)}},
                          {"params", std::move(parameters)}}}};
  return textOf(llvm::json::Object{{"type_schema", textOf(std::move(schema))}});
}

std::string chi::driver::headOf(const OperatorSource &source) {
  std::vector<std::string> parameters;
  for (auto [parameter, text] :
       llvm::zip_equal(source.function->params, source.defaults))
    parameters.push_back(parameter->name + ": " + parameter->type->str() +
                         (text.empty() ? "" : " = " + text));
  std::vector<std::string> results;
  for (sema::TypeRef result : resultsOf(*source.function))
    results.push_back(result->str());
  std::string all = llvm::join(results, ", ");
  return "(" + llvm::join(parameters, ", ") + ")" +
         (results.empty()       ? ""
          : results.size() == 1 ? " -> " + all
                                : " -> (" + all + ")");
}

OperatorSource chi::driver::sourceOf(const sema::Function &function,
                                     const ast::FunctionStmt *declared,
                                     llvm::BitVector written) {
  OperatorSource made;
  made.function = &function;
  made.declared = declared;
  made.written = std::move(written);
  for (auto [k, parameter] : llvm::enumerate(function.params))
    made.defaults.push_back(declared && parameter->type->isScalar()
                                ? defaultText(declared->params[k].defaultValue)
                                : "");
  return made;
}

target::cpu::Operator chi::driver::operatorOf(const OperatorSource &source) {
  target::cpu::Operator made;
  made.name = source.name;
  for (auto [k, parameter] : llvm::enumerate(source.function->params))
    made.signature += parameter->name + " " +
                      itemOf(parameter->type, source.written.test(k)) +
                      (source.defaults[k].empty()
                           ? ""
                           : " " + bitsOf(source.defaults[k], parameter->type) +
                                 " " + source.defaults[k]) +
                      "|";
  for (sema::TypeRef result : resultsOf(*source.function))
    made.signature += ">" + itemOf(result, /*isWritten=*/false) + "|";
  made.hasResults = !resultsOf(*source.function).empty();
  made.metadata = metadataOf(*source.function);
  made.doc = headOf(source);
  if (source.declared && !source.declared->doc.empty())
    made.doc += "\n\n" + source.declared->doc.str();
  return made;
}
