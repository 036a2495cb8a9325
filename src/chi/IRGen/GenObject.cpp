//===- GenObject.cpp - Lists, dicts, sets and calls of the run time -------===//
// Note [Values as words]: the run time keeps a value as one word of 64 bits for
// each of its scalars and handles, as a description says (api.def). A value
// goes there word by word, and comes back in the same way; a handle that comes
// back gets a reference of its own, since what it was in may drop it at once.

#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "chi/Dialect/Chi/RuntimeFunctions.h"
#include "chi/IRGen/Gen.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;
using sema::HostOp;

static_assert(sema::kSliceBegin == CHIRT_SLICE_BEGIN &&
              sema::kSliceEnd == CHIRT_SLICE_END &&
              sema::kFirstSigned == CHIRT_I8 &&
              sema::kFirstUnsigned == CHIRT_U8);

static char letterOf(sema::TypeRef type) {
  if (type->isObject())
    return 'o';
  if (type->isField())
    return 'x';
  if (type->isStr())
    return 's';
  if (type->isBool())
    return 'b';
  if (type->isInt())
    return type->isSigned ? 'i' : 'u';
  if (type->bits == 16)
    return type->isBrain ? 'g' : 'h';
  return type->bits == 32 ? 'f' : 'd';
}

std::string irgen::describeWords(sema::TypeRef type) {
  if (!type) // no element is ever there
    return "i";
  if (type->isComplex)
    return "{" + std::string(2, letterOf(type->scalar())) + "}";
  if (type->hasMembers()) {
    std::string text = "(";
    for (sema::TypeRef member : type->members)
      text += describeWords(member);
    return text + ")";
  }
  if (!type->isAggregate())
    return std::string(1, letterOf(type));
  std::string row =
      "[" + std::string(type->shape.back(), letterOf(type->element)) + "]";
  if (type->isVec())
    return row;
  std::string text = "[";
  for (int64_t k = 0; k < type->shape[0]; ++k)
    text += row;
  return text + "]";
}

mlir::Value FunctionGen::wordOf(mlir::Value part, sema::TypeRef type) {
  Type i64 = b.getI64Type();
  if (isHandle(part.getType())) {
    bool isField = isa<ir::FieldType>(part.getType());
    mlir::Value word = rt(here,
                          isa<ir::StrType>(part.getType()) ? "chirt_word_of_str"
                          : isField ? "chirt_word_of_field"
                                    : "chirt_word_of_object",
                          i64, {part});
    if (isField && member)
      word.getDefiningOp()->setAttr(ir::kMemberAttr, member);
    return word;
  }
  sema::TypeRef scalar = type->scalar();
  bool isNarrow = part.getType().getIntOrFloatBitWidth() < 64;
  if (scalar->isInt() && scalar->isSigned && isNarrow)
    return arith::ExtSIOp::create(b, here, i64, part);
  return asWord(part);
}

SmallVector<mlir::Value> FunctionGen::wordsOf(const ProgramValue &value) {
  SmallVector<mlir::Value> words;
  value.eachLeaf([&](const ProgramValue &leaf) {
    for (mlir::Value part : flatten(leaf))
      words.push_back(wordOf(part, leaf.type));
  });
  return words;
}

ProgramValue
FunctionGen::fromWords(sema::TypeRef type,
                       llvm::function_ref<mlir::Value()> nextWord) {
  ProgramValue value{type, {}, {}};
  if (type->hasMembers()) {
    for (sema::TypeRef member : type->members)
      value.members.push_back(fromWords(member, nextWord));
    return value;
  }
  if (holdsHandle(type)) {
    Type handle = module.handleType(type);
    value.parts = {rt(here,
                      type->isStr()     ? "chirt_str_of_word"
                      : type->isField() ? "chirt_field_of_word"
                                        : "chirt_object_of_word",
                      handle, {nextWord()})};
    if (type->isField() && member)
      value.parts[0].getDefiningOp()->setAttr(ir::kMemberAttr, member);
    rt(here, cast<ir::HandleTypeInterface>(handle).getRetainFunction(), nullptr,
       value.parts[0]);
    temporaries.push_back(value.parts[0]);
    return value;
  }
  Type scalar = module.scalarType(type->scalar());
  for (int64_t k = 0; k < type->numScalars(); ++k)
    value.parts.push_back(fromWord(nextWord(), scalar));
  return value;
}

/// A value for the next function of the run time that takes one.
void FunctionGen::passWords(const ProgramValue &value) {
  for (mlir::Value word : wordsOf(value))
    rt(here, "chirt_word", nullptr, {word});
}

//===----------------------------------------------------------------------===//
// Functions of the run time
//===----------------------------------------------------------------------===//

/// An argument in the C type of its parameter.
mlir::Value FunctionGen::passedAs(const ProgramValue &value,
                                  ir::RuntimeType parameter) {
  mlir::Value part = value.single();
  if (parameter == ir::RuntimeType::F64)
    return part.getType().isF64()
               ? part
               : arith::ExtFOp::create(b, here, b.getF64Type(), part);
  bool isWide = parameter == ir::RuntimeType::I64;
  if (!isWide && parameter != ir::RuntimeType::I32)
    return part;
  Type wanted = isWide ? Type(b.getI64Type()) : Type(b.getI32Type());
  if (part.getType() == wanted)
    return part;
  // Numbers that sema writes itself, such as the sides of `strip`, fit.
  if (part.getType().getIntOrFloatBitWidth() > wanted.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(b, here, wanted, part);
  bool isSigned = value.type->isInt() && value.type->isSigned;
  return isSigned ? arith::ExtSIOp::create(b, here, wanted, part).getResult()
                  : arith::ExtUIOp::create(b, here, wanted, part).getResult();
}

/// A result of a C type as a value of the program.
mlir::Value FunctionGen::returnedAs(mlir::Value result, sema::TypeRef type) {
  if (isHandle(result.getType()))
    return result;
  if (type->isBool())
    return arith::CmpIOp::create(b, here, arith::CmpIPredicate::ne, result,
                                 constInt(result.getType(), 0));
  Type wanted = module.scalarType(type);
  if (result.getType() == wanted)
    return result;
  if (type->isFloat())
    return arith::TruncFOp::create(b, here, wanted, result);
  return arith::TruncIOp::create(b, here, wanted, result);
}

ProgramValue FunctionGen::genRun(const sema::HostOpExpr &expr) {
  const ir::RuntimeFunction *callee = ir::findRuntimeFunction(expr.text);
  assert(callee && "sema names functions of api.def");
  ArrayRef<ir::RuntimeParameter> takes =
      callee->parameters.drop_front(callee->takesSite());
  bool isSearch = expr.op == HostOp::Search;
  SmallVector<mlir::Value> args;
  ProgramValue searched;
  for (auto [k, arg] : llvm::enumerate(expr.args)) {
    ProgramValue value = genExpr(arg);
    if (isSearch && k + 1 == expr.args.size())
      searched = value;
    else
      args.push_back(passedAs(value, takes[k].type));
  }
  here = loc(expr.range);
  if (isSearch)
    passWords(searched);
  Type result;
  switch (callee->result.type) {
  case ir::RuntimeType::Void:
    break;
  case ir::RuntimeType::I32:
    result = b.getI32Type();
    break;
  case ir::RuntimeType::I64:
    result = b.getI64Type();
    break;
  case ir::RuntimeType::F64:
    result = b.getF64Type();
    break;
  default:
    result = module.handleType(expr.type);
  }
  mlir::Value made =
      rt(here, expr.text, result, args, callee->takesSite() ? "call" : "");
  if (!made)
    return {expr.type, {}, {}};
  if (callee->result.use == ir::RuntimeUse::Made)
    temporaries.push_back(made);
  return {expr.type, {returnedAs(made, expr.type)}, {}};
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

mlir::Value FunctionGen::entryOf(StringRef function, mlir::Value dict,
                                 const ProgramValue &key, bool mayRaise) {
  passWords(key);
  return rt(here, function, b.getI64Type(), {dict}, mayRaise ? "key" : "");
}

/// The key or value of an entry.
ProgramValue FunctionGen::readEntry(StringRef function, mlir::Value dict,
                                    mlir::Value entry, sema::TypeRef type) {
  int64_t next = 0;
  Type i64 = b.getI64Type();
  return fromWords(type, [&] {
    return rt(here, function, i64, {dict, entry, constInt(i64, next++)});
  });
}

void FunctionGen::putEntry(mlir::Value dict, const ProgramValue &key,
                           const ProgramValue *value) {
  SmallVector<mlir::Value> words;
  if (value)
    words = wordsOf(*value);
  mlir::Value entry = entryOf("chirt_dict_make", dict, key, false);
  for (auto [k, word] : llvm::enumerate(words))
    rt(here, "chirt_dict_put", nullptr,
       {dict, entry, constInt(b.getI64Type(), int64_t(k)), word});
}

//===----------------------------------------------------------------------===//
// Objects of classes
//===----------------------------------------------------------------------===//

/// Names the member that a field comes from or goes to: those of one member
/// may be one field, others are not (FieldGraph).
void FunctionGen::nameMember(sema::TypeRef type, unsigned number,
                             llvm::function_ref<void()> access) {
  member = b.getStringAttr(type->name + "." + type->memberNames[number]);
  access();
  member = nullptr;
}

static int64_t wordsBefore(sema::TypeRef type, unsigned number) {
  int64_t words = 0;
  for (sema::TypeRef member : ArrayRef(type->members).take_front(number))
    words += member->numScalars();
  return words;
}

void FunctionGen::putMember(mlir::Value object, sema::TypeRef type,
                            unsigned number, const ProgramValue &value) {
  int64_t next = wordsBefore(type, number);
  SmallVector<mlir::Value> words;
  nameMember(type, number, [&] { words = wordsOf(value); });
  for (mlir::Value word : words)
    rt(here, "chirt_record_put", nullptr,
       {object, constInt(b.getI64Type(), next++), word});
}

ProgramValue FunctionGen::genMakeRecord(const sema::HostOpExpr &expr) {
  sema::TypeRef type = expr.type;
  std::string names = type->name, words = "(";
  for (auto [name, member] : llvm::zip(type->memberNames, type->members)) {
    names += " " + name;
    words += describeWords(member);
  }
  SmallVector<ProgramValue> parts;
  for (const sema::Expr *arg : expr.args)
    parts.push_back(genExpr(arg));
  here = loc(expr.range);
  mlir::Value made =
      rt(here, "chirt_record_new", module.handleType(type),
         {makeText(b, here, words + ")"), makeText(b, here, names)});
  temporaries.push_back(made);
  SmallVector<StringRef> numbers;
  StringRef(expr.text).split(numbers, ' ', -1, /*KeepEmpty=*/false);
  for (auto [part, text] : llvm::zip_equal(parts, numbers)) {
    unsigned number = 0;
    text.getAsInteger(10, number);
    putMember(made, type, number, part);
  }
  return {type, {made}, {}};
}

ProgramValue FunctionGen::genMemberOp(const sema::HostOpExpr &expr) {
  sema::TypeRef type = expr.args[0]->type;
  auto number = unsigned(llvm::cast<sema::LiteralExpr>(expr.args[1])->integer);
  mlir::Value object = genExpr(expr.args[0]).single();
  if (expr.op == HostOp::MemberPut) {
    ProgramValue value = genExpr(expr.args[2]);
    here = loc(expr.range);
    putMember(object, type, number, value);
    return {expr.type, {}, {}};
  }
  here = loc(expr.range);
  int64_t next = wordsBefore(type, number);
  Type i64 = b.getI64Type();
  ProgramValue value;
  nameMember(type, number, [&] {
    value = fromWords(expr.type, [&] {
      return rt(here, "chirt_record_at", i64, {object, constInt(i64, next++)},
                "member");
    });
  });
  return value;
}

//===----------------------------------------------------------------------===//
// Lists, dicts and sets
//===----------------------------------------------------------------------===//

ProgramValue FunctionGen::genMakeObject(const sema::HostOpExpr &expr) {
  if (expr.type->isRef())
    return genMakeRecord(expr);
  sema::TypeRef type = expr.type;
  Type handle = module.handleType(type);
  mlir::Value made;
  if (type->isList())
    made = rt(here, "chirt_list_new", handle,
              {makeText(b, here, describeWords(type->element))});
  else
    made = rt(
        here, "chirt_dict_new", handle,
        {makeText(b, here,
                  describeWords(type->isSet() ? type->element : type->key)),
         makeText(b, here, type->isSet() ? "" : describeWords(type->element))});
  temporaries.push_back(made);
  for (size_t k = 0; k < expr.args.size(); ++k) {
    ProgramValue one = genExpr(expr.args[k]);
    if (type->isList()) {
      for (mlir::Value word : wordsOf(one))
        rt(here, "chirt_list_push", nullptr, {made, word});
    } else if (type->isSet()) {
      putEntry(made, one, nullptr);
    } else {
      ProgramValue value = genExpr(expr.args[++k]);
      putEntry(made, one, &value);
    }
  }
  return {type, {made}, {}};
}

ProgramValue FunctionGen::genListElement(const sema::HostOpExpr &expr) {
  Type i64 = b.getI64Type();
  mlir::Value list = genExpr(expr.args[0]).single();
  mlir::Value index = genExpr(expr.args[1]).single();
  here = loc(expr.range);
  int64_t next = 0;
  ProgramValue value = fromWords(expr.type, [&] {
    return rt(here, "chirt_list_at", i64, {list, index, constInt(i64, next++)},
              "index");
  });
  if (expr.op == HostOp::ListPop)
    rt(here, "chirt_list_remove_at", nullptr, {list, index}, "index");
  return value;
}

ProgramValue FunctionGen::genListChange(const sema::HostOpExpr &expr) {
  Type i64 = b.getI64Type();
  SmallVector<ProgramValue> args;
  for (const sema::Expr *arg : expr.args)
    args.push_back(genExpr(arg));
  here = loc(expr.range);
  mlir::Value list = args[0].single();
  SmallVector<mlir::Value> words = wordsOf(args.back());
  for (auto [k, word] : llvm::enumerate(words))
    if (expr.op == HostOp::ListPut)
      rt(here, "chirt_list_put", nullptr,
         {list, args[1].single(), constInt(i64, int64_t(k)), word}, "index");
    else
      rt(here, "chirt_list_push", nullptr, {list, word});
  if (expr.op == HostOp::ListInsert)
    rt(here, "chirt_list_insert", nullptr, {list, args[1].single()});
  return {expr.type, {}, {}};
}

ProgramValue FunctionGen::genDictOp(const sema::HostOpExpr &expr) {
  SmallVector<ProgramValue> args;
  for (const sema::Expr *arg : expr.args)
    args.push_back(genExpr(arg));
  here = loc(expr.range);
  mlir::Value dict = args[0].single();
  if (expr.op == HostOp::DictPut) {
    putEntry(dict, args[1], args.size() > 2 ? &args[2] : nullptr);
    return {expr.type, {}, {}};
  }
  Type i64 = b.getI64Type();
  if (expr.op == HostOp::DictGet) {
    mlir::Value entry = entryOf("chirt_dict_find", dict, args[1], false);
    mlir::Value isThere = arith::CmpIOp::create(
        b, here, arith::CmpIPredicate::sge, entry, constInt(i64, 0));
    return genIfValue(
        isThere, expr.type,
        [&] { return readEntry("chirt_dict_value", dict, entry, expr.type); },
        [&] { return args[2]; });
  }
  bool isFirst = args.size() == 1;
  mlir::Value entry = isFirst ? rt(here, "chirt_dict_first", i64, {dict}, "pop")
                              : entryOf("chirt_dict_get", dict, args[1], true);
  ProgramValue value = readEntry(
      isFirst ? "chirt_dict_key" : "chirt_dict_value", dict, entry, expr.type);
  if (expr.op == HostOp::DictPop)
    rt(here, "chirt_dict_drop", nullptr, {dict, entry});
  return value;
}

ProgramValue FunctionGen::genObjectOp(const sema::HostOpExpr &expr) {
  switch (expr.op) {
  case HostOp::Run:
  case HostOp::Search:
    return genRun(expr);
  case HostOp::MakeObject:
    return genMakeObject(expr);
  case HostOp::MemberAt:
  case HostOp::MemberPut:
    return genMemberOp(expr);
  case HostOp::ListAt:
  case HostOp::ListPop:
    return genListElement(expr);
  case HostOp::ListPut:
  case HostOp::ListPush:
  case HostOp::ListInsert:
    return genListChange(expr);
  default:
    return genDictOp(expr);
  }
}

/// The statements of a comprehension have temporaries of their own; its value
/// is a variable's.
ProgramValue FunctionGen::genBlock(const sema::BlockExpr &expr) {
  SmallVector<mlir::Value> outer = std::exchange(temporaries, {});
  genBody(expr.body);
  temporaries = std::move(outer);
  return genExpr(expr.value);
}
