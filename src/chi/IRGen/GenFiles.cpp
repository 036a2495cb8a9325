//===- GenFiles.cpp - Files, reports and the environment ------------------===//

#include "chi/IRGen/Gen.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;
using sema::HostOp;

/// The value that a function of the run time left in memory.
ProgramValue FunctionGen::valueIn(mlir::Value slot, sema::TypeRef type) {
  Type scalar = module.scalarType(type->scalar());
  return map(type, [&](Index k) -> mlir::Value {
    Type memory = scalar.isInteger(1) ? Type(b.getI8Type()) : scalar;
    mlir::Value part = ir::GetOp::create(b, here, memory, slot, asI32(k));
    if (!scalar.isInteger(1)) // a bool is a byte in memory
      return part;
    return arith::TruncIOp::create(b, here, scalar, part);
  });
}

/// A new str of the run time.
mlir::Value FunctionGen::madeText(StringRef function,
                                  ArrayRef<mlir::Value> args, StringRef site) {
  mlir::Value made =
      rt(here, function, ir::StrType::get(b.getContext()), args, site);
  temporaries.push_back(made);
  return made;
}

/// Names values for the next call that takes named ones. All are evaluated
/// before the first is named: evaluation may name others. Numbers lie in memory
/// of their own.
void FunctionGen::nameValues(const sema::HostOpExpr &expr,
                             ArrayRef<ProgramValue> values) {
  for (auto [name, value] : llvm::zip_equal(expr.names, values)) {
    mlir::Value label = makeText(b, here, name);
    if (value.type->isField()) {
      rt(here, "chirt_name_field", nullptr, {label, value.single()});
    } else if (value.type->isStr()) {
      rt(here, "chirt_name_str", nullptr, {label, value.single()});
    } else {
      rt(here, "chirt_name_value", nullptr,
         {label, makeText(b, here, describeElement(value.type)), value.slot});
    }
  }
}

ProgramValue FunctionGen::genLoadFile(const sema::HostOpExpr &expr) {
  SmallVector<mlir::Value> args;
  for (const sema::Expr *arg : expr.args)
    args.push_back(genExpr(arg).single());
  bool isNamed = args.size() == 2;
  StringRef marks = expr.text;
  bool isCast = marks.consume_front("cast");
  if (expr.type->isStr())
    return {expr.type, {madeText("chirt_load_str", args, "load")}, {}};
  if (!expr.type->isField()) {
    Type scalar = module.scalarType(expr.type->scalar());
    mlir::Value slot =
        makeSlot("", scalar.isInteger(1) ? Type(b.getI8Type()) : scalar,
                 expr.type->numScalars());
    args.append({makeText(b, here, describeElement(expr.type)),
                 constInt(b.getI32Type(), isCast), slot});
    rt(here, "chirt_load_value", nullptr, args, "load");
    if (!expr.type->isComplex)
      return valueIn(slot, expr.type);
    ProgramValue number{expr.type, {}, {}};
    number.members.push_back(valueIn(slot, expr.type->members[0]));
    return number;
  }
  args.append({makeText(b, here, describe(expr.type, marks)),
               constInt(b.getI64Type(), int64_t(expr.type->rank()))});
  if (isNamed)
    args.push_back(constInt(b.getI32Type(), isCast));
  mlir::Value field = rt(here,
                         isNamed  ? "chirt_load_array"
                         : isCast ? "chirt_load_cast"
                                  : "chirt_load",
                         module.handleType(expr.type), args, "load");
  temporaries.push_back(field);
  return {expr.type, {field}, {}};
}

ProgramValue FunctionGen::genEnvValue(const sema::HostOpExpr &expr) {
  mlir::Value name = genExpr(expr.args[0]).single();
  ProgramValue fallback = genExpr(expr.args[1]);
  if (expr.type->isStr())
    return {expr.type,
            {madeText("chirt_env_str", {name, fallback.single()}, "")},
            {}};
  Type scalar = module.scalarType(expr.type);
  mlir::Value slot = memoryOf(fallback, scalar).slot;
  rt(here, "chirt_env_value", nullptr,
     {name, makeText(b, here, describeElement(expr.type)), slot}, "env");
  return valueIn(slot, expr.type);
}

ProgramValue FunctionGen::genFileOp(const sema::HostOpExpr &expr) {
  ProgramValue none{expr.type, {}, {}};
  if (expr.op == HostOp::LoadFile)
    return genLoadFile(expr);
  if (expr.op == HostOp::EnvValue)
    return genEnvValue(expr);
  SmallVector<ProgramValue> values;
  bool isNamed = !expr.names.empty();
  for (const sema::Expr *arg : expr.args) {
    ProgramValue value = genExpr(arg);
    if (isNamed && !value.type->isStr() && !value.type->isField())
      value = memoryOf(value, module.scalarType(value.type->scalar()));
    values.push_back(value);
  }
  switch (expr.op) {
  case HostOp::SaveFile:
    rt(here, "chirt_save", nullptr,
       {values[0].single(), values[1].single(),
        constInt(b.getI32Type(), expr.text == "axes=xy")},
       "save");
    return none;
  case HostOp::SaveNamed:
  case HostOp::AppendRow: {
    bool isSave = expr.op == HostOp::SaveNamed;
    nameValues(expr, ArrayRef(values).drop_front());
    rt(here, isSave ? "chirt_save_named" : "chirt_append", nullptr,
       {values[0].single()}, isSave ? "save" : "append");
    return none;
  }
  case HostOp::FileExists: {
    mlir::Value found =
        rt(here, "chirt_exists", b.getI32Type(), {values[0].single()});
    mlir::Value isThere = arith::CmpIOp::create(
        b, here, arith::CmpIPredicate::ne, found, constInt(b.getI32Type(), 0));
    return {expr.type, {isThere}, {}};
  }
  default:
    nameValues(expr, values);
    rt(here, "chirt_report", nullptr, {}, "report");
    return none;
  }
}
