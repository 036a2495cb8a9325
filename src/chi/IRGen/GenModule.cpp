//===- GenModule.cpp - Program, globals, params, symbols ------------------===//

#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "chi/IRGen/Gen.h"
#include "chi/Sema/Build/Build.h"
#include "chi/Sema/Tree/Exports.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;

bool irgen::livesInMemory(sema::TypeRef type) {
  return type->isArray() ||
         (type->isAggregate() && type->numScalars() > kMaxUnrolled);
}

bool irgen::holdsMemory(sema::TypeRef type) {
  return type->hasMembers() ? llvm::any_of(type->members, holdsMemory)
                            : livesInMemory(type);
}

SmallVector<sema::TypeRef, 4> irgen::leavesOf(sema::TypeRef type) {
  if (!type->hasMembers())
    return {type};
  SmallVector<sema::TypeRef, 4> leaves;
  for (sema::TypeRef member : type->members)
    llvm::append_range(leaves, leavesOf(member));
  return leaves;
}

std::string irgen::dtypeName(sema::TypeRef scalar) {
  if (scalar->isStr())
    return "str";
  if (scalar->isBool())
    return "bool";
  const char *letter = scalar->isBrain     ? "bf"
                       : scalar->isFloat() ? "f"
                       : scalar->isSigned  ? "i"
                                           : "u";
  return letter + std::to_string(scalar->bits);
}

OwningOpRef<ModuleOp> irgen::generate(MLIRContext &context,
                                      const sema::Program &program,
                                      const SourceFiles &sources,
                                      const Options &options) {
  return ModuleGen(context, program, sources, options).generate();
}

ModuleGen::ModuleGen(MLIRContext &context, const sema::Program &program,
                     const SourceFiles &sources, const Options &options)
    : context(context), program(program), sources(sources), options(options),
      b(&context) {
  context.loadDialect<ir::ChiDialect, arith::ArithDialect, math::MathDialect,
                      scf::SCFDialect, func::FuncDialect>();
  for (const auto &function : program.functions)
    if (function->callAdjoint)
      callAdjoints.insert(function->callAdjoint);
}

/// The top-level fields, which other languages see by name.
static ArrayAttr fieldNames(OpBuilder &b, const sema::Program &program) {
  SmallVector<Attribute> names;
  for (const auto &global : program.globals)
    if (global->type->isField())
      names.push_back(b.getStringAttr(global->name));
  return b.getArrayAttr(names);
}

OwningOpRef<ModuleOp> ModuleGen::generate() {
  OwningOpRef<ModuleOp> owned =
      ModuleOp::create(b.getUnknownLoc(), StringRef("program"));
  module = *owned;
  module->setAttr(ir::kFileAttr, b.getStringAttr(options.fileName));
  module->setAttr(ir::kDocAttr, b.getStringAttr(options.doc));
  b.setInsertionPointToEnd(module.getBody());
  genGlobals();
  genParams();
  if (program.script) {
    symbols[{program.script, 0}] = ir::kScriptName.str();
    pending.push_back({program.script, false, false, ir::kScriptName.str()});
  }
  genTests();
  genCallAdjoints();
  if (options.allKernels)
    for (const auto &function : program.functions)
      if (sema::isExported(program, *function)) {
        require(function.get(), /*isDevice=*/false);
        if (function->record)
          genRecord(*function);
      }
  if (options.allKernels)
    module->setAttr(ir::kFieldsAttr, fieldNames(b, program));
  genPending();
  nameTexts();
  return owned;
}

Location ModuleGen::location(SourceRange range) {
  if (!range.isValid())
    return b.getUnknownLoc();
  LineColumn begin = sources.lineColumn(range.file, range.begin);
  LineColumn end = sources.lineColumn(range.file, range.end);
  return FileLineColRange::get(b.getStringAttr(sources.name(range.file)),
                               begin.line, begin.column, end.line, end.column);
}

Type ModuleGen::scalarType(sema::TypeRef type) {
  sema::TypeRef scalar = type->scalar();
  if (scalar->isBool())
    return b.getI1Type();
  if (scalar->isInt())
    return b.getIntegerType(scalar->bits);
  assert(scalar->isFloat() && "not a scalar");
  return scalar->isBrain      ? Type(b.getBF16Type())
         : scalar->bits == 16 ? Type(b.getF16Type())
         : scalar->bits == 32 ? Type(b.getF32Type())
                              : Type(b.getF64Type());
}

Type ModuleGen::elementType(sema::TypeRef type) {
  Type scalar = scalarType(type);
  if (type->isVec())
    return ir::VecType::get(&context, type->shape[0], scalar);
  if (type->isMat())
    return ir::MatType::get(&context, type->shape[0], type->shape[1], scalar);
  if (type->isArray()) // a member of a class
    return ir::VecType::get(&context, type->numScalars(), scalar);
  return scalar;
}

Type ModuleGen::handleType(sema::TypeRef type) {
  if (type->isStr())
    return ir::StrType::get(&context);
  if (type->isObject())
    return ir::ObjectType::get(&context);
  SmallVector<int64_t> shape;
  for (int64_t extent : type->shape)
    shape.push_back(extent < 0 ? ShapedType::kDynamic : extent);
  SmallVector<int64_t> order(type->order.begin(), type->order.end());
  if (order.empty())
    for (unsigned d = 0; d < shape.size(); ++d)
      order.push_back(d);
  if (type->layout == sema::Layout::Strided)
    order.assign(1, ShapedType::kDynamic);
  return ir::FieldType::get(&context, shape, elementType(type->element),
                            type->layout == sema::Layout::SoA, order);
}

// Note [Texts by number]: the strs of a kernel are literals and choices between
// them, since all else that makes a str is host only. There a str is the number
// of its text in the program, so that it is stored, selected and compared as an
// i32; `nameTexts` attaches the texts of the numbers to operations that print
// one.

int32_t ModuleGen::numberOfText(StringRef text) {
  return texts.insert({text, int32_t(texts.size())}).first->second;
}

/// Gives the printed strs of kernels the texts of all numbers, once all
/// functions are there.
void ModuleGen::nameTexts() {
  if (texts.empty())
    return;
  SmallVector<Attribute> list;
  for (auto &[text, number] : texts)
    list.push_back(b.getStringAttr(text));
  ArrayAttr all = b.getArrayAttr(list);
  module.walk([&](Operation *op) {
    auto parts = op->getAttrOfType<ArrayAttr>("parts");
    if (!parts)
      return;
    SmallVector<Attribute> named(parts.begin(), parts.end());
    for (Attribute &part : named)
      if (auto value = dyn_cast<DictionaryAttr>(part))
        if (value.contains(ir::kTextsAttr)) {
          NamedAttrList attrs(value);
          attrs.set(ir::kTextsAttr, all);
          part = attrs.getDictionary(&context);
        }
    op->setAttr("parts", b.getArrayAttr(named));
  });
}

void ModuleGen::flattenTypes(sema::TypeRef type, SmallVectorImpl<Type> &to,
                             bool isDevice) {
  if (type->isVoid())
    return;
  if (type->hasMembers()) {
    for (sema::TypeRef member : type->members)
      flattenTypes(member, to, isDevice);
    return;
  }
  if (type->isStr() && isDevice) {
    to.push_back(b.getI32Type());
    return;
  }
  if (type->isField() || type->isStr() || type->isObject()) {
    to.push_back(handleType(type));
    return;
  }
  to.append(type->numScalars(), scalarType(type));
}

bool ModuleGen::goesInField(sema::TypeRef type) const {
  return livesInMemory(type) && !options.allKernels;
}

ir::LocalType ModuleGen::memoryType(sema::TypeRef type) {
  return ir::LocalType::get(&context, type->numScalars(), scalarType(type));
}

ir::FieldType ModuleGen::memoryFieldType(sema::TypeRef type) {
  return ir::FieldType::get(&context, type->numScalars(), scalarType(type));
}

FunctionType ModuleGen::kernelType(const sema::Function &function) {
  SmallVector<Type> inputs, results;
  for (const sema::Variable *param : function.params)
    for (sema::TypeRef leaf : leavesOf(param->type))
      if (goesInField(leaf))
        inputs.push_back(memoryFieldType(leaf));
      else
        flattenTypes(leaf, inputs);
  if (function.result)
    flattenTypes(function.result, results);
  return b.getFunctionType(inputs, results);
}

FunctionType ModuleGen::functionType(const sema::Function &function,
                                     bool isDevice) {
  if (function.isKernel)
    return kernelType(function);
  SmallVector<Type> inputs, results;
  if (function.isRecursive) // Note [Depth]
    inputs.push_back(b.getI32Type());
  // The callee writes results in memory, where the caller requested.
  auto add = [&](sema::TypeRef type, SmallVectorImpl<Type> &values) {
    for (sema::TypeRef leaf : leavesOf(type))
      if (livesInMemory(leaf))
        inputs.push_back(memoryType(leaf));
      else
        flattenTypes(leaf, values, isDevice);
  };
  for (const sema::Variable *param : function.params)
    add(param->type, inputs);
  if (function.result)
    add(function.result, results);
  return b.getFunctionType(inputs, results);
}

SmallVector<Type> ModuleGen::globalTypes(sema::TypeRef type) {
  SmallVector<Type> types;
  for (sema::TypeRef leaf : leavesOf(type))
    if (livesInMemory(leaf))
      types.push_back(memoryFieldType(leaf));
    else
      flattenTypes(leaf, types);
  return types;
}

SmallVector<std::string> ModuleGen::addGlobals(StringRef name,
                                               ArrayRef<Type> types,
                                               SourceRange range, int64_t param,
                                               ArrayRef<std::string> given) {
  SmallVector<std::string> names;
  IntegerAttr paramNumber = param >= 0 ? b.getI64IntegerAttr(param) : nullptr;
  for (auto [k, part] : llvm::enumerate(types)) {
    names.push_back(!given.empty()      ? given[k]
                    : types.size() == 1 ? name.str()
                                        : (name + "." + Twine(k)).str());
    ir::GlobalOp::create(b, location(range), names.back(), part, paramNumber);
  }
  return names;
}

/// The names of the globals of an object or of a field of a class: "p.x",
/// "p.v.0".
static void memberNames(sema::TypeRef type, const std::string &name,
                        SmallVectorImpl<std::string> &names) {
  if (type->isStruct() || type->isFieldOfClass()) {
    for (auto [member, own] : llvm::zip(type->members, type->memberNames))
      memberNames(member, name + "." + own, names);
    return;
  }
  int64_t count = livesInMemory(type) ? 1 : type->numScalars();
  for (int64_t k = 0; k < count; ++k)
    names.push_back(count == 1 ? name : name + "." + std::to_string(k));
}

void ModuleGen::genGlobals() {
  for (const auto &global : program.globals) {
    SmallVector<std::string> names;
    if (global->type->isStruct() || global->type->isFieldOfClass())
      memberNames(global->type, global->name, names);
    globals[global.get()] = addGlobals(global->name, globalTypes(global->type),
                                       global->range, -1, names);
  }
}

void ModuleGen::genParams() {
  for (auto [k, param] : llvm::enumerate(program.params)) {
    SmallVector<Type> types;
    flattenTypes(param->type, types);
    params.push_back(
        addGlobals("param." + param->name, types, param->range, k));
  }
  for (unsigned k = 0; k < program.params.size(); ++k)
    genParam(k);
}

/// A range's end as a number; sema has made them literals.
static FloatAttr limit(OpBuilder &b, const sema::Expr *expr) {
  auto *literal = llvm::dyn_cast_or_null<sema::LiteralExpr>(expr);
  if (!literal)
    return nullptr;
  if (literal->type->isFloat())
    return b.getF64FloatAttr(literal->real);
  return b.getF64FloatAttr(literal->type->isSigned
                               ? double(literal->integer)
                               : double(uint64_t(literal->integer)));
}

/// The choices of a param as texts.
static SmallVector<StringRef> choiceTexts(OpBuilder &b,
                                          const sema::Param &param) {
  SmallVector<StringRef> texts;
  for (const sema::Expr *choice : param.choices)
    if (auto text = sema::paramText(choice))
      texts.push_back(b.getStringAttr(*text).getValue());
  return texts;
}

FlatSymbolRefAttr ModuleGen::genParamDefault(unsigned index) {
  const sema::Param &param = *program.params[index];
  if (!param.defaultValue)
    return {};
  std::string symbol = "chi.default." + param.name;
  auto op = func::FuncOp::create(b, location(param.range), symbol,
                                 b.getFunctionType({}, {}));
  op->setAttr(ir::kHostAttr, b.getUnitAttr());
  FunctionGen gen(*this, nullptr, false);
  gen.genWith(op, [&] {
    gen.storeParam(params[index], gen.genExpr(param.defaultValue));
  });
  return FlatSymbolRefAttr::get(&context, symbol);
}

void ModuleGen::genParam(unsigned index) {
  const sema::Param &param = *program.params[index];
  SmallVector<Attribute> variables;
  for (const std::string &name : params[index])
    variables.push_back(FlatSymbolRefAttr::get(&context, name));
  sema::TypeRef scalar =
      param.type->isStr() ? param.type : param.type->scalar();
  SmallVector<StringRef> choices = choiceTexts(b, param);
  ir::ParamOp::create(
      b, location(param.range), b.getStringAttr(param.name),
      b.getStringAttr(dtypeName(scalar)), b.getArrayAttr(variables),
      limit(b, param.low), limit(b, param.high),
      choices.empty() ? ArrayAttr() : b.getStrArrayAttr(choices),
      b.getStringAttr(param.defaultText),
      param.isFixed ? b.getStringAttr(param.fixedText) : StringAttr(),
      genParamDefault(index),
      param.doc.empty() ? StringAttr() : b.getStringAttr(param.doc));
}

void ModuleGen::genTests() {
  for (auto [k, test] : llvm::enumerate(program.tests)) {
    std::string symbol = "chi.test." + std::to_string(k);
    symbols[{test.function, 0}] = symbol;
    pending.push_back({test.function, false, false, symbol});
    ir::TestOp::create(b, module.getLoc(), test.name, symbol);
  }
}

/// The bytes of the values of a function that live in memory.
static int64_t memoryOf(const sema::Function &function) {
  llvm::DenseSet<const sema::Variable *> variables;
  variables.insert_range(function.params);
  sema::forEachStmt(function.body, [&](sema::Stmt *stmt) {
    if (auto *set = llvm::dyn_cast<sema::AssignStmt>(stmt))
      if (set->lvalue.kind == sema::LValue::Local)
        variables.insert(set->lvalue.variable);
  });
  int64_t bytes = 0;
  for (const sema::Variable *variable : variables)
    for (sema::TypeRef leaf : leavesOf(variable->type))
      if (livesInMemory(leaf))
        bytes += leaf->numScalars() * 8;
  return bytes;
}

int64_t ModuleGen::mostOpenCalls() {
  if (mostOpen)
    return mostOpen;
  // The run time gives host code more than that; a frame without arrays is
  // small.
  constexpr int64_t kStack = 80 << 20, kPlain = 8 << 10;
  int64_t largest = 0;
  for (const auto &function : program.functions)
    if (function->isRecursive)
      largest = std::max(largest, memoryOf(*function));
  return mostOpen = std::max<int64_t>(16, kStack / (kPlain + 2 * largest));
}

std::string ModuleGen::require(const sema::Function *function, bool isDevice,
                               bool isPassive) {
  // A function that is passive by itself has one form.
  bool isOther = isPassive && !function->isPassive;
  bool isInner = isDevice && !function->isKernel;
  auto [it, isNew] = symbols.try_emplace({function, isInner + 2 * isOther}, "");
  if (isNew) {
    it->second = function->name;
    if (isInner)
      it->second += ".device";
    if (isOther)
      it->second += ".nograd";
    pending.push_back(
        {function, isDevice, isPassive || function->isPassive, it->second});
  }
  return it->second;
}

void ModuleGen::genPending() {
  // The list grows while functions are generated.
  for (size_t k = 0; k < pending.size(); ++k) {
    Pending item = pending[k];
    const sema::Function &function = *item.function;
    b.setInsertionPointToEnd(module.getBody());
    Location loc = location(function.range);
    if (function.isKernel) {
      auto op =
          ir::KernelOp::create(b, loc, item.symbol, functionType(function));
      FunctionGen(*this, &function, true, item.isPassive).genKernel(op);
      continue;
    }
    auto op = func::FuncOp::create(b, loc, item.symbol,
                                   functionType(function, item.isDevice));
    if (function.isRecursive)
      op->setAttr(ir::kOpenCallsAttr, b.getI64IntegerAttr(mostOpenCalls()));
    if (item.isDevice)
      op.setPrivate();
    else
      op->setAttr(ir::kHostAttr, b.getUnitAttr());
    FunctionGen(*this, &function, item.isDevice, item.isPassive)
        .genFunction(op);
  }
}
