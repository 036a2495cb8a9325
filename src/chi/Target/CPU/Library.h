//===- Library.h - What a library has for other languages -------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_LIBRARY_H
#define CHI_TARGET_CPU_LIBRARY_H

#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace chi::target::cpu {

/// The C function of a kernel or function.
struct LibraryFunction {
  std::string name;  ///< "blur_smooth"
  std::string entry; ///< the symbol of the entry with flattened arguments
  /// The C arguments, as chirt_call reads them.
  std::string signature;
  /// A letter for each C argument: p pointer, b h w l integers of 8 to 64 bits,
  /// f float, d double.
  std::string parameters;
};

/// A kernel or function as tvm-ffi calls it.
struct Operator {
  std::string name;  ///< "smooth": the symbol is "__tvm_ffi_smooth"
  std::string entry; ///< as of a LibraryFunction
  /// The entries that keep a call, and that run its adjoint; empty: it has no
  /// vector-Jacobian product, "__tvm_ffi_smooth_vjp".
  std::string record, backward;
  std::string signature; ///< chirt_operator::signature
  /// It returns something: "__tvm_ffi_smooth.into" writes that into tensors.
  bool hasResults = false;
  std::string metadata; ///< JSON: its type in tvm-ffi's schema
  std::string doc;
};

/// Operators that are instances of one function, which tvm-ffi finds by the
/// function's name; the arguments choose one.
struct OperatorGroup {
  std::string name;            ///< "smooth"
  std::vector<size_t> members; ///< in Library::operators
};

struct Library {
  std::string stem;   ///< "blur": the prefix of its C functions
  std::string prefix; ///< of its other names that are seen: "chi_blur_"
  std::vector<LibraryFunction> functions;
  std::vector<Operator> operators;
  std::vector<OperatorGroup> groups;

  /// What C++ calls for an operator: "chi_blur_invoke_smooth".
  std::string invokeName(const std::string &op) const {
    return prefix + "invoke_" + op;
  }
  /// Whether each member has results, or a vector-Jacobian product.
  bool haveResults(const OperatorGroup &group) const;
  bool haveRecords(const OperatorGroup &group) const;
  /// All names that others may use.
  std::vector<std::string> exports() const;
};

/// The variable that records whether the program of a library has run.
inline constexpr const char *kHasRun = "chi_has_run";
/// The table of the program's fields.
inline constexpr const char *kFieldTable = "chi_fields";

/// Fills a module with the functions of `library`; `PREFIXmain` is there
/// already and is called by `STEM_run`.
void addLibraryFunctions(llvm::Module &module, const Library &library);

} // namespace chi::target::cpu
#endif // CHI_TARGET_CPU_LIBRARY_H
