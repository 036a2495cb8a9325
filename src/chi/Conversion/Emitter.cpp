//===- Emitter.cpp - Short names for the operations lowered to ------------===//

#include "chi/Conversion/Emitter.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace chi::conv;

static constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw;

static arith::IntegerOverflowFlags flagsFor(Value value) {
  return isa<IndexType>(value.getType()) ? kNoWrap
                                         : arith::IntegerOverflowFlags::none;
}

std::optional<int64_t> chi::conv::constantOf(Value value) {
  if (APInt known; value && matchPattern(value, m_ConstantInt(&known)))
    return known.getSExtValue();
  return std::nullopt;
}

Type Emitter::ptrType() const { return LLVM::LLVMPointerType::get(context()); }

Value Emitter::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// The same scalar in all lanes.
static Value splat(Emitter &emit, VectorType type, Attribute scalar) {
  return arith::ConstantOp::create(emit.builder, emit.loc,
                                   DenseElementsAttr::get(type, scalar));
}

Value Emitter::constant(Type type, int64_t value) {
  if (auto lanes = dyn_cast<VectorType>(type);
      lanes && isa<IntegerType>(lanes.getElementType()))
    return splat(*this, lanes,
                 builder.getIntegerAttr(lanes.getElementType(), value));
  if (isa<FloatType>(type))
    return floatConstant(type, static_cast<double>(value));
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, value));
}

Value Emitter::floatConstant(Type type, double value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

Value Emitter::i32(int32_t value) {
  return constant(builder.getI32Type(), value);
}
Value Emitter::i64(int64_t value) {
  return constant(builder.getI64Type(), value);
}

Value Emitter::add(Value a, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, a, b, flagsFor(a));
}
Value Emitter::sub(Value a, Value b) {
  return builder.createOrFold<arith::SubIOp>(loc, a, b, flagsFor(a));
}
Value Emitter::mul(Value a, Value b) {
  return builder.createOrFold<arith::MulIOp>(loc, a, b, flagsFor(a));
}
Value Emitter::divide(Value a, Value b) {
  return builder.createOrFold<arith::DivUIOp>(loc, a, b);
}
Value Emitter::remainder(Value a, Value b) {
  return builder.createOrFold<arith::RemUIOp>(loc, a, b);
}
Value Emitter::ceilDivide(Value a, int64_t b) {
  Value last = add(a, constant(a.getType(), b - 1));
  return divide(last, constant(a.getType(), b));
}
Value Emitter::min(Value a, Value b) {
  return builder.createOrFold<arith::MinSIOp>(loc, a, b);
}
Value Emitter::max(Value a, Value b) {
  return builder.createOrFold<arith::MaxSIOp>(loc, a, b);
}
Value Emitter::compare(arith::CmpIPredicate predicate, Value a, Value b) {
  return builder.createOrFold<arith::CmpIOp>(loc, predicate, a, b);
}
Value Emitter::select(Value condition, Value a, Value b) {
  return builder.createOrFold<arith::SelectOp>(loc, condition, a, b);
}

Value Emitter::cast(Value value, Type to) {
  Type from = value.getType();
  if (from == to)
    return value;
  if (isa<IndexType>(from) || isa<IndexType>(to))
    return builder.createOrFold<arith::IndexCastOp>(loc, to, value);
  if (from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth())
    return builder.createOrFold<arith::ExtSIOp>(loc, to, value);
  return builder.createOrFold<arith::TruncIOp>(loc, to, value);
}

Value Emitter::toIndex(Value value) {
  return cast(value, builder.getIndexType());
}

Value Emitter::reinterpret(Value value, Type to) {
  if (value.getType() == to)
    return value;
  if (auto cast = value.getDefiningOp<UnrealizedConversionCastOp>())
    if (cast.getInputs().size() == 1 && cast.getInputs()[0].getType() == to)
      return cast.getInputs()[0];
  return UnrealizedConversionCastOp::create(builder, loc, to, value)
      .getResult(0);
}

Value Emitter::at(Value base, Type type, Value offset) {
  if (constantOf(offset) == 0)
    return base;
  constexpr auto flags =
      LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw;
  return LLVM::GEPOp::create(builder, loc, ptrType(), type, base,
                             ValueRange{toI64(offset)}, flags);
}

Value Emitter::member(Value base, Type structType, int32_t number) {
  return LLVM::GEPOp::create(builder, loc, ptrType(), structType, base,
                             ArrayRef<LLVM::GEPArg>{0, number},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value Emitter::load(Type type, Value address) {
  return LLVM::LoadOp::create(builder, loc, type, address);
}
void Emitter::store(Value value, Value address) {
  LLVM::StoreOp::create(builder, loc, value, address);
}
Value Emitter::null() { return LLVM::ZeroOp::create(builder, loc, ptrType()); }

/// The block where the function's own memory is made.
static Block *entryBlock(OpBuilder &builder) {
  Operation *op = builder.getInsertionBlock()->getParentOp();
  while (op && !isa<FunctionOpInterface>(op))
    op = op->getParentOp();
  assert(op && "code stands in a function");
  return &op->getRegion(0).front();
}

Value Emitter::stack(Type type, int64_t count) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(entryBlock(builder));
  Value size = i64(count);
  return LLVM::AllocaOp::create(builder, loc, ptrType(), type, size);
}

Value Emitter::stackBuffer(Type type, int64_t count) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(entryBlock(builder));
  auto op =
      memref::AllocaOp::create(builder, loc, MemRefType::get({count}, type));
  op.setAlignment(64);
  return op;
}

scf::ForOp Emitter::loop(Value from, Value to, function_ref<void(Value)> body) {
  Value one = constant(from.getType(), 1);
  auto op = scf::ForOp::create(builder, loc, from, to, one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op.getBody()->getTerminator());
  body(op.getInductionVar());
  return op;
}

/// The annotation travels on the loop's branch down to LLVM.
static LLVM::LoopAnnotationAttr annotation(MLIRContext *context,
                                           BoolAttr disableAll,
                                           LLVM::LoopVectorizeAttr vectorize,
                                           LLVM::LoopUnrollAttr unroll,
                                           BoolAttr isVectorized = {}) {
  return LLVM::LoopAnnotationAttr::get(context, disableAll, vectorize, {},
                                       unroll, {}, {}, {}, {}, {}, {}, {},
                                       isVectorized, {}, {}, {});
}

static constexpr StringLiteral kLoopAnnotation = "llvm.loop_annotation";

static LLVM::LoopUnrollAttr wholly(MLIRContext *context) {
  auto yes = BoolAttr::get(context, true);
  return LLVM::LoopUnrollAttr::get(context, {}, {}, {}, /*full=*/yes, {}, {},
                                   {});
}

void chi::conv::unrollWholly(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  loop->setAttr(kLoopAnnotation, annotation(context, {}, {}, wholly(context)));
}

void chi::conv::unrollVectorised(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto yes = BoolAttr::get(context, true);
  auto never = LLVM::LoopUnrollAttr::get(context, yes, {}, {}, {}, {}, {}, {});
  auto behind =
      annotation(context, {}, {}, wholly(context), /*isVectorized=*/yes);
  auto vectorize =
      LLVM::LoopVectorizeAttr::get(context, {}, {}, {}, {}, behind, {}, {});
  loop->setAttr(kLoopAnnotation, annotation(context, {}, vectorize, never));
}

void chi::conv::keepPlain(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  loop->setAttr(kLoopAnnotation,
                annotation(context, BoolAttr::get(context, true), {}, {}));
}

void Emitter::when(Value condition, function_ref<void()> then,
                   function_ref<void()> otherwise) {
  bool hasElse = static_cast<bool>(otherwise);
  auto op = scf::IfOp::create(builder, loc, TypeRange(), condition, hasElse);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op.thenBlock()->getTerminator());
  then();
  if (!otherwise)
    return;
  builder.setInsertionPoint(op.elseBlock()->getTerminator());
  otherwise();
}
