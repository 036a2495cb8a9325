//===- PythonText.cpp - Operators in the words of Python ------------------===//
#include "chi/Driver/Library/PythonText.h"

using namespace chi;
using namespace chi::driver;

std::string chi::driver::quotedDoc(const std::string &text,
                                   const std::string &indent) {
  if (text.empty())
    return "";
  std::string out = indent + "\"\"\"";
  for (char c : llvm::StringRef(text).rtrim()) {
    if (c == '\\' || c == '"')
      out += '\\';
    out += c;
    if (c == '\n')
      out += indent;
  }
  return out + "\"\"\"\n";
}

std::string chi::driver::docString(const OperatorSource &source) {
  std::string text = source.name + headOf(source);
  if (source.declared && !source.declared->doc.empty())
    text += "\n\n" + source.declared->doc.str();
  return quotedDoc(text, "    ");
}

std::vector<std::string>
chi::driver::parameterNames(const OperatorSource &source) {
  std::vector<std::string> names;
  for (const sema::Variable *parameter : source.function->params)
    names.push_back(parameter->name);
  return names;
}

std::string chi::driver::parameterList(const OperatorSource &source) {
  std::vector<std::string> all;
  for (auto [parameter, text] :
       llvm::zip_equal(source.function->params, source.defaults))
    all.push_back(parameter->name + (text.empty() ? "" : "=" + text));
  return joined(all);
}

bool chi::driver::isFloatField(sema::TypeRef type) {
  return type->isField() && type->scalar()->isFloat();
}

std::vector<std::string>
chi::driver::adjointNames(const OperatorSource &source) {
  std::vector<std::string> parameters = parameterNames(source), names;
  size_t count = llvm::count_if(resultsOf(*source.function), isFloatField);
  for (size_t k = 0; k < count; ++k) {
    std::string name = count == 1 ? "grad" : "grad" + std::to_string(k);
    while (llvm::is_contained(parameters, name))
      name += "_";
    names.push_back(name);
  }
  return names;
}

Cotangents::Cotangents(const OperatorSource &source) {
  std::vector<std::string> names = adjointNames(source);
  for (auto [k, result] : llvm::enumerate(resultsOf(*source.function))) {
    if (!isFloatField(result)) {
      all.push_back("_" + std::to_string(k));
      continue;
    }
    all.push_back(names[active.size()]);
    active.push_back(all.back());
    types.push_back(result);
  }
}

std::string chi::driver::dtypeName(sema::TypeRef type,
                                   const std::string &truth) {
  sema::TypeRef scalar = type->scalar();
  if (scalar->isBool())
    return truth;
  std::string kind = scalar->isBrain     ? "bfloat"
                     : scalar->isFloat() ? "float"
                     : scalar->isSigned  ? "int"
                                         : "uint";
  return kind + std::to_string(scalar->bits);
}

std::string PythonTypes::of(sema::TypeRef type) const {
  if (type->isField() || type->isMat())
    return tensor.str();
  if (type->isStr())
    return own.str() + "str";
  if (type->isVec())
    return "_Sequence[" + of(type->element) + "]";
  return own.str() + (type->isBool()  ? "bool"
                      : type->isInt() ? "int"
                                      : "float");
}

std::string PythonTypes::tuple(const std::vector<std::string> &types) const {
  if (types.empty())
    return "None";
  return types.size() == 1 ? types[0]
                           : own.str() + "tuple[" + joined(types) + "]";
}

std::string PythonTypes::result(const OperatorSource &source) const {
  std::vector<std::string> types;
  for (sema::TypeRef result : resultsOf(*source.function))
    types.push_back(result->isVec() ? tensor.str() : of(result));
  return tuple(types);
}

std::string PythonTypes::adjoints(const OperatorSource &source) const {
  size_t count =
      llvm::count_if(source.function->params, [](const auto *parameter) {
        return isFloatField(parameter->type);
      });
  return tuple(std::vector<std::string>(count, tensor.str()));
}
