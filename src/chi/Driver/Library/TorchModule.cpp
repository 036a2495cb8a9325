//===- TorchModule.cpp - Operators of torch.library -----------------------===//
#include "chi/Driver/Library/TorchModule.h"

#include "chi/Driver/Library/PythonText.h"
#include "chi/Driver/Library/ResultShapes.h"

using namespace chi;
using namespace chi::driver;

namespace {
/// Writes what the module has of one operator.
class TorchOperator {
public:
  TorchOperator(std::string &out, const std::string &package,
                const OperatorSource &source)
      : out(out), package(package), source(source), op("_op_" + source.name),
        product(op + "_vjp"), names(parameterNames(source)),
        results(resultsOf(*source.function)) {}
  void write();

private:
  void writeOperator();
  void writeFunction();
  void writeFake();
  void writeProduct();
  void writeBatchRule(const std::string &of);
  void writeGradient();
  std::string emptyResult(size_t result);
  std::string emptyField(size_t result);
  std::vector<std::string> parameters(bool hasDefaults) const;

  std::string &out;
  const std::string &package;
  const OperatorSource &source;
  std::string op, product; ///< what custom_op makes
  std::vector<std::string> names;
  std::vector<sema::TypeRef> results;
};
} // namespace

/// Functions of the program may have the names of Python's types.
static constexpr PythonTypes kTypes{"_Tensor", "_py."};

/// "_pt.float32"
static std::string dtypeOf(sema::TypeRef type) {
  return "_pt." + dtypeName(type, "bool");
}

/// A field, or a mat.
static bool isTensor(sema::TypeRef type) {
  return kTypes.of(type) == kTypes.tensor;
}

std::vector<std::string> TorchOperator::parameters(bool hasDefaults) const {
  std::vector<std::string> all;
  for (auto [k, parameter] : llvm::enumerate(source.function->params)) {
    bool isGiven = hasDefaults && !source.defaults[k].empty();
    all.push_back(pythonName(*parameter) + ": " + kTypes.of(parameter->type) +
                  (isGiven ? " = " + source.defaults[k] : ""));
  }
  return all;
}

/// The operator itself. Those that change arguments say which.
void TorchOperator::writeOperator() {
  std::vector<std::string> changed;
  for (int k : source.written.set_bits())
    changed.push_back("\"" + names[k] + "\"");
  out += "\n\n@_pt.library.custom_op(\"" + package + "::" + source.name +
         "\", mutates_args=(" + joined(changed) +
         (changed.size() == 1 ? "," : "") + "))\ndef " + op + "(" +
         joined(parameters(/*hasDefaults=*/true)) + ") -> " +
         kTypes.result(source) + ":\n";
  std::string call = "_lib." + source.name + "(" + joined(names) + ")";
  if (results.empty())
    out += "    " + call + "\n";
  else
    out += "    return " +
           std::string(results.size() > 1 ? "_all(" : "_torch(") + call + ")\n";
}

/// A function of the module, which pickle finds by its name.
void TorchOperator::writeFunction() {
  std::vector<std::string> tensors;
  for (const sema::Variable *parameter : source.function->params)
    if (parameter->type->isField())
      tensors.push_back(pythonName(*parameter));
  out += "\n\ndef " + source.name + "(" + parameterList(source) + "):\n" +
         docString(source);
  if (!tensors.empty())
    out += "    _refuse_tangents(\"" + source.name + "\", " + joined(tensors) +
           ")\n";
  out += "    return " + op + "(" + joined(names) + ")\n";
}

/// A tensor of the shape that the result has.
std::string TorchOperator::emptyField(size_t result) {
  sema::TypeRef type = results[result];
  std::vector<std::string> extents;
  if (auto known = resultShape(*source.function, result)) {
    extents = *known;
  } else {
    for (unsigned axis = 0; axis < type->rank(); ++axis)
      extents.push_back("_pt.library.get_ctx().new_dynamic_size()");
    if (type->element->isAggregate())
      for (int64_t inner : type->element->shape)
        extents.push_back(std::to_string(inner));
  }
  return "_pt.empty((" + joined(extents) + (extents.size() == 1 ? ",)" : ")") +
         ", dtype=" + dtypeOf(type) + ")";
}

std::string TorchOperator::emptyResult(size_t result) {
  sema::TypeRef type = results[result];
  if (type->isField())
    return emptyField(result);
  if (type->isAggregate()) {
    std::vector<std::string> extents;
    for (int64_t extent : type->shape)
      extents.push_back(std::to_string(extent));
    return "_pt.empty((" + joined(extents) + ",), dtype=" + dtypeOf(type) + ")";
  }
  return type->isStr()    ? "\"\""
         : type->isBool() ? "False"
         : type->isInt()  ? "0"
                          : "0.0";
}

void TorchOperator::writeFake() {
  out +=
      "\n\n@" + op + ".register_fake\ndef _(" + parameterList(source) + "):\n";
  std::vector<std::string> parts;
  for (size_t k = 0; k < results.size(); ++k)
    parts.push_back(emptyResult(k));
  out += checkLine(source, dtypeOf) + "    return " +
         (parts.empty() ? "None" : joined(parts)) + "\n";
}

/// The adjoint is an operator too, so that a compiled graph can contain it.
void TorchOperator::writeProduct() {
  std::vector<std::string> all = parameters(/*hasDefaults=*/false);
  std::vector<std::string> given = names, like;
  for (const std::string &name : adjointNames(source)) {
    all.push_back(name + ": _Tensor");
    given.push_back(name);
  }
  for (const sema::Variable *parameter : source.function->params)
    if (isFloatField(parameter->type))
      like.push_back("_pt.empty(" + pythonName(*parameter) +
                     ".shape, dtype=" + dtypeOf(parameter->type) + ")");
  std::string call = "_lib." + source.name + "_vjp(" + joined(given) + ")";
  out += "\n\n@_pt.library.custom_op(\"" + package + "::" + source.name +
         "_vjp\", mutates_args=())\ndef " + product + "(" + joined(all) +
         ") -> " + kTypes.adjoints(source) + ":\n    return " +
         (like.size() > 1 ? "_all(" : "_torch(") + call + ")" + "\n\n\n@" +
         product + ".register_fake\ndef _(" + joined(given) + "):\n" +
         checkLine(source, dtypeOf, adjointNames(source)) + "    return " +
         joined(like) + "\n";
}

void TorchOperator::writeGradient() {
  std::vector<std::string> saved, rest, gradients;
  size_t numActive = 0;
  for (const sema::Variable *parameter : source.function->params) {
    (isTensor(parameter->type) ? saved : rest)
        .push_back(pythonName(*parameter));
    bool isActive = isFloatField(parameter->type);
    gradients.push_back(isActive ? "_found[" + std::to_string(numActive++) + "]"
                                 : "None");
  }
  Cotangents cotangents(source);
  auto tuple = [](const std::vector<std::string> &parts) {
    return joined(parts) + (parts.size() == 1 ? "," : "");
  };
  std::vector<std::string> all = names;
  // The adjoint of an f16 or bf16 is an f32.
  for (auto [name, type] : llvm::zip_equal(cotangents.active, cotangents.types))
    all.push_back(type->scalar()->bits == 16 ? name + ".float()" : name);
  out += "\n\ndef _save(ctx, inputs, output):\n"
         "    _ctx, _inputs = ctx, inputs\n    " +
         tuple(names) + " = _inputs\n    _ctx.save_for_backward(" +
         joined(saved) + ")\n    _ctx.rest = (" + tuple(rest) +
         ")\n\n\ndef _backward(_ctx, " + joined(cotangents.all) + "):\n    " +
         tuple(saved) + " = _ctx.saved_tensors\n";
  if (!rest.empty())
    out += "    " + tuple(rest) + " = _ctx.rest\n";
  std::string call = product + "(" + joined(all) + ")";
  out += "    _found = " + (numActive == 1 ? "(" + call + ",)" : call) +
         "\n    return " + joined(gradients) + "\n\n\n" + op +
         ".register_autograd(_backward, setup_context=_save)\n";
}

/// The type of all floats among the tensors; null if there are several.
static sema::TypeRef floatsOf(const OperatorSource &source) {
  sema::TypeRef found = nullptr;
  for (const sema::Variable *parameter : source.function->params) {
    sema::TypeRef type = parameter->type;
    if (!isTensor(type) || !type->scalar()->isFloat())
      continue;
    if (found && found != type->scalar())
      return nullptr;
    found = type->scalar();
  }
  return found;
}

/// How an operator is called for a batch. One that changes its arguments has no
/// such rule.
void TorchOperator::writeBatchRule(const std::string &of) {
  bool hasTensors =
      !results.empty() && llvm::all_of(results, [](sema::TypeRef result) {
        return result->isField() || result->isAggregate();
      });
  if (hasTensors)
    out += "\n\n@" + of + ".register_vmap\ndef _(info, dims, *args):\n" +
           "    return _each(" + of + ", info, dims, args)\n";
}

void TorchOperator::write() {
  writeOperator();
  writeFake();
  if (source.written.none()) {
    writeBatchRule(op);
    // Where PyTorch would rather have another type.
    if (sema::TypeRef floats = floatsOf(source))
      out += "\n\n" + op + ".register_autocast(\"cpu\", " + dtypeOf(floats) +
             ")\n";
  }
  if (source.function->record) {
    writeProduct();
    writeBatchRule(product);
    writeGradient();
  }
  writeFunction();
}

std::string
chi::driver::torchModule(const std::string &name,
                         const std::vector<OperatorSource> &operators,
                         const std::vector<GenericSource> &generics) {
  std::string out = "# Made by chic build from " + name + ".chi.\n" +
                    "\"\"\"The operators of " + name +
                    " as operators of PyTorch, with gradients.\"\"\"\n" + R"py(
import builtins as _py
from typing import Sequence as _Sequence

import torch as _pt
from torch import Tensor as _Tensor

from . import _ffi, _lib


def _torch(result):
    isTensor = _py.isinstance(result, _ffi.Tensor)
    return _pt.from_dlpack(result) if isTensor else result


def _all(results):
    return _py.tuple(_torch(each) for each in results)


def _dtype(tensor):
    return tensor.dtype


def _refuse_tangents(name, *tensors):
    """PyTorch would take the derivative of an operator in forward mode as
    zero."""
    forward = _pt.autograd.forward_ad
    if forward._current_level >= 0 and _py.any(
            forward.unpack_dual(each).tangent is not None for each in tensors):
        raise _py.NotImplementedError(
            name + " has no derivative in forward mode")


def _each(op, info, dims, args):
    """The operator once for each element of a batch."""
    if info.batch_size == 0:
        raise _py.ValueError("vmap of an operator over no elements")
    made = [op(*(arg.select(dim, k) if _py.isinstance(dim, _py.int) else arg
                 for arg, dim in _py.zip(args, dims)))
            for k in _py.range(info.batch_size)]
    if _py.isinstance(made[0], _py.tuple):
        several = _py.tuple(_pt.stack(each) for each in _py.zip(*made))
        return several, (0,) * _py.len(several)
    return _pt.stack(made), 0
)py" + kCheck.str();
  for (const OperatorSource &source : operators)
    TorchOperator(out, name, source).write();
  if (!generics.empty())
    out += kPick;
  for (const GenericSource &source : generics)
    out += genericFunction(source, dtypeOf);
  return out;
}
