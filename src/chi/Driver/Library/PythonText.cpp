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

std::string chi::driver::docString(const GenericSource &source) {
  std::string text;
  for (const OperatorSource *member : source.members)
    text += (text.empty() ? "" : "\n") + source.name + headOf(*member);
  const ast::FunctionStmt *declared = source.members.front()->declared;
  if (!declared->doc.empty())
    text += "\n\n" + declared->doc.str();
  return quotedDoc(text, "    ");
}

std::vector<GenericSource>
chi::driver::genericsOf(const target::cpu::Library &library,
                        const std::vector<OperatorSource> &operators) {
  std::vector<GenericSource> all;
  for (const target::cpu::OperatorGroup &group : library.groups) {
    GenericSource made;
    made.name = group.name;
    made.hasProducts = library.haveRecords(group);
    for (size_t member : group.members)
      made.members.push_back(&operators[member]);
    all.push_back(std::move(made));
  }
  return all;
}

const llvm::StringLiteral chi::driver::kPick = R"py(

def _pick(name, members, *fields):
    """The instance for the types of the fields."""
    types = _py.tuple(_dtype(each) if _py.hasattr(each, "dtype") else None
                      for each in fields)
    if types not in members:
        found, *known = ([_py.str(each) for each in some]
                         for some in (types, *members))
        raise _py.TypeError(
            f"{name} has no instance for {found}; there are {known}")
    return members[types]
)py";

std::string chi::driver::genericFunction(
    const GenericSource &source,
    llvm::function_ref<std::string(sema::TypeRef)> dtypeOf) {
  const OperatorSource &first = *source.members.front();
  std::vector<std::string> fields, entries, keys;
  for (const sema::Variable *parameter : first.function->params)
    if (parameter->type->isField())
      fields.push_back(pythonName(*parameter));
  for (const OperatorSource *member : source.members) {
    std::string key = "(";
    for (const sema::Variable *parameter : member->function->params)
      if (parameter->type->isField())
        key += dtypeOf(parameter->type) + ", ";
    key = key == "(" ? "()" : key.substr(0, key.size() - 1) + ")";
    if (llvm::is_contained(keys, key))
      continue; // the first one is chosen
    keys.push_back(key);
    entries.push_back("    " + key + ": " + member->name);
  }
  std::string members = "_members_" + source.name;
  std::string arguments = fields.empty() ? "" : ", " + joined(fields);
  return "\n\n" + members + " = {\n" + llvm::join(entries, ",\n") +
         "}\n\n\ndef " + source.name + "(" + parameterList(first) + "):\n" +
         docString(source) + "    return _pick(\"" + source.name + "\", " +
         members + arguments + ")(" + joined(parameterNames(first)) + ")\n";
}

const llvm::StringLiteral chi::driver::kCheck = R"py(

def _check(name, *fields):
    """Refuses what the library would refuse: it is only traced here."""
    for parameter, array, dtype, axes, inner in fields:
        where = f"{name}: {parameter}"
        if not _py.hasattr(array, "dtype"):
            found = _py.type(array).__name__
            raise _py.TypeError(f"{where} is {found}, expected a tensor")
        if _dtype(array) != dtype:
            found, wanted = (_py.str(each).removeprefix("torch.")
                             for each in (_dtype(array), dtype))
            raise _py.TypeError(f"{where} is {found}, expected {wanted}")
        rank = _py.len(array.shape)
        if rank != axes:
            noun = "axis" if rank == 1 else "axes"
            raise _py.ValueError(f"{where} has {rank} {noun}, expected {axes}")
        for axis, extent in _py.enumerate(inner, axes - _py.len(inner)):
            found = array.shape[axis]
            if found != extent:
                raise _py.ValueError(f"{where} has the extent {found} along "
                                     f"axis {axis}, expected {extent}")
)py";

/// "("w", w, float32, 2, ())"
static std::string checkOf(const std::string &shown, const std::string &name,
                           sema::TypeRef type, const std::string &dtype) {
  sema::TypeRef element = type->isField() ? type->element : type;
  std::string inner;
  unsigned axes = type->isField() ? type->rank() : 0;
  if (element->isAggregate())
    for (int64_t extent : element->shape) {
      inner += std::to_string(extent) + ",";
      ++axes;
    }
  return "(\"" + shown + "\", " + name + ", " + dtype + ", " +
         std::to_string(axes) + ", (" + inner + "))";
}

std::string
chi::driver::checkLine(const OperatorSource &source,
                       llvm::function_ref<std::string(sema::TypeRef)> dtypeOf,
                       const std::vector<std::string> &adjoints) {
  std::vector<std::string> all;
  for (const sema::Variable *parameter : source.function->params)
    if (parameter->type->isField())
      all.push_back(checkOf(parameter->name, pythonName(*parameter),
                            parameter->type, dtypeOf(parameter->type)));
  size_t number = 0;
  for (sema::TypeRef result : resultsOf(*source.function)) {
    if (adjoints.empty() || !isFloatField(result))
      continue;
    std::string dtype = dtypeOf(result);
    size_t half = dtype.find("float16"); // its adjoint is an f32
    if (half != std::string::npos)
      dtype.replace(half, 7, "float32");
    std::string shown = "the adjoint of result " + std::to_string(number);
    if (adjoints.size() == 1)
      shown = "the adjoint of the result";
    all.push_back(checkOf(shown, adjoints[number], result, dtype));
    ++number;
  }
  std::string name = source.name + (adjoints.empty() ? "" : "_vjp");
  return all.empty() ? ""
                     : "    _check(\"" + name + "\",\n           " +
                           llvm::join(all, ",\n           ") + ")\n";
}

std::string chi::driver::pythonName(const sema::Variable &parameter) {
  return parameter.name + (parameter.name.starts_with("_") ? "_" : "");
}

std::vector<std::string>
chi::driver::parameterNames(const OperatorSource &source) {
  std::vector<std::string> names;
  for (const sema::Variable *parameter : source.function->params)
    names.push_back(pythonName(*parameter));
  return names;
}

std::string chi::driver::parameterList(const OperatorSource &source) {
  std::vector<std::string> all;
  for (auto [parameter, text] :
       llvm::zip_equal(source.function->params, source.defaults))
    all.push_back(pythonName(*parameter) + (text.empty() ? "" : "=" + text));
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
