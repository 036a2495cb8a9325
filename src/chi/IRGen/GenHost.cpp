//===- GenHost.cpp - What only host code does; formatting -----------------===//

#include "chi/IRGen/Gen.h"
#include "chirt/chirt.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;
using sema::HostOp;

/// Text and values of an f-string or print in the form of `chi.print`.
ArrayAttr FunctionGen::formatParts(ArrayRef<sema::FormatPart> parts,
                                   SmallVectorImpl<mlir::Value> &values) {
  SmallVector<Attribute> attrs;
  for (const sema::FormatPart &part : parts) {
    auto *literal = llvm::dyn_cast_or_null<sema::StringLiteralExpr>(part.value);
    if (!part.value || (literal && part.spec.empty())) {
      attrs.push_back(b.getStringAttr(literal ? literal->value : part.text));
      continue;
    }
    ProgramValue value = genExpr(part.value);
    sema::TypeRef type = value.type;
    NamedAttrList attr;
    std::vector<int64_t> shape;
    for (sema::TypeRef at = type; at->isAggregate() || at->isArray();
         at = at->element)
      llvm::append_range(shape, at->shape);
    while (shape.size() > 2) { // a text has rows and columns
      shape[1] *= shape[0];
      shape.erase(shape.begin());
    }
    attr.set("shape", b.getDenseI64ArrayAttr(shape));
    sema::TypeRef scalar = type->isStr() ? type : type->scalar();
    attr.set("type",
             b.getStringAttr(type->isField() ? "field" : dtypeName(scalar)));
    attr.set("spec", b.getStringAttr(part.spec));
    if (type->isStr() && isDevice)
      attr.set(ir::kTextsAttr, b.getArrayAttr({}));
    attrs.push_back(attr.getDictionary(b.getContext()));
    llvm::append_range(values, flatten(value));
  }
  return b.getArrayAttr(attrs);
}

ProgramValue FunctionGen::genFormat(const sema::FormatExpr &expr) {
  SmallVector<mlir::Value> values;
  ArrayAttr parts = formatParts(expr.parts, values);
  mlir::Value made = ir::FormatOp::create(
      b, here, ir::StrType::get(b.getContext()), parts, values);
  temporaries.push_back(made);
  return {expr.type, {made}, {}};
}

/// The scalars of a value in memory, for a run-time function.
ProgramValue FunctionGen::memoryOf(const ProgramValue &value, Type scalar) {
  if (value.slot && !scalar.isInteger(1))
    return copyToMemory(value);
  SmallVector<mlir::Value> parts = flatten(value);
  if (scalar.isInteger(1)) { // a bool is a byte in memory
    scalar = b.getI8Type();
    for (mlir::Value &part : parts)
      part = arith::ExtUIOp::create(b, here, scalar, part);
  }
  mlir::Value slot = makeSlot("", scalar, int64_t(parts.size()));
  for (auto [k, part] : llvm::enumerate(parts))
    ir::SetOp::create(b, here, part, slot, asI32({int64_t(k), {}}));
  return {value.type, {}, slot};
}

std::string irgen::describeElement(sema::TypeRef type) {
  if (type->isComplex)
    return describeElement(type->members[0]) + ";complex";
  std::string text = dtypeName(type->scalar());
  if (type->isVec())
    text += ":" + std::to_string(type->shape[0]);
  else if (type->isMat())
    text += ":" + std::to_string(type->shape[0]) + "x" +
            std::to_string(type->shape[1]);
  else if (type->isArray())
    text += ":" + std::to_string(type->numScalars());
  return text;
}

std::string irgen::describe(sema::TypeRef field, StringRef marks) {
  std::string text = describeElement(field->element);
  if (field->layout == sema::Layout::SoA)
    text += ";soa";
  std::string order;
  bool isIdentity = true;
  for (auto [k, axis] : llvm::enumerate(field->order)) {
    order += (k ? "," : "") + std::to_string(axis);
    isIdentity &= axis == k;
  }
  if (!isIdentity)
    text += ";order=" + order;
  return marks.empty() ? text : text + ";" + marks.str();
}

mlir::Value irgen::makeText(OpBuilder &b, Location at, StringRef value) {
  return ir::StrOp::create(b, at, ir::StrType::get(b.getContext()),
                           b.getStringAttr(value));
}

ProgramValue FunctionGen::genMakeField(const sema::HostOpExpr &expr) {
  Type i64 = b.getI64Type();
  std::string description = describe(expr.type, expr.text);
  SmallVector<mlir::Value> args = {makeText(b, here, description),
                                   constInt(i64, int64_t(expr.type->rank()))};
  for (const sema::Expr *extent : expr.args) {
    mlir::Value value = genExpr(extent).single();
    if (value.getType() != i64)
      value = extent->type->isSigned
                  ? arith::ExtSIOp::create(b, here, i64, value).getResult()
                  : arith::ExtUIOp::create(b, here, i64, value).getResult();
    args.push_back(value);
  }
  static_assert(sema::kMaxRank == CHIRT_MAX_RANK);
  while (args.size() < 2 + CHIRT_MAX_RANK)
    args.push_back(constInt(i64, 1));
  mlir::Value field =
      rt(here, "chirt_field_new", module.handleType(expr.type), args, "field");
  temporaries.push_back(field);
  return {expr.type, {field}, {}};
}

mlir::Value FunctionGen::makeMemoryField(sema::TypeRef type) {
  Type i64 = b.getI64Type();
  SmallVector<mlir::Value> args = {makeText(b, here, dtypeName(type->scalar())),
                                   constInt(i64, 1),
                                   constInt(i64, type->numScalars())};
  while (args.size() < 2 + CHIRT_MAX_RANK)
    args.push_back(constInt(i64, 1));
  return rt(here, "chirt_field_new", module.memoryFieldType(type), args,
            "field");
}

/// The bounds go to the run time as chirt_field_slice takes them.
ProgramValue FunctionGen::genView(const sema::HostOpExpr &expr) {
  Type i64 = b.getI64Type();
  SmallVector<mlir::Value> fields = flatten(genExpr(expr.args[0]));
  SmallVector<mlir::Value> words;
  unsigned next = 1;
  StringRef rest = expr.text;
  while (!rest.empty()) {
    auto [axis, others] = rest.split(',');
    rest = others;
    int64_t flags = 0;
    mlir::Value bounds[] = {constInt(i64, 0), constInt(i64, 0),
                            constInt(i64, 1)};
    for (char letter : axis) {
      mlir::Value value = genExpr(expr.args[next++]).single();
      flags |= letter == 'i'   ? CHIRT_SLICE_INDEX
               : letter == 'b' ? CHIRT_SLICE_BEGIN
               : letter == 'e' ? CHIRT_SLICE_END
                               : 0;
      bounds[letter == 'e' ? 1 : letter == 's' ? 2 : 0] = value;
    }
    words.push_back(constInt(i64, flags));
    words.append(std::begin(bounds), std::end(bounds));
  }
  mlir::Value slot = makeSlot("", i64, int64_t(words.size()));
  for (auto [k, word] : llvm::enumerate(words))
    ir::SetOp::create(b, here, word, slot, asI32({int64_t(k), {}}));
  SmallVector<mlir::Value> views;
  for (auto [field, leaf] : llvm::zip_equal(fields, leavesOf(expr.type))) {
    views.push_back(rt(here, "chirt_field_slice", module.handleType(leaf),
                       {field, slot}, "slice"));
    temporaries.push_back(views.back());
  }
  return flat(expr.type, views);
}

/// sum, min, max, argmin, argmax: the run time writes scalars to memory.
ProgramValue FunctionGen::genFieldReduction(const sema::HostOpExpr &expr) {
  ProgramValue field = genExpr(expr.args[0]);
  sema::TypeRef element = expr.args[0]->type->element;
  sema::TypeRef scalar = element->scalar();
  Type memory = module.scalarType(scalar);
  if (memory.isInteger(1))
    memory = b.getI8Type();
  int64_t count = element->numScalars();
  StringRef name, site;
  switch (expr.op) {
  case HostOp::FieldSum:
    name = "chirt_field_sum";
    memory = scalar->isFloat() ? Type(b.getF64Type()) : Type(b.getI64Type());
    if (scalar->isInt() && expr.type->scalar()->isFloat())
      name = "chirt_field_sum_wide", memory = b.getF64Type();
    break;
  case HostOp::FieldMin:
    name = "chirt_field_min", site = "min";
    break;
  case HostOp::FieldMax:
    name = "chirt_field_max", site = "max";
    break;
  default:
    site = expr.op == HostOp::FieldArgMin ? "argmin" : "argmax";
    name = "chirt_field_argmax"; // of which the site says the kind
    memory = b.getI64Type();
    count = 8;
    break;
  }
  mlir::Value slot = makeSlot("", memory, count);
  rt(here, name, nullptr, {field.single(), slot}, site);
  sema::TypeRef to = expr.type->scalar();
  return map(expr.type, [&](Index k) -> mlir::Value {
    mlir::Value part = ir::GetOp::create(b, here, memory, slot, asI32(k));
    Type type = module.scalarType(to);
    if (memory == type)
      return part;
    if (isa<FloatType>(type))
      return arith::TruncFOp::create(b, here, type, part);
    return arith::TruncIOp::create(b, here, type, part);
  });
}

/// Leaves a text where the run time gathers it.
void FunctionGen::gatherText(ArrayRef<sema::FormatPart> parts) {
  SmallVector<mlir::Value> values;
  ArrayAttr attr = formatParts(parts, values);
  mlir::Value joined = ir::FormatOp::create(
      b, here, ir::StrType::get(b.getContext()), attr, values);
  rt(here, "chirt_fmt_str", nullptr, {joined, makeText(b, here, "")});
  release(joined);
}

ProgramValue FunctionGen::genHostOp(const sema::HostOpExpr &expr) {
  ProgramValue none{expr.type, {}, {}};
  auto arg = [&](unsigned k) { return genExpr(expr.args[k]).single(); };
  switch (expr.op) {
  case HostOp::MakeField:
    return genMakeField(expr);
  case HostOp::FieldView:
    return genView(expr);
  case HostOp::LoadFile:
  case HostOp::SaveFile:
  case HostOp::SaveNamed:
  case HostOp::AppendRow:
  case HostOp::FileExists:
  case HostOp::EnvValue:
  case HostOp::Report:
    return genFileOp(expr);
  case HostOp::Run:
  case HostOp::Search:
  case HostOp::MakeObject:
  case HostOp::ListAt:
  case HostOp::ListPut:
  case HostOp::ListPush:
  case HostOp::ListInsert:
  case HostOp::ListPop:
  case HostOp::DictAt:
  case HostOp::DictGet:
  case HostOp::DictPut:
  case HostOp::DictPop:
  case HostOp::MemberAt:
  case HostOp::MemberPut:
    return genObjectOp(expr);
  case HostOp::FieldFill: {
    ProgramValue field = genExpr(expr.args[0]);
    ProgramValue value = genExpr(expr.args[1]);
    SmallVector<mlir::Value> fields = flatten(field);
    size_t next = 0;
    value.eachLeaf([&](const ProgramValue &leaf) {
      rt(here, "chirt_field_fill", nullptr,
         {fields[next++], memoryOf(leaf, module.scalarType(leaf.type)).slot});
    });
    return none;
  }
  case HostOp::FieldCopy: {
    SmallVector<mlir::Value> to = flatten(genExpr(expr.args[0]));
    SmallVector<mlir::Value> from = flatten(genExpr(expr.args[1]));
    for (auto [target, source] : llvm::zip_equal(to, from))
      rt(here, "chirt_field_copy", nullptr, {target, source}, "copy_from");
    return none;
  }
  case HostOp::FieldSum:
  case HostOp::FieldMin:
  case HostOp::FieldMax:
  case HostOp::FieldArgMin:
  case HostOp::FieldArgMax:
    return genFieldReduction(expr);
  case HostOp::FieldDot: {
    mlir::Value x = arg(0), y = arg(1);
    return {expr.type,
            {rt(here, "chirt_field_dot", b.getF64Type(), {x, y}, "dot")},
            {}};
  }
  case HostOp::TimeNow:
    rt(here, "chirt_sync", nullptr, {}); // earlier launches have ended
    return {expr.type, {rt(here, "chirt_time_now", b.getF64Type(), {})}, {}};
  case HostOp::Exit:
    rt(here, "chirt_exit", nullptr, arg(0));
    return none;
  case HostOp::Sync:
    rt(here, "chirt_sync", nullptr, {});
    return none;
  case HostOp::KernelGrad:
    runCallAdjoints(rt(here, "chirt_kernel_grad", b.getI32Type(),
                       {makeText(b, here, expr.text)}, "grad"));
    return none;
  }
  llvm_unreachable("host operation");
}
