//===- CHeader.cpp --------------------------------------------------------===//
#include "chi/Driver/CHeader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace chi;
using namespace chi::driver;

/// A name of C: what Chi allows and C does not becomes an underscore.
static std::string identifier(llvm::StringRef name) {
  std::string text = name.str();
  for (char &c : text)
    if (!llvm::isAlnum(c))
      c = '_';
  return text;
}

/// "float" for f32; "" for what C has no portable name for.
static std::string cType(sema::TypeRef scalar) {
  if (scalar->isBool())
    return "uint8_t";
  if (scalar->isInt())
    return (scalar->isSigned ? "int" : "uint") + std::to_string(scalar->bits) +
           "_t";
  return scalar->bits == 32 ? "float" : scalar->bits == 64 ? "double" : "";
}

/// What chirt.h calls the type.
static std::string dtype(sema::TypeRef scalar) {
  if (scalar->isBool())
    return "0";
  unsigned log = llvm::Log2_32(scalar->bits) - 3;
  if (scalar->isInt())
    return std::to_string((scalar->isSigned ? 1 : 5) + log);
  return std::to_string(8 + log);
}

std::string chi::driver::symbolPrefix(const std::string &name) {
  return "chi_" + identifier(name) + "_";
}

static std::string leftOutText(const std::string &kernel,
                               const std::string &problem) {
  return "/* Not callable from C: " + kernel + "\n * " + problem + " */\n\n";
}

namespace {
/// The C function of one kernel.
class KernelHeader {
public:
  KernelHeader(const sema::Function &kernel, const std::string &stem)
      : kernel(kernel), stem(stem), name(stem + "_" + identifier(kernel.name)) {
  }

  std::string text();
  /// Why C cannot call it; empty if it can. Needs `text`.
  std::string problem;

private:
  bool addParameter(const sema::Variable &parameter);
  bool addResults();
  bool refuse(const std::string &what, sema::TypeRef type) {
    problem = what + " is `" + type->str() + "`, which C has no type for";
    return false;
  }
  void addParameterText(const std::string &text) {
    parameters += (parameters.empty() ? "" : ", ") + text;
  }

  const sema::Function &kernel;
  std::string stem, name, parameters, setup, addresses, results;
};
} // namespace

bool KernelHeader::addParameter(const sema::Variable &parameter) {
  sema::TypeRef type = parameter.type;
  std::string id = identifier(parameter.name);
  sema::TypeRef scalar = type->scalar();
  if (!scalar || type->isStr() || type->isTuple() || type->isArray() ||
      cType(scalar).empty())
    return refuse("`" + parameter.name + "`", type);
  std::string c = cType(scalar);
  if (type->isField()) {
    sema::TypeRef element = type->element;
    int64_t rows = element->isAggregate() ? element->shape[0] : 1;
    int64_t columns = element->isMat() ? element->shape[1] : 1;
    addParameterText(c + " *" + id + ", const int64_t *" + id + "_shape");
    setup += "  chi_field " + id + "_field = chi_wrap(" + id + ", " + id +
             "_shape, " + std::to_string(type->rank()) + ", " + dtype(scalar) +
             ", sizeof(" + c + "), " + std::to_string(rows) + ", " +
             std::to_string(columns) + ", " +
             (element->isMat()   ? "2"
              : element->isVec() ? "1"
                                 : "0") +
             ", " + (type->layout == sema::Layout::SoA ? "1" : "0") + ");\n";
    setup += "  chi_field *" + id + "_pointer = &" + id + "_field;\n";
    for (size_t axis = 0; axis < type->order.size(); ++axis)
      setup += "  " + id + "_field.order[" + std::to_string(axis) +
               "] = " + std::to_string(type->order[axis]) + ";\n";
    addresses += "    &" + id + "_pointer,\n";
    return true;
  }
  if (!type->isAggregate()) {
    addParameterText(c + " " + id);
    addresses += "    &" + id + ",\n";
    return true;
  }
  addParameterText("const " + c + " *" + id);
  for (int64_t i = 0; i < type->numScalars(); ++i)
    addresses += "    (void *)&" + id + "[" + std::to_string(i) + "],\n";
  return true;
}

/// Results come back through pointers, one for each value.
bool KernelHeader::addResults() {
  sema::TypeRef type = kernel.result;
  if (!type || type->isVoid())
    return true;
  std::vector<sema::TypeRef> members{type};
  if (type->isTuple())
    members = type->members;
  int64_t next = 0;
  for (size_t i = 0; i < members.size(); ++i) {
    sema::TypeRef scalar = members[i]->scalar();
    if (!scalar || cType(scalar).empty() || members[i]->isField())
      return refuse("a result", members[i]);
    std::string id = "result" + (members.size() > 1 ? std::to_string(i) : "");
    addParameterText(cType(scalar) + " *" + id);
    for (int64_t k = 0; k < members[i]->numScalars(); ++k)
      results += "  " + id + "[" + std::to_string(k) + "] = *(" +
                 cType(scalar) + " *)&call.results[" + std::to_string(next++) +
                 "];\n";
  }
  constexpr int64_t kMaxResults = 16; // of chi_call
  if (next <= kMaxResults)
    return true;
  problem = "it returns " + std::to_string(next) + " numbers; C takes " +
            std::to_string(kMaxResults);
  return false;
}

std::string KernelHeader::text() {
  bool isCallable = addResults();
  std::string resultParameters = std::move(parameters);
  parameters.clear();
  for (const sema::Variable *parameter : kernel.params)
    isCallable = isCallable && addParameter(*parameter);
  if (!isCallable)
    return leftOutText(kernel.display, problem);
  if (!resultParameters.empty())
    addParameterText(resultParameters);
  std::string symbol = symbolPrefix(stem) + "call_" + kernel.name;
  std::string entry = "chi_entry_" + name;
  std::string text = "extern void " + entry +
                     "(void **arguments, void *results)\n    __asm__(\"" +
                     symbol + "\");\n";
  text += "static inline int32_t " + name + "(" +
          (parameters.empty() ? "void" : parameters) + ") {\n" + setup;
  text += "  void *arguments[] = {\n" + addresses + "    0};\n";
  text += "  chi_call call = {" + entry + ", arguments, {0}};\n";
  text += "  int32_t status = " + symbolPrefix(stem) +
          "guard(chi_run_call, &call);\n";
  if (!results.empty())
    text += "  if (status)\n    return status;\n" + results;
  text += "  return status;\n}\n\n";
  return text;
}

static constexpr const char *kCommon = R"(#ifndef CHI_LIBRARY
#define CHI_LIBRARY
#include <stdint.h>
#include <string.h>

/* A field that wraps memory of the caller: elements in row-major order of the
 * axes, the scalars of a vector or matrix together. */
typedef struct chi_field {
  void *data;
  int64_t extents[8], elements;
  int32_t refcount, dtype, rank, rows, columns, element_rank, is_soa, order[8];
  int64_t bytes;
  void *release, *owner;
} chi_field;

typedef struct chi_call {
  void (*entry)(void **arguments, void *results);
  void **arguments;
  uint64_t results[16];
} chi_call;

static inline void chi_run_call(void *context) {
  chi_call *call = (chi_call *)context;
  call->entry(call->arguments, call->results);
}

static inline chi_field chi_wrap(void *data, const int64_t *shape, int32_t rank,
                                 int32_t dtype, int64_t scalar_bytes,
                                 int32_t rows, int32_t columns,
                                 int32_t element_rank, int32_t is_soa) {
  chi_field field;
  memset(&field, 0, sizeof(field));
  field.data = data;
  field.elements = 1;
  for (int32_t axis = 0; axis < 8; ++axis) {
    field.extents[axis] = axis < rank ? shape[axis] : 1;
    field.order[axis] = axis;
    field.elements *= field.extents[axis];
  }
  field.refcount = 1 << 30; /* the caller's memory: never freed here */
  field.dtype = dtype;
  field.rank = rank;
  field.rows = rows;
  field.columns = columns;
  field.element_rank = element_rank;
  field.is_soa = is_soa;
  field.bytes = field.elements * rows * columns * scalar_bytes;
  return field;
}
#endif

)";

/// Kernels of which there is no instance: nothing says their types.
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

CHeader chi::driver::cHeader(const sema::Program &program,
                             const ast::Module &module,
                             const std::string &name) {
  std::string stem = identifier(name), prefix = symbolPrefix(name);
  std::string guard = llvm::StringRef(stem).upper() + "_H";
  CHeader header;
  std::string &text = header.text;
  text = "/* Made by chic build from " + name + ".chi. */\n";
  text += "#ifndef " + guard + "\n#define " + guard + "\n\n" + kCommon;
  text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  text += "int32_t " + prefix +
          "main(int32_t argc, const char *const *argv);\n"
          "/* Prints what went wrong in `body`; returns 0, or 1 or 2 as a "
          "program does. */\n"
          "int32_t " +
          prefix + "guard(void (*body)(void *), void *context);\n\n";
  text += "/* Runs the whole program as its executable would: argv[0] is a "
          "name, then\n * --param value. Returns the exit status. Kernels that "
          "use params or top-level\n * variables need it first. */\n";
  text += "static inline int32_t " + stem +
          "_run(int32_t argc, const char *const *argv) {\n"
          "  return " +
          prefix + "main(argc, argv);\n}\n\n";
  text += "/* The kernels. Fields are passed as memory and extents, results "
          "come back\n * through the last pointers. They return 0, or print an "
          "error and return 1 or 2. */\n";
  auto leaveOut = [&](const std::string &kernel, const std::string &problem) {
    header.leftOut.push_back(kernel + " (" + problem + ")");
  };
  for (const auto &function : program.functions) {
    if (!function->isKernel)
      continue;
    KernelHeader kernel(*function, stem);
    text += kernel.text();
    if (!kernel.problem.empty())
      leaveOut(function->name, kernel.problem);
  }
  for (const std::string &kernel : genericKernels(program, module)) {
    constexpr const char *kWhy =
        "it is generic and called with no types: annotate its parameters";
    text += leftOutText(kernel, kWhy);
    leaveOut(kernel, kWhy);
  }
  text += "#ifdef __cplusplus\n}\n#endif\n#endif /* " + guard + " */\n";
  return header;
}
