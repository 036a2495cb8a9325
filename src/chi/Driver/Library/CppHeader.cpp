//===- CppHeader.cpp - The C++ header of a library ------------------------===//
#include "chi/Driver/Library/CppHeader.h"

#include "chi/Driver/Library/CppCommon.h"
#include "chi/Driver/Library/Names.h"
#include "chi/Driver/Library/PythonText.h"
#include "chi/Sema/Tree/Exports.h"

using namespace chi;
using namespace chi::driver;

/// The name in C++: no keyword, and none of those that the header uses.
static std::string nameInCpp(llvm::StringRef name) {
  std::string id = identifier(name);
  return isTaken(id) || id == "chi" || id == "std" ? id + "_" : id;
}

/// Of the functions, within the namespace of the common part: no function of C
/// has that name.
static std::string namespaceOf(const std::string &stem) {
  static constexpr llvm::StringRef kCommon[] = {
      "BFloat", "Error", "Field", "Half", "Mat", "Vec", "View", "detail"};
  std::string name = nameInCpp(stem);
  return llvm::is_contained(kCommon, name) ? name + "_" : name;
}

static std::string valueType(sema::TypeRef type) {
  if (type->isStr())
    return "std::string";
  if (type->isBool())
    return "bool";
  if (type->isFloat() && type->bits == 16)
    return type->isBrain ? "chi::BFloat" : "chi::Half";
  if (type->isScalar())
    return (type->isInt() ? "std::" : "") + sema::cType(type);
  std::string text =
      (type->isMat() ? "chi::Mat<" : "chi::Vec<") + valueType(type->scalar());
  for (int64_t extent : type->shape)
    text += ", " + std::to_string(extent);
  return text + ">";
}

static std::string fieldType(const char *kind, const std::string &element,
                             sema::TypeRef type) {
  return std::string("chi::") + kind + "<" + element + ", " +
         std::to_string(type->rank()) + ">";
}

static std::string parameterType(sema::TypeRef type, bool isWritten) {
  if (type->isStr())
    return "std::string_view";
  return type->isField()
             ? fieldType("View",
                         (isWritten ? "" : "const ") + valueType(type->element),
                         type)
             : valueType(type);
}

static std::string resultType(sema::TypeRef type) {
  return type->isField() ? fieldType("Field", valueType(type->element), type)
                         : valueType(type);
}

/// A default of the program as an expression of C++.
static std::string literalOf(const std::string &text, sema::TypeRef type) {
  if (type->isBool())
    return text == "True" ? "true" : "false";
  if (type->isFloat()) {
    std::string number =
        llvm::StringRef(text).ends_with("inf")
            ? (text[0] == '-' ? "-" : "") +
                  std::string("std::numeric_limits<double>::infinity()")
            : text;
    bool isDouble = type->bits == 64;
    number = isDouble ? "double(" + number + ")" : "float(" + number + ")";
    return type->bits == 16 ? valueType(type) + "(" + number + ")" : number;
  }
  if (text == "-9223372036854775808")
    return "std::numeric_limits<std::int64_t>::min()";
  return text + (type->isSigned ? "" : "u");
}

/// Lines of a comment; none continues on the next line of the header.
static std::string commentOf(llvm::StringRef text) {
  std::string out;
  llvm::SmallVector<llvm::StringRef> lines;
  text.rtrim().split(lines, '\n');
  for (llvm::StringRef line : lines) {
    line = line.rtrim();
    out += line.empty() ? "///" : "/// " + line.str();
    out += line.ends_with("\\") || line.ends_with("?\?/") ? " .\n" : "\n";
  }
  return out;
}

static std::string tupleOf(const std::vector<std::string> &types) {
  if (types.empty())
    return "void";
  return types.size() == 1 ? types[0] : "std::tuple<" + joined(types) + ">";
}

namespace {
struct Parameter {
  std::string name, type, defaultValue;
};

/// The functions of one library.
class LibraryText {
public:
  explicit LibraryText(const CHeader &made) : made(made) {
    // The program's names come before those that are derived from them.
    for (const OperatorSource &source : made.operators)
      names.push_back(scope.add(nameInCpp(source.name)));
  }
  std::string functions();
  std::string libraryFunctions();
  std::string declarations;

private:
  void add(const OperatorSource &source, const std::string &name);
  void addProduct(const OperatorSource &source, const std::string &name);
  void addFunction(const std::string &name, const std::string &symbol,
                   const std::vector<Parameter> &parameters,
                   const std::vector<std::string> &results);
  std::vector<Parameter> parametersOf(const OperatorSource &source) const;

  const CHeader &made;
  Scope scope;
  std::vector<std::string> names;
  std::string out;
};
} // namespace

/// C++ has defaults at the end only.
static void addDefaults(const OperatorSource &source,
                        std::vector<Parameter> &parameters) {
  for (size_t k = parameters.size(); k-- > 0;) {
    if (source.defaults[k].empty())
      return;
    parameters[k].defaultValue =
        literalOf(source.defaults[k], source.function->params[k]->type);
  }
}

std::vector<Parameter>
LibraryText::parametersOf(const OperatorSource &source) const {
  Scope taken;
  std::vector<Parameter> parameters;
  for (auto [k, parameter] : llvm::enumerate(source.function->params))
    parameters.push_back(
        {taken.add(nameInCpp(parameter->name)),
         parameterType(parameter->type, source.written.test(k)), ""});
  return parameters;
}

/// Breaks what is too long for a line behind commas of `parts`.
static std::string brokenList(const std::vector<std::string> &parts,
                              size_t column, size_t end) {
  std::string text, indent = ",\n" + std::string(column, ' ');
  size_t at = column;
  for (auto [k, part] : llvm::enumerate(parts)) {
    size_t needed = part.size() + (k + 1 == parts.size() ? end : 1);
    if (k && at + 2 + needed > 80) {
      text += indent;
      at = column;
    } else if (k) {
      text += ", ";
      at += 2;
    }
    text += part;
    at += part.size();
  }
  return text;
}

void LibraryText::addFunction(const std::string &name,
                              const std::string &symbol,
                              const std::vector<Parameter> &parameters,
                              const std::vector<std::string> &results) {
  std::vector<std::string> list, arguments{symbol};
  for (const Parameter &each : parameters) {
    list.push_back(
        each.type + " " + each.name +
        (each.defaultValue.empty() ? "" : " = " + each.defaultValue));
    arguments.push_back(each.name);
  }
  std::string result = results.size() < 2
                           ? tupleOf(results)
                           : "std::tuple<" + brokenList(results, 18, 1) + ">";
  std::string head = "inline " + result + " " + name + "(";
  if (head.size() > 50) {
    out += "inline " + result + "\n" + name + "(" +
           brokenList(list, name.size() + 1, 3) + ") {\n";
  } else {
    out += head + brokenList(list, head.size(), 3) + ") {\n";
  }
  std::string call =
      "  return chi::detail::Call<" + brokenList(results, 27, 7) + ">::run(";
  std::string line = call + joined(arguments) + ");\n}\n\n";
  out += call.size() + joined(arguments).size() + 2 <= 80
             ? line
             : call + "\n      " + brokenList(arguments, 6, 2) + ");\n}\n\n";
  declarations += "std::int32_t " + symbol +
                  "(const chi::detail::Any *, "
                  "std::int32_t,\n    chi::detail::Any *);\n";
}

void LibraryText::add(const OperatorSource &source, const std::string &name) {
  std::vector<Parameter> parameters = parametersOf(source);
  addDefaults(source, parameters);
  std::vector<std::string> results;
  for (sema::TypeRef result : resultsOf(*source.function))
    results.push_back(resultType(result));
  std::string text = source.name + headOf(source);
  if (source.declared && !source.declared->doc.empty())
    text += "\n\n" + source.declared->doc.str();
  out += commentOf(text);
  addFunction(name, made.library.invokeName(source.name), parameters, results);
}

/// The element of an adjoint: of an f16 or bf16 result f32, of an argument its
/// own type.
static std::string adjointElement(sema::TypeRef element) {
  std::string text = valueType(element);
  if (element->scalar()->bits != 16)
    return text;
  std::string half = valueType(element->scalar());
  if (size_t at = text.find(half); at != std::string::npos)
    text.replace(at, half.size(), "float");
  return text;
}

void LibraryText::addProduct(const OperatorSource &source,
                             const std::string &name) {
  std::vector<Parameter> parameters = parametersOf(source);
  Scope taken;
  for (const Parameter &each : parameters)
    taken.add(each.name);
  size_t number = 0;
  std::vector<std::string> adjoints = adjointNames(source), results;
  for (sema::TypeRef result : resultsOf(*source.function))
    if (isFloatField(result))
      parameters.push_back(
          {taken.add(adjoints[number++]),
           fieldType("View", "const " + adjointElement(result->element),
                     result),
           ""});
  for (const sema::Variable *parameter : source.function->params)
    if (isFloatField(parameter->type))
      results.push_back(resultType(parameter->type));
  out += "/// The vector-Jacobian product of " + source.name +
         ": the adjoints of its arguments\n/// that are fields of floats, from "
         "those of its results.\n";
  addFunction(scope.add(name + "_vjp"),
              made.library.invokeName(source.name + "_vjp"), parameters,
              results);
}

std::string LibraryText::functions() {
  for (auto [source, name] : llvm::zip_equal(made.operators, names)) {
    add(source, name);
    if (source.function->record)
      addProduct(source, name);
  }
  for (const std::string &omitted : made.noOperators)
    out += "// Not callable from C++: " + omitted + "\n";
  return std::move(out);
}

/// Running the script, and its top-level fields.
std::string LibraryText::libraryFunctions() {
  const std::string &stem = made.library.stem;
  std::string library = "  constexpr chi::detail::Library library = {\n"
                        "      \"" +
                        stem + "\", " + stem + "_run, " + stem +
                        "_field,\n      " + stem + "_last_error, " +
                        made.library.prefix + "silence};\n";
  return "/// Runs the whole program like its executable, with params such as\n"
         "/// {\"--n\", \"5\"}. Functions that use params or top-level "
         "variables need it\n/// before.\ninline void " +
         scope.add("run") +
         "(const std::vector<std::string> &params = {}) {\n" + library +
         "  library.runProgram(params);\n}\n\n"
         "/// The top-level field of that name, after `run`: its own memory, "
         "which stays\n/// valid until the program runs again or replaces the "
         "field.\ntemplate <typename T, int Rank>\nchi::View<T, Rank> " +
         scope.add("field") + "(const std::string &name) {\n" + library +
         "  return library.fieldOf<T, Rank>(name);\n}\n";
}

std::string chi::driver::cppHeader(const std::string &name,
                                   const std::string &doc,
                                   const CHeader &made) {
  const std::string &stem = made.library.stem;
  LibraryText text(made);
  std::string functions = text.functions() + text.libraryFunctions();
  std::string guard = llvm::StringRef(stem).upper() + "_HPP";
  std::string space = namespaceOf(stem);
  return "// Made by chic build from " + name + ".chi: C++20.\n#ifndef " +
         guard + "\n#define " + guard + "\n\n" + kCommonOfC + kCppTypes +
         kCppCalls + "extern \"C\" {\nstd::int32_t " + stem +
         "_run(std::int32_t argc, const char *const *argv);\nstd::int32_t " +
         stem + "_field(const char *name, chi_array *field);\nconst char *" +
         stem + "_last_error(void);\nstd::int32_t " + made.library.prefix +
         "silence(std::int32_t is_silent);\n" + text.declarations + "}\n\n" +
         (doc.empty() ? "" : commentOf(doc)) + "namespace chi::" + space +
         " {\n\n" + functions + "\n} // namespace chi::" + space +
         "\n#endif // " + guard + "\n";
}
