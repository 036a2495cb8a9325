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

static void appendFunction(std::string &out, const OperatorSource &source) {
  std::string names = joined(parameterNames(source));
  out += "\n\ndef " + source.name + "(" + parameterList(source) + "):\n" +
         docString(source) + "    return _like(_lib." + source.name + "(" +
         names + ")" + (names.empty() ? "" : ", " + names) + ")\n";
  if (!source.function->record)
    return;
  std::vector<std::string> all = parameterNames(source);
  llvm::append_range(all, adjointNames(source));
  std::string given = joined(all);
  out += "\n\ndef " + source.name + "_vjp(" + given + "):\n" +
         "    \"\"\"The adjoints of the float tensors among the arguments of " +
         source.name + ".\"\"\"\n    return _like(_lib." + source.name +
         "_vjp(" + given + "), " + given + ")\n";
}

static constexpr PythonTypes kTypes{"_Tensor", ""};

static void appendStub(std::string &out, const OperatorSource &source) {
  std::vector<std::string> parameters;
  for (auto [k, parameter] : llvm::enumerate(source.function->params))
    parameters.push_back(parameter->name + ": " + kTypes.of(parameter->type) +
                         (source.defaults[k].empty() ? "" : " = ..."));
  out += "def " + source.name + "(" + llvm::join(parameters, ", ") + ") -> " +
         kTypes.result(source) + ": ...\n";
  if (!source.function->record)
    return;
  parameters.clear();
  for (const sema::Variable *parameter : source.function->params)
    parameters.push_back(parameter->name + ": " + kTypes.of(parameter->type));
  for (const std::string &name : adjointNames(source))
    parameters.push_back(name + ": _Tensor");
  out += "def " + source.name + "_vjp(" + llvm::join(parameters, ", ") +
         ") -> " + kTypes.adjoints(source) + ": ...\n";
}

std::vector<PackageFile>
chi::driver::pythonPackage(const std::string &name, const std::string &doc,
                           const std::vector<OperatorSource> &operators) {
  std::string head = "# Made by chic build from " + name + ".chi.\n";
  std::string imports(kImports);
  imports.replace(imports.find("%NAME%"), 6, name);
  std::string code = head + quotedDoc(doc) + imports;
  std::string stub = head + "from typing import Any, Sequence as _Sequence\n\n"
                            "_Tensor = Any  # an array or tensor of NumPy, "
                            "PyTorch, JAX, CuPy\n\n";
  for (const OperatorSource &source : operators) {
    appendFunction(code, source);
    appendStub(stub, source);
  }
  return {{"__init__.py", code},
          {"__init__.pyi", stub},
          {"torch.py", torchModule(name, operators)},
          {"jax.py", jaxModule(name, operators)},
          {"py.typed", ""}};
}
