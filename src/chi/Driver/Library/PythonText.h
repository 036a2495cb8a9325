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

/// The names of the parameters.
std::vector<std::string> parameterNames(const OperatorSource &source);
/// The same with their defaults: "w, eps=0.1".
std::string parameterList(const OperatorSource &source);
/// Names for the adjoints of the results that are fields of floats; no
/// parameter has one of these.
std::vector<std::string> adjointNames(const OperatorSource &source);
/// Whether a type is a field of floats: what has an adjoint.
bool isFloatField(sema::TypeRef type);
inline std::string joined(const std::vector<std::string> &parts) {
  return llvm::join(parts, ", ");
}

/// What NumPy, PyTorch and JAX call the type of a number: "float32"; the one of
/// a bool differs: `truth`.
std::string dtypeName(sema::TypeRef type, const std::string &truth);
/// The annotation of a parameter; a field is a `tensor`.
std::string pythonType(sema::TypeRef type, const std::string &tensor);
/// That of the result.
std::string pythonResult(const OperatorSource &source,
                         const std::string &tensor);
/// That of what the vector-Jacobian product returns.
std::string pythonAdjoints(const OperatorSource &source,
                           const std::string &tensor);

} // namespace chi::driver
#endif // CHI_DRIVER_LIBRARY_PYTHONTEXT_H
