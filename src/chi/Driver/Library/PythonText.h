//===- PythonText.h - Operators in the words of Python ----------*- C++ -*-===//
#ifndef CHI_DRIVER_LIBRARY_PYTHONTEXT_H
#define CHI_DRIVER_LIBRARY_PYTHONTEXT_H

#include "chi/Driver/Library/Operators.h"
#include "llvm/ADT/StringExtras.h"

namespace chi::driver {

/// A doc string in quotes that it does not contain, with its end of line; "" of
/// an empty one.
std::string quotedDoc(const std::string &text, const std::string &indent = "");
/// The doc string of an operator's function: its head, and what the program
/// says of it.
std::string docString(const OperatorSource &source);

/// A generic function, whose exported instances are operators; the arguments
/// choose one.
struct GenericSource {
  std::string name; ///< "smooth"
  std::vector<const OperatorSource *> members;
  bool hasProducts = false; ///< each member has one
};
/// Those of a library.
std::vector<GenericSource>
genericsOf(const target::cpu::Library &library,
           const std::vector<OperatorSource> &operators);
/// As that of an operator, with the heads of all members.
std::string docString(const GenericSource &source);
/// "def smooth(…):" of a module of PyTorch or JAX whose `_pick` finds a member
/// by the types of the fields; `dtypeOf` names a type.
std::string
genericFunction(const GenericSource &source,
                llvm::function_ref<std::string(sema::TypeRef)> dtypeOf);

/// The function `_pick` of such a module.
extern const llvm::StringLiteral kPick;

/// The function `_check` of a module of PyTorch or JAX, which refuses what the
/// library would refuse where it is only traced. It needs `_dtype`.
extern const llvm::StringLiteral kCheck;
/// "    _check(…)", a line for the fields of an operator, and for `adjoints`,
/// those of its results; "" if there are none. `dtypeOf` names a type.
std::string checkLine(const OperatorSource &source,
                      llvm::function_ref<std::string(sema::TypeRef)> dtypeOf,
                      const std::vector<std::string> &adjoints = {});

/// What Python calls a parameter. A name that begins with an underscore gets
/// one at its end: those without belong to the generated modules.
std::string pythonName(const sema::Variable &parameter);

/// The names of the parameters.
std::vector<std::string> parameterNames(const OperatorSource &source);
/// The same with their defaults: "w, eps=0.1".
std::string parameterList(const OperatorSource &source);
/// Names for the adjoints of the results that are fields of floats; no
/// parameter has one of these.
std::vector<std::string> adjointNames(const OperatorSource &source);
/// Names for the adjoints of all results, and those of them that there are:
/// other results than fields of floats have none.
struct Cotangents {
  explicit Cotangents(const OperatorSource &source);
  std::vector<std::string> all, active;
  std::vector<sema::TypeRef> types; ///< of the results of the active ones
};
/// Whether a type is a field of floats: what has an adjoint.
bool isFloatField(sema::TypeRef type);
inline std::string joined(const std::vector<std::string> &parts) {
  return llvm::join(parts, ", ");
}

/// What NumPy, PyTorch and JAX call the type of a number: "float32"; the one of
/// a bool differs: `truth`.
std::string dtypeName(sema::TypeRef type, const std::string &truth);
/// How annotations name types: a field is a `tensor`, Python's own types have
/// the prefix `own`, where a function of the program may have their names.
struct PythonTypes {
  llvm::StringRef tensor, own;

  /// Of a parameter.
  std::string of(sema::TypeRef type) const;
  /// Of the result.
  std::string result(const OperatorSource &source) const;
  /// Of what the vector-Jacobian product returns.
  std::string adjoints(const OperatorSource &source) const;

private:
  std::string tuple(const std::vector<std::string> &types) const;
};

} // namespace chi::driver
#endif // CHI_DRIVER_LIBRARY_PYTHONTEXT_H
