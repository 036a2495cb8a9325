//===- CHeader.cpp --------------------------------------------------------===//
#include "chi/Driver/Library/CHeader.h"
#include "chi/Driver/Library/Description.h"
#include "chi/Driver/Library/Names.h"
#include "chi/Driver/Library/Operators.h"
#include "chi/IRGen/ProgramValue.h"
#include "chi/Sema/Program/WrittenParameters.h"
#include "chi/Sema/Tree/Exports.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace chi;
using namespace chi::driver;
using sema::cType;

/// The letter of LibraryFunction::parameters.
static char letterOf(sema::TypeRef scalar) {
  return llvm::StringSwitch<char>(cType(scalar))
      .Cases({"uint8_t", "int8_t"}, 'b')
      .Cases({"uint16_t", "int16_t"}, 'h')
      .Cases({"uint32_t", "int32_t"}, 'w')
      .Cases({"uint64_t", "int64_t"}, 'l')
      .Case("float", 'f')
      .Default('d');
}

static std::string leftOutText(const std::string &function,
                               const std::string &problem) {
  return "/* Not callable from C: " + function + "\n * " + problem + " */\n\n";
}

namespace {
/// The C function of one kernel or function that has types of C only.
class FunctionHeader {
public:
  explicit FunctionHeader(const sema::Function &from) {
    // The program's names come before names that are derived from them.
    std::vector<std::string> ids;
    for (const sema::Variable *parameter : from.params) {
      std::string id = identifier(parameter->name);
      ids.push_back(scope.add(isTaken(id) ? id + "_" : id));
    }
    for (auto [id, parameter] : llvm::zip_equal(ids, from.params))
      addParameter(*parameter, id);
    addResults(from.result);
  }
  std::string parameters, signature, letters;

private:
  void addParameter(const sema::Variable &parameter, const std::string &id);
  void addResults(sema::TypeRef type);
  void add(const std::string &text, char letter) {
    parameters += (parameters.empty() ? "" : ", ") + text;
    letters += letter;
  }
  Scope scope;
};
} // namespace

/// "V3x4|"
static std::string numbersOf(sema::TypeRef type) {
  sema::TypeRef scalar = type->scalar();
  unsigned bytes = scalar->isBool() ? 1 : scalar->bits / 8;
  return "V" + std::to_string(type->numScalars()) + "x" +
         std::to_string(bytes) + "|";
}

void FunctionHeader::addParameter(const sema::Variable &parameter,
                                  const std::string &id) {
  sema::TypeRef type = parameter.type, scalar = type->scalar();
  std::string c = cType(scalar);
  if (type->isField()) {
    add(c + " *" + id, 'p');
    add("const int64_t *" + scope.add(id + "_shape"), 'p');
    signature +=
        "F" + std::to_string(type->rank()) + fieldDescription(type) + "|";
  } else if (type->isAggregate()) {
    add("const " + c + " *" + id, 'p');
    signature += numbersOf(type);
  } else {
    add(c + " " + id, letterOf(scalar));
    signature += "S|";
  }
}

/// Results come back through pointers, one for each value.
void FunctionHeader::addResults(sema::TypeRef type) {
  if (!type || type->isVoid())
    return;
  std::vector<sema::TypeRef> members{type};
  if (type->isTuple())
    members = type->members;
  for (size_t i = 0; i < members.size(); ++i) {
    std::string id = "result";
    if (members.size() > 1)
      id += std::to_string(i);
    add(cType(members[i]->scalar()) + " *" + scope.add(id), 'p');
    signature += ">" + numbersOf(members[i]);
  }
}

const char *const chi::driver::kCommonOfC = R"(#ifndef CHI_LIBRARY
#define CHI_LIBRARY
#include <stdint.h>

/* A field of a program: the axes of the field, then those of its vec or mat. */
typedef struct chi_array {
  void *data;
  const char *type;   /* of a number: "f32" */
  int32_t rank;       /* all axes */
  int32_t field_rank; /* those of the field */
  int64_t shape[10], strides[10]; /* strides are in bytes */
} chi_array;
#endif

)";

/// Kernels without an instance: their types are unknown.
static std::vector<std::string> genericKernels(const sema::Program &program,
                                               const ast::Module &module) {
  std::vector<std::string> names;
  for (const ast::Stmt *stmt : module.body) {
    auto *function = llvm::dyn_cast<ast::FunctionStmt>(stmt);
    if (!function)
      continue;
    bool isKernel = llvm::any_of(function->decorators, [](auto *at) {
      auto *call = llvm::dyn_cast<ast::CallExpr>(at);
      auto *name = llvm::dyn_cast<ast::NameExpr>(call ? call->callee : at);
      return name && name->name == "kernel";
    });
    bool isKnown =
        isKernel && llvm::any_of(program.functions, [&](const auto &known) {
          return known->isKernel && known->name == function->name;
        });
    if (isKernel && !isKnown)
      names.push_back(function->name.str());
  }
  return names;
}

/// The functions of a library that do not depend on the program.
static std::string commonFunctions(const std::string &stem,
                                   const std::string &prefix) {
  return "/* Runs the whole program like its executable: argv[0] is a name, "
         "followed by\n * --param value. Returns the exit status. Call it "
         "before functions that use\n * params or top-level variables. */\n"
         "int32_t " +
         stem + "_run(int32_t argc, const char *const *argv);\n\n" +
         "/* Describes the top-level field of that name. The description is "
         "valid until\n * the next call of a function that creates fields or "
         "rebinds names. Returns 0,\n * or prints an error and returns 1. The "
         "names have the numbers 0, 1, … until\n * null. */\n"
         "int32_t " +
         stem + "_field(const char *name, chi_array *field);\n" +
         "const char *" + stem + "_field_name(int64_t number);\n\n" +
         "/* The message of the latest call on this thread that failed; \"\" "
         "if "
         "it did not.\n * Valid until the thread's next call. */\n"
         "const char *" +
         stem + "_last_error(void);\n\n" +
         "/* Calls `body`; returns 0, or the status of an error in it. */\n" +
         "int32_t " + prefix +
         "guard(void (*body)(void *), void *context);\n\n" +
         "/* The kernels and functions. Fields are passed as memory and "
         "extents: elements\n * in row-major order of the axes, the numbers of "
         "a vec or mat together, unless\n * their type differs. The last "
         "pointers receive the results. The functions\n * return 0, or print "
         "an error and return 1 or 2. */\n";
}

std::string chi::driver::symbolPrefix(const std::string &name) {
  return "chi_" + identifier(name) + "_";
}

namespace {
/// Selects the declarations that C can use.
class LibraryHeader {
public:
  LibraryHeader(const sema::Program &program, const ast::Module &module,
                const std::string &name)
      : program(program), module(module), stem(identifier(name)),
        scope({"chi_array", symbolPrefix(name) + "guard"}) {
    header.library.stem = stem;
    header.library.prefix = symbolPrefix(name);
  }
  CHeader run(const std::string &name);

private:
  void add(const sema::Function &function);
  void addFunction(const sema::Function &function, const std::string &name,
                   const std::string &entry);
  void addRecord(const sema::Function &function, target::cpu::Operator &made);
  std::string problemOf(const sema::Function &function,
                        const std::string &written);
  void leaveOut(const sema::Function &function, const std::string &problem,
                bool isOperator);
  void leaveOutGeneric(const std::string &kernel);
  void addToGroup(const std::string &name);

  const sema::Program &program;
  const ast::Module &module;
  std::string stem, functions;
  Scope scope;
  CHeader header;
  sema::WrittenParameters writtenOf;
};
} // namespace

static constexpr const char *kGeneric =
    "it is generic and not called with types: annotate its parameters";
static constexpr const char *kNotExported =
    "it is an instance of a generic function that `export` does not name";

/// Whether all parameters have types; C gets the instance of those.
static const ast::FunctionStmt *declarationOf(const ast::Module &module,
                                              const sema::Function &function) {
  for (const ast::Stmt *stmt : module.body)
    if (auto *found = llvm::dyn_cast<ast::FunctionStmt>(stmt);
        found && found->nameRange == function.range)
      return found;
  return nullptr;
}

static bool hasConstantExtents(const sema::Function &function) {
  return llvm::any_of(function.params, [](const sema::Variable *parameter) {
    return parameter->type->isField() &&
           llvm::any_of(parameter->type->shape,
                        [](int64_t extent) { return extent >= 0; });
  });
}

std::string LibraryHeader::problemOf(const sema::Function &function,
                                     const std::string &written) {
  if (llvm::StringSwitch<bool>(written)
          .Cases({"run", "field", "field_name", "last_error"}, true)
          .Default(false))
    return "the library itself has `" + stem + "_" + written + "`";
  if (hasConstantExtents(function))
    return kGeneric;
  return problemForC(function);
}

/// tvm-ffi looks for documentation and types under these names.
static bool isReservedForOperators(llvm::StringRef written) {
  return written.starts_with("_doc_") || written.starts_with("_metadata_");
}

/// The arguments that IRGen passes by their address.
static std::vector<units::EntryPoint::Array>
arraysOf(const sema::Function &function) {
  std::vector<units::EntryPoint::Array> arrays;
  size_t argument = 0;
  for (const sema::Variable *parameter : function.params) {
    sema::TypeRef type = parameter->type;
    bool isArray = !function.isKernel && irgen::livesInMemory(type);
    if (isArray)
      arrays.push_back(
          {argument, type->numScalars(), type->scalar()->isBool()});
    argument += isArray || type->isField() ? 1 : type->numScalars();
  }
  return arrays;
}

void LibraryHeader::add(const sema::Function &function) {
  if (function.isRecord)
    return;
  const ast::FunctionStmt *declared = declarationOf(module, function);
  // Of a generic function a library has what `export` names.
  if (declared && !declared->typeParams.empty() &&
      function.exportedAs.empty()) {
    functions += leftOutText(function.display, kNotExported);
    return;
  }
  bool isTyped =
      declared && llvm::all_of(declared->params, [](const auto &parameter) {
        return parameter.type != nullptr;
      });
  // An instance for the extents of one call; that of the types is there too.
  if (isTyped && hasConstantExtents(function))
    return;
  std::string written = !isTyped                      ? function.name
                        : function.exportedAs.empty() ? declared->name.str()
                                                      : function.exportedAs;
  if (!function.isKernel &&
      (!isTyped || &function == program.script || written == "main"))
    return;
  std::string problem = problemOf(function, written);
  bool isOperator = !hasConstantExtents(function) &&
                    !isReservedForOperators(written) &&
                    problemForOperator(function).empty();
  if (!problem.empty())
    leaveOut(function, problem, isOperator);
  if (!problem.empty() && !isOperator)
    return;
  std::string name = scope.add(stem + "_" + identifier(written));
  // The names without the library's, which are the program's.
  std::string plain = llvm::StringRef(name).drop_front(stem.size() + 1).str();
  std::string entry = header.library.prefix + "call_" + plain;
  if (problem.empty())
    addFunction(function, name, entry);
  if (isOperator) {
    OperatorSource source = sourceOf(function, isTyped ? declared : nullptr,
                                     writtenOf.of(function));
    source.name = plain;
    target::cpu::Operator made = operatorOf(source);
    made.entry = entry;
    if (function.record)
      addRecord(function, made);
    header.operators.push_back(std::move(source));
    header.library.operators.push_back(std::move(made));
    if (!function.exportedAs.empty())
      addToGroup(identifier(declared->name));
  }
  header.entries.push_back(
      {function.name, entry, function.isKernel, {}, arraysOf(function)});
}

/// The header lists what C cannot call; the command reports kernels.
void LibraryHeader::leaveOut(const sema::Function &function,
                             const std::string &problem, bool isOperator) {
  functions += leftOutText(function.display, problem);
  if (!function.isKernel)
    return;
  header.leftOut.push_back(function.name + " (" + problem + ")");
  if (!isOperator)
    header.noOperators.push_back(header.leftOut.back());
}

/// The latest operator is an instance of the function `name`.
void LibraryHeader::addToGroup(const std::string &name) {
  std::vector<target::cpu::OperatorGroup> &groups = header.library.groups;
  auto found = llvm::find_if(
      groups, [&](const auto &group) { return group.name == name; });
  if (found == groups.end())
    found = groups.insert(found, {name, {}});
  found->members.push_back(header.library.operators.size() - 1);
}

void LibraryHeader::leaveOutGeneric(const std::string &kernel) {
  functions += leftOutText(kernel, kGeneric);
  header.leftOut.push_back(kernel + " (" + kGeneric + ")");
  header.noOperators.push_back(header.leftOut.back());
}

void LibraryHeader::addRecord(const sema::Function &function,
                              target::cpu::Operator &made) {
  const std::string &record = function.record->name;
  made.record = header.library.prefix + "record_" + made.name;
  made.backward = header.library.prefix + "backward_" + made.name;
  header.entries.push_back(
      {record, made.record, /*isKernel=*/false, {}, arraysOf(function)});
  header.entries.push_back(
      {record + ".backward", made.backward, /*isKernel=*/false, {}, {}});
}

void LibraryHeader::addFunction(const sema::Function &function,
                                const std::string &name,
                                const std::string &entry) {
  FunctionHeader c(function);
  functions += "int32_t " + name + "(" +
               (c.parameters.empty() ? "void" : c.parameters) + ");\n\n";
  header.library.functions.push_back({name, entry, c.signature, c.letters});
}

CHeader LibraryHeader::run(const std::string &name) {
  // Names of generic functions are those of their groups.
  for (const ast::Stmt *stmt : module.body)
    if (auto *declared = llvm::dyn_cast<ast::FunctionStmt>(stmt);
        declared && !declared->typeParams.empty())
      scope.add(stem + "_" + identifier(declared->name));
  for (const auto &function : program.functions)
    add(*function);
  for (const std::string &kernel : genericKernels(program, module))
    leaveOutGeneric(kernel);
  std::string guard = llvm::StringRef(stem).upper() + "_H";
  header.text = "/* Made by chic build from " + name + ".chi. */\n" +
                "#ifndef " + guard + "\n#define " + guard + "\n\n" +
                kCommonOfC + "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n" +
                commonFunctions(stem, header.library.prefix) + functions +
                "#ifdef __cplusplus\n}\n#endif\n#endif /* " + guard + " */\n";
  return std::move(header);
}

CHeader chi::driver::cHeader(const sema::Program &program,
                             const ast::Module &module,
                             const std::string &name) {
  return LibraryHeader(program, module, name).run(name);
}
