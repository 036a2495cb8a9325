//===- Operations.cpp - Operations as users write them --------------------===//
#include "chi/Sema/Tree/Operations.h"
#include "llvm/Support/ErrorHandling.h"

using namespace chi;
using namespace chi::sema;

llvm::StringRef sema::spelling(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add:
    return "+";
  case BinaryOp::Sub:
    return "-";
  case BinaryOp::Mul:
    return "*";
  case BinaryOp::Div:
    return "/";
  case BinaryOp::FloorDiv:
    return "//";
  case BinaryOp::Mod:
    return "%";
  case BinaryOp::Pow:
    return "**";
  case BinaryOp::BitAnd:
    return "&";
  case BinaryOp::BitOr:
    return "|";
  case BinaryOp::BitXor:
    return "^";
  case BinaryOp::Shl:
    return "<<";
  case BinaryOp::Shr:
    return ">>";
  case BinaryOp::Min:
    return "min";
  case BinaryOp::Max:
    return "max";
  case BinaryOp::MatMul:
    return "@";
  }
  return "?";
}

llvm::StringRef sema::spelling(CompareOp op) {
  static constexpr llvm::StringRef kText[] = {"==", "!=", "<", "<=", ">", ">="};
  return kText[unsigned(op)];
}

llvm::StringRef sema::builtinName(Builtin op) {
  static constexpr llvm::StringRef kNames[] = {
      "sqrt",          "rsqrt",       "exp",        "exp2",
      "expm1",         "log",         "log2",       "log10",
      "log1p",         "sin",         "cos",        "tan",
      "asin",          "acos",        "atan",       "sinh",
      "cosh",          "tanh",        "asinh",      "acosh",
      "atanh",         "cbrt",        "erf",        "erfc",
      "floor",         "ceil",        "round",      "trunc",
      "atan2",         "hypot",       "copysign",   "fmod",
      "fma",           "isnan",       "isinf",      "isfinite",
      "abs",           "sign",        "min",        "max",
      "clamp",         "mix",         "step",       "smoothstep",
      "stop_gradient", "dot",         "cross",      "outer",
      "norm",          "norm_sqr",    "normalized", "transpose",
      "determinant",   "inverse",     "trace",      "col",
      "diag",          "identity",    "sum",        "prod",
      "min_element",   "max_element", "all",        "any",
      "choose",        "ldexp",       "exponent",   "popcount",
      "clz",           "ctz",         "mulhi"};
  return kNames[unsigned(op)];
}
