//===- Spelling.cpp - How operators are written ---------------------------===//
#include "chi/AST/Expr.h"
#include "llvm/Support/ErrorHandling.h"

using namespace chi::ast;
using llvm::StringRef;

StringRef chi::ast::spelling(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add: return "+";
  case BinaryOp::Sub: return "-";
  case BinaryOp::Mul: return "*";
  case BinaryOp::Div: return "/";
  case BinaryOp::FloorDiv: return "//";
  case BinaryOp::Mod: return "%";
  case BinaryOp::Pow: return "**";
  case BinaryOp::MatMul: return "@";
  case BinaryOp::BitAnd: return "&";
  case BinaryOp::BitOr: return "|";
  case BinaryOp::BitXor: return "^";
  case BinaryOp::Shl: return "<<";
  case BinaryOp::Shr: return ">>";
  }
  llvm_unreachable("all operators are listed");
}

StringRef chi::ast::spelling(CompareOp op) {
  switch (op) {
  case CompareOp::Eq: return "==";
  case CompareOp::Ne: return "!=";
  case CompareOp::Lt: return "<";
  case CompareOp::Le: return "<=";
  case CompareOp::Gt: return ">";
  case CompareOp::Ge: return ">=";
  case CompareOp::In: return "in";
  case CompareOp::NotIn: return "not in";
  case CompareOp::Is: return "is";
  case CompareOp::IsNot: return "is not";
  }
  llvm_unreachable("all operators are listed");
}

StringRef chi::ast::spelling(UnaryOp op) {
  switch (op) {
  case UnaryOp::Plus: return "+";
  case UnaryOp::Minus: return "-";
  case UnaryOp::Invert: return "~";
  case UnaryOp::Not: return "not";
  }
  llvm_unreachable("all operators are listed");
}
