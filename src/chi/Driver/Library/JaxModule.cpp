//===- JaxModule.cpp - Operators of jax.ffi -------------------------------===//
#include "chi/Driver/Library/JaxModule.h"

#include "chi/Driver/Library/PythonText.h"
#include "chi/Driver/Library/ResultShapes.h"

using namespace chi;
using namespace chi::driver;

namespace {
/// Writes what the module has of one operator.
class JaxOperator {
public:
  JaxOperator(std::string &out, const std::string &package,
              const OperatorSource &source)
      : out(out), package(package), source(source),
        names(parameterNames(source)), results(resultsOf(*source.function)) {
    for (const sema::Variable *parameter : source.function->params)
      (parameter->type->isField() ? arrays : attributes)
          .push_back(pythonName(*parameter));
  }
  /// Why JAX cannot have it; "" if it can.
  std::string problem() const;
  void write();

private:
  void writeRegistration(const std::string &symbol);
  void writeCall(const std::string &symbol,
                 const std::vector<std::string> &taken,
                 const std::vector<std::string> &made,
                 const std::vector<std::string> &adjoints = {});
  void writeFunction();
  void writeGradient();
  std::string madeResult(size_t result) const;

  std::string &out;
  const std::string &package;
  const OperatorSource &source;
  std::vector<std::string> names, arrays, attributes;
  std::vector<sema::TypeRef> results;
};
} // namespace

/// "_np.float32"; NumPy has no bf16.
static std::string dtypeOf(sema::TypeRef type) {
  return (type->scalar()->isBrain ? "_jax.numpy." : "_np.") +
         dtypeName(type, "bool_");
}

/// "_np.dtype(_np.float32)", which arrays have.
static std::string npType(sema::TypeRef type) {
  return "_np.dtype(" + dtypeOf(type) + ")";
}

/// A number as an attribute of XLA, which has no halves: it must be of the kind
/// that the function takes, as in a call of the library.
static std::string attribute(const OperatorSource &source,
                             const sema::Variable &parameter) {
  sema::TypeRef type = parameter.type;
  bool isHalf = type->isFloat() && type->bits == 16;
  return "_attribute(\"" + source.name + ": " + parameter.name + "\", " +
         pythonName(parameter) + ", " +
         (isHalf ? "_np.float32" : dtypeOf(type)) + ", \"" + type->str() +
         "\")";
}

/// "(2, n,)"
static std::string tupleOf(const std::vector<std::string> &parts) {
  return "(" + joined(parts) + (parts.size() == 1 ? ",)" : ")");
}

static std::string made(const std::string &shape, sema::TypeRef type) {
  return "_jax.ShapeDtypeStruct(" + shape + ", " + dtypeOf(type) + ")";
}

std::string JaxOperator::problem() const {
  if (source.written.any())
    return "it changes its arguments";
  if (results.empty())
    return "it returns nothing";
  for (const sema::Variable *parameter : source.function->params)
    if (!parameter->type->isField() && !parameter->type->isScalar())
      return parameter->name + " is a " + parameter->type->str() +
             ", which is neither an array nor a number";
  for (auto [k, result] : llvm::enumerate(results)) {
    if (result->isStr())
      return "it returns a str";
    if (result->isField() && !resultShape(*source.function, k))
      return "the shape of its result depends on more than the shapes of its "
             "arguments";
  }
  return "";
}

std::string JaxOperator::madeResult(size_t result) const {
  sema::TypeRef type = results[result];
  if (type->isField())
    return made(tupleOf(*resultShape(*source.function, result)), type);
  std::vector<std::string> extents;
  if (type->isAggregate())
    for (int64_t extent : type->shape)
      extents.push_back(std::to_string(extent));
  return made(tupleOf(extents), type);
}

/// XLA passes arrays, results and attributes apart.
void JaxOperator::writeRegistration(const std::string &symbol) {
  std::vector<std::string> order{"\"args\"", "\"rets\""};
  for (const std::string &name : attributes)
    order.push_back("\"attrs.arg_" + name + "\"");
  out += "\n\n_register(\"" + symbol + "\", [" + joined(order) + "])\n";
}

/// The function that calls XLA's target.
void JaxOperator::writeCall(const std::string &symbol,
                            const std::vector<std::string> &taken,
                            const std::vector<std::string> &made,
                            const std::vector<std::string> &adjoints) {
  std::vector<std::string> all = taken, given = taken;
  llvm::append_range(all, attributes);
  for (const sema::Variable *parameter : source.function->params)
    if (!parameter->type->isField())
      given.push_back("arg_" + pythonName(*parameter) + "=" +
                      attribute(source, *parameter));
  out += "\n\ndef _op_" + symbol + "(" + joined(all) + "):\n" +
         checkLine(source, npType, adjoints) +
         "    return _jax.ffi.ffi_call(\n        \"" + package + "." + symbol +
         "\", " + (made.size() == 1 ? made[0] : tupleOf(made)) +
         ",\n        vmap_method=\"sequential\")(" + joined(given) + ")\n";
}

/// Numbers are no arrays: they are known when JAX traces.
void JaxOperator::writeFunction() {
  std::vector<std::string> shapes, places, ordered = arrays;
  for (size_t k = 0; k < results.size(); ++k)
    shapes.push_back(madeResult(k));
  writeRegistration(source.name);
  writeCall(source.name, arrays, shapes);
  if (source.function->record) {
    for (auto [k, parameter] : llvm::enumerate(source.function->params))
      if (!parameter->type->isField())
        places.push_back(std::to_string(k));
    out += "\n\n@_functools.partial(_jax.custom_vjp, nondiff_argnums=" +
           tupleOf(places) + ")";
  } else {
    out += "\n";
  }
  llvm::append_range(ordered, attributes);
  out += "\ndef " + source.name + "(" + parameterList(source) + "):\n" +
         docString(source) + "    return _op_" + source.name + "(" +
         joined(ordered) + ")\n";
}

void JaxOperator::writeGradient() {
  std::vector<std::string> shapes, returned, taken = arrays;
  for (const sema::Variable *parameter : source.function->params) {
    bool isActive = isFloatField(parameter->type);
    if (isActive)
      shapes.push_back(
          made(pythonName(*parameter) + ".shape", parameter->type));
    if (parameter->type->isField())
      returned.push_back(isActive ? "_found[" +
                                        std::to_string(shapes.size() - 1) + "]"
                                  : "None");
  }
  Cotangents cotangents(source);
  std::string product = source.name + "_vjp";
  llvm::append_range(taken, cotangents.active);
  writeRegistration(product);
  writeCall(product, taken, shapes, cotangents.active);
  std::vector<std::string> backward = attributes, all = arrays;
  backward.push_back("_saved");
  backward.push_back(results.size() == 1 ? cotangents.all[0] : "_made");
  // The adjoint of an f16 or bf16 is an f32.
  for (auto [name, type] : llvm::zip_equal(cotangents.active, cotangents.types))
    all.push_back(type->scalar()->bits == 16 ? name + ".astype(_np.float32)"
                                             : name);
  llvm::append_range(all, attributes);
  out += "\n\ndef _op_" + source.name + "_forward(" + joined(names) +
         "):\n    return " + source.name + "(" + joined(names) + "), " +
         tupleOf(arrays) + "\n\n\ndef _op_" + source.name + "_backward(" +
         joined(backward) + "):\n";
  if (!arrays.empty())
    out += "    " + joined(arrays) + (arrays.size() == 1 ? "," : "") +
           " = _saved\n";
  if (results.size() > 1)
    out += "    " + joined(cotangents.all) + " = _made\n";
  std::string call = "_op_" + product + "(" + joined(all) + ")";
  out += "    _found = " + (shapes.size() == 1 ? "(" + call + ",)" : call) +
         "\n    return " + tupleOf(returned) + "\n\n\n" + source.name +
         ".defvjp(_op_" + source.name + "_forward, _op_" + source.name +
         "_backward)\n";
}

void JaxOperator::write() {
  if (std::string why = problem(); !why.empty()) {
    out += "\n\ndef " + source.name +
           "(*args, **kwargs):\n    raise "
           "_py.NotImplementedError(\"" +
           source.name + " is no function of JAX: " + why + "\")\n";
    return;
  }
  writeFunction();
  if (source.function->record)
    writeGradient();
}

std::string chi::driver::jaxModule(const std::string &name,
                                   const std::vector<OperatorSource> &operators,
                                   const std::vector<GenericSource> &generics) {
  std::string out = "# Made by chic build from " + name + ".chi.\n" +
                    "\"\"\"The operators of " + name +
                    " as functions of JAX, with gradients.\"\"\"\n" + R"py(
import builtins as _py
import functools as _functools
import operator as _operator

import jax as _jax
import jax_tvm_ffi as _jax_tvm_ffi
import numpy as _np

from . import _lib


def _dtype(array):
    return _jax.dtypes.canonicalize_dtype(array.dtype)


def _attribute(where, value, dtype, name):
    """A number as XLA passes it; it must be of the kind that the function
    takes."""
    try:
        if dtype is _np.bool_ and _py.isinstance(value, (_py.bool, _np.bool_)):
            return dtype(value)
        if _py.issubclass(dtype, _np.integer):
            number = _operator.index(value)
            info = _np.iinfo(dtype)
            if not info.min <= number <= _py.min(info.max, 2**63 - 1):
                raise _py.ValueError(f"{where} is {number}, which is no {name}"
                                     + " below 2^63" * (info.max > 2**63))
            return dtype(number)
        if dtype is not _np.bool_ and not _py.isinstance(value, _py.str):
            return dtype(_py.float(value))
    except _py.TypeError:
        pass
    found = _py.type(value).__name__
    raise _py.TypeError(f"{where} is {found}, expected {name}")


def _register(symbol, order):
    function = _lib.get_function(symbol + ".into")
    _jax_tvm_ffi.register_ffi_target(")py" +
                    name + R"py(." + symbol, function,
                                     order, platform="cpu")
)py" + kCheck.str();
  for (const OperatorSource &source : operators)
    JaxOperator(out, name, source).write();
  if (!generics.empty())
    out += kPick;
  for (const GenericSource &source : generics)
    out += genericFunction(source, npType);
  return out;
}
