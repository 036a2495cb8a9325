//===- PythonPackage.cpp - A library as a Python package ------------------===//
#include "chi/Driver/Library/PythonPackage.h"

#include "chi/Driver/Library/JaxModule.h"
#include "chi/Driver/Library/PythonText.h"
#include "chi/Driver/Library/TorchModule.h"

using namespace chi;
using namespace chi::driver;

/// `%NAME%` becomes the package's name.
static constexpr llvm::StringLiteral kImports = R"py(
import builtins as _py
import os as _os

import tvm_ffi as _ffi

_lib = _ffi.load_module(
    _os.path.join(_os.path.dirname(__file__), "lib%NAME%.so"))


def _like(result, *args):
    """Tensors of a result as arrays of the arguments' framework. With tensors
    of PyTorch tvm-ffi has done it."""
    if _py.isinstance(result, _ffi.Array):
        return _py.tuple(_like(each, *args) for each in result)
    if not _py.isinstance(result, _ffi.Tensor):
        return result
    for arg in args:
        framework = _py.type(arg).__module__.partition(".")[0]
        if framework == "numpy":
            import numpy
            return numpy.from_dlpack(result)
        if framework in ("jax", "jaxlib"):
            import jax
            return jax.dlpack.from_dlpack(result)
        if framework == "torch":
            import torch
            return torch.from_dlpack(result)
    return result
)py";

/// The function `name`, with the parameters of `source`.
static void appendFunction(std::string &out, const std::string &name,
                           const OperatorSource &source, bool hasProduct,
                           const std::string &doc) {
  std::string names = joined(parameterNames(source));
  out += "\n\ndef " + name + "(" + parameterList(source) + "):\n" + doc +
         "    return _like(_lib." + name + "(" + names + ")" +
         (names.empty() ? "" : ", " + names) + ")\n";
  if (!hasProduct)
    return;
  std::vector<std::string> all = parameterNames(source);
  llvm::append_range(all, adjointNames(source));
  std::string given = joined(all);
  out += "\n\ndef " + name + "_vjp(" + given + "):\n" +
         "    \"\"\"The adjoints of the float tensors among the arguments of " +
         name + ".\"\"\"\n    return _like(_lib." + name + "_vjp(" + given +
         "), " + given + ")\n";
}

static constexpr PythonTypes kTypes{"_Tensor", ""};

static void appendStub(std::string &out, const std::string &name,
                       const OperatorSource &source, bool hasProduct) {
  std::vector<std::string> parameters;
  for (auto [k, parameter] : llvm::enumerate(source.function->params))
    parameters.push_back(pythonName(*parameter) + ": " +
                         kTypes.of(parameter->type) +
                         (source.defaults[k].empty() ? "" : " = ..."));
  out += "def " + name + "(" + llvm::join(parameters, ", ") + ") -> " +
         kTypes.result(source) + ": ...\n";
  if (!hasProduct)
    return;
  parameters.clear();
  for (const sema::Variable *parameter : source.function->params)
    parameters.push_back(pythonName(*parameter) + ": " +
                         kTypes.of(parameter->type));
  for (const std::string &name : adjointNames(source))
    parameters.push_back(name + ": _Tensor");
  out += "def " + name + "_vjp(" + llvm::join(parameters, ", ") + ") -> " +
         kTypes.adjoints(source) + ": ...\n";
}

/// A name of that form belongs to the generated modules; the library has the
/// function.
static bool isPrivate(llvm::StringRef name) { return name.starts_with("_"); }

std::vector<PackageFile>
chi::driver::pythonPackage(const std::string &name, const std::string &doc,
                           const std::vector<OperatorSource> &all,
                           const target::cpu::Library &library) {
  std::string head = "# Made by chic build from " + name + ".chi.\n";
  std::string imports(kImports);
  imports.replace(imports.find("%NAME%"), 6, name);
  std::string code = head + quotedDoc(doc) + imports;
  std::string stub = head + "from typing import Any, Sequence as _Sequence\n\n"
                            "_Tensor = Any  # an array or tensor of NumPy, "
                            "PyTorch, JAX, CuPy\n\n";
  std::vector<GenericSource> generics = genericsOf(library, all);
  llvm::erase_if(generics, [](auto &each) { return isPrivate(each.name); });
  std::vector<OperatorSource> operators = all;
  llvm::erase_if(operators, [](auto &each) { return isPrivate(each.name); });
  for (const OperatorSource &source : operators) {
    const bool hasProduct = source.function->record;
    appendFunction(code, source.name, source, hasProduct, docString(source));
    appendStub(stub, source.name, source, hasProduct);
  }
  for (const GenericSource &each : generics) {
    const OperatorSource &first = *each.members.front();
    appendFunction(code, each.name, first, each.hasProducts, docString(each));
    appendStub(stub, each.name, first, each.hasProducts);
  }
  return {{"__init__.py", code},
          {"__init__.pyi", stub},
          {"torch.py", torchModule(name, operators, generics)},
          {"jax.py", jaxModule(name, operators, generics)},
          {"py.typed", ""}};
}
