//===- Launch.cpp - Launches become calls of the run time -----------------===//

#include "chi/Analysis/Cost.h"
#include "chi/Conversion/ChiToLoops/TaskLowering.h"
#include "chi/Conversion/Runtime.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

/// Partial sums of up to this many bytes lie on the stack.
static constexpr int64_t kStackBytes = 4096;

std::string chi::conv::functionName(const TaskShape &shape, StringRef suffix) {
  ir::TaskOp task = shape.task;
  return (task.getSymName() + suffix).str();
}

static ModuleOp moduleOf(const TaskShape &shape) {
  ir::TaskOp task = shape.task;
  return task->getParentOfType<ModuleOp>();
}

static func::FuncOp functionOf(const TaskShape &shape, StringRef suffix) {
  return moduleOf(shape).lookupSymbol<func::FuncOp>(
      functionName(shape, suffix));
}

//===----------------------------------------------------------------------===//
// The packed arguments
//===----------------------------------------------------------------------===//

/// The C type of a body's argument.
static Type packedType(Type type) {
  MLIRContext *context = type.getContext();
  if (isa<MemRefType>(type))
    return LLVM::LLVMPointerType::get(context);
  if (isa<IndexType>(type))
    return IntegerType::get(context, 64);
  return type;
}

/// The struct that a chunk's `args` points to: the body's arguments, then a
/// pointer and the byte size of one copy for each private field.
static LLVM::LLVMStructType packType(const TaskShape &shape, bool mayAlias) {
  SmallVector<Type> members;
  for (Type type : shape.argumentTypes())
    members.push_back(packedType(type));
  ir::TaskOp task = shape.task;
  MLIRContext *context = task.getContext();
  if (!mayAlias)
    for (size_t i = 0; i < shape.privatized.size(); ++i) {
      members.push_back(LLVM::LLVMPointerType::get(context));
      members.push_back(IntegerType::get(context, 64));
    }
  return LLVM::LLVMStructType::getLiteral(context, members);
}

/// Converts back to the body's arguments.
static Value unpacked(Emitter &emit, Value value, Type type) {
  if (isa<MemRefType>(type))
    return emit.reinterpret(value, type);
  return emit.cast(value, type);
}

/// Number of the data of a captured field among the body's arguments.
static unsigned dataOffset(const TaskShape &shape, unsigned captured) {
  ir::TaskOp task = shape.task;
  unsigned offset = 0;
  for (BlockArgument value : task.getCaptured().take_front(captured)) {
    ++offset;
    if (auto field = dyn_cast<ir::FieldType>(value.getType()))
      offset += llvm::count_if(field.getShape(), ShapedType::isDynamic) +
                ir::numStrides(field);
  }
  return offset;
}

/// Worker 0 adds to the field itself, worker w to the (w-1)-th copy.
static Value privatizedBase(Emitter &emit, Value data, Value copies,
                            Value bytes, Value worker) {
  Value number = emit.sub(emit.toI64(worker), emit.i64(1));
  Value copy =
      emit.at(copies, emit.builder.getI8Type(), emit.mul(number, bytes));
  Value first = emit.compare(arith::CmpIPredicate::eq, worker, emit.i32(0));
  return emit.select(first, data, copy);
}

func::FuncOp chi::conv::emitChunk(const TaskShape &shape, func::FuncOp body,
                                  bool mayAlias) {
  Location loc = body.getLoc();
  OpBuilder builder(body.getContext());
  builder.setInsertionPointAfter(body);
  Emitter emit(builder, loc);
  Type i64 = builder.getI64Type();
  auto chunk = func::FuncOp::create(
      builder, loc,
      functionName(shape, mayAlias ? ".may_alias.chunk" : ".chunk"),
      builder.getFunctionType({emit.ptrType(), i64, i64, builder.getI32Type()},
                              {}));
  chunk.setPrivate();
  if (body->hasAttr(ir::kColdAttr))
    chunk->setAttr(ir::kColdAttr, builder.getUnitAttr());
  Block *entry = chunk.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  LLVM::LLVMStructType pack = packType(shape, mayAlias);
  SmallVector<Value> members;
  for (auto [offset, type] : llvm::enumerate(pack.getBody()))
    members.push_back(
        emit.load(type, emit.member(entry->getArgument(0), pack, offset)));
  SmallVector<Type> types = shape.argumentTypes();
  if (!mayAlias)
    for (auto [number, field] : llvm::enumerate(shape.privatized)) {
      Value &data = members[dataOffset(shape, field.captured)];
      data = privatizedBase(emit, data, members[types.size() + 2 * number],
                            members[types.size() + 2 * number + 1],
                            entry->getArgument(3));
    }
  SmallVector<Value> arguments;
  for (auto [member, type] : llvm::zip_first(types, members))
    arguments.push_back(unpacked(emit, type, member));
  for (unsigned bound : {1, 2})
    arguments.push_back(emit.toIndex(entry->getArgument(bound)));
  func::CallOp::create(builder, loc, body, arguments);
  func::ReturnOp::create(builder, loc);
  return chunk;
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

namespace {
/// Replaces one launch.
class LaunchLowering {
public:
  LaunchLowering(ir::LaunchOp launch, const TaskShape &shape, bool isEntry,
                 OpBuilder &builder)
      : launch(launch), shape(shape), isEntry(isEntry), builder(builder),
        emit(builder, launch) {}
  void run();

private:
  struct Privatization {
    Value copies, elements;
    Type scalar;
  };

  void gatherCaptured();
  void gatherDomain();
  void gatherRandom();
  void pushPartials();
  void finishReductions();
  void callDirectly();
  void launchChunks();
  void launchPrivatized();
  void launchParts();
  void runChunk(StringRef suffix, ArrayRef<Privatization> copies,
                Value parts = {});
  Value scalarsOf(unsigned captured);
  Value overlaps(int64_t a, int64_t b);
  Value overlaps();
  Value chunkAlignment();
  void callBody(StringRef suffix);
  void tellValues();

  /// The cost of an iteration, for the decision how many threads are worth it:
  /// loading and adding up copies costs as much as a small launch or two.
  int64_t cost() {
    ir::TaskOp task = shape.task;
    int64_t known = task.getCost().value_or(analysis::kUnknownCost);
    int64_t launches = 1 + 2 * int64_t(shape.privatized.size());
    return std::max<int64_t>(known / launches, 1);
  }

  ir::LaunchOp launch;
  const TaskShape &shape;
  bool isEntry; ///< chirt_launch looks whether an iteration has failed
  OpBuilder &builder;
  Emitter emit;
  SmallVector<Value> arguments; ///< packed forms, as argumentTypes
  SmallVector<Value> data;      ///< one for each captured value
  SmallVector<Value> starts;    ///< of the axes, i64
  SmallVector<Value> extents;   ///< i64
  Value count;                  ///< iterations, i64
  Value blocks;                 ///< of reductions, i64
  SmallVector<Value> partials, scratch;
};
} // namespace

/// A cell is its memory; other fields are handles.
static Value dataOf(Emitter &emit, Value field) {
  Value pointer = emit.reinterpret(field, emit.ptrType());
  if (field.getDefiningOp<ir::CellOp>())
    return pointer;
  return loadData(emit, pointer);
}

void LaunchLowering::gatherCaptured() {
  ir::TaskOp task = shape.task;
  for (auto [input, value] :
       llvm::zip(launch.getInputs(), task.getCaptured())) {
    auto field = dyn_cast<ir::FieldType>(value.getType());
    if (!field) {
      arguments.push_back(input);
      data.push_back(input);
      continue;
    }
    data.push_back(dataOf(emit, input));
    arguments.push_back(data.back());
    for (auto [axis, extent] : llvm::enumerate(field.getShape()))
      if (ShapedType::isDynamic(extent))
        arguments.push_back(
            loadExtent(emit, emit.reinterpret(input, emit.ptrType()), axis));
    for (unsigned k = 0; k < ir::numStrides(field); ++k)
      arguments.push_back(
          loadStride(emit, emit.reinterpret(input, emit.ptrType()), field, k));
  }
}

void LaunchLowering::gatherDomain() {
  count = emit.i64(1);
  for (unsigned axis = 0; axis < shape.rank(); ++axis) {
    Value from = emit.i64(shape.from[axis].value_or(0)), extent;
    if (!shape.from[axis]) {
      from = emit.toI64(launch.getFrom()[axis]);
      arguments.push_back(from);
    }
    if (shape.extent[axis]) {
      extent = emit.i64(*shape.extent[axis]);
    } else {
      Value to = emit.toI64(launch.getTo()[axis]);
      // The difference of an empty range may wrap.
      Value some = emit.compare(arith::CmpIPredicate::slt, from, to);
      extent = emit.select(some, emit.sub(to, from), emit.i64(0));
      arguments.push_back(extent);
    }
    starts.push_back(from);
    extents.push_back(extent);
    count = emit.mul(count, extent);
  }
}

void LaunchLowering::gatherRandom() {
  if (shape.draws)
    arguments.push_back(loadRuntimeVariable(emit, "chirt_seed"));
}

void LaunchLowering::pushPartials() {
  if (shape.reductions.empty())
    return;
  blocks = emit.ceilDivide(count, kReductionBlock);
  std::optional<int64_t> known = constantOf(blocks);
  for (const ReductionTarget &reduction : shape.reductions) {
    int64_t size = byteSize(reduction.scalar);
    Value memory;
    if (known && *known * size <= kStackBytes) {
      memory = emit.stack(reduction.scalar, std::max<int64_t>(*known, 1));
    } else {
      memory = callRuntime(emit, "chirt_scratch_push",
                           {emit.mul(blocks, emit.i64(size))});
      scratch.push_back(memory);
    }
    partials.push_back(memory);
    arguments.push_back(memory);
  }
}

void LaunchLowering::finishReductions() {
  if (shape.reductions.empty())
    return;
  func::FuncOp finish = functionOf(shape, ".finish");
  Value some = emit.compare(arith::CmpIPredicate::sgt, blocks, emit.i64(0));
  SmallVector<Type> types = shape.capturedTypes();
  emit.when(some, [&] {
    SmallVector<Value> operands;
    for (auto [type, value] : llvm::zip_first(types, arguments))
      operands.push_back(unpacked(emit, value, type));
    for (auto [reduction, memory] : llvm::zip(shape.reductions, partials))
      operands.push_back(unpacked(emit, memory, flatType(reduction.scalar)));
    operands.push_back(emit.toIndex(blocks));
    func::CallOp::create(builder, emit.loc, finish, operands);
  });
  for (Value memory : llvm::reverse(scratch))
    callRuntime(emit, "chirt_scratch_pop", {memory});
}

void LaunchLowering::callBody(StringRef suffix) {
  SmallVector<Value> operands;
  for (auto [type, value] : llvm::zip(shape.argumentTypes(), arguments))
    operands.push_back(unpacked(emit, value, type));
  if (shape.rank()) {
    operands.push_back(emit.index(0));
    operands.push_back(emit.toIndex(count));
  }
  auto call = [&] {
    func::CallOp::create(builder, emit.loc, functionOf(shape, suffix),
                         operands);
  };
  // The body divides by the extents of inner axes, which may be 0.
  std::optional<int64_t> known = constantOf(count);
  if (shape.rank() < 2 || (known && *known > 0))
    return call();
  emit.when(emit.compare(arith::CmpIPredicate::sgt, count, emit.i64(0)), call);
}

/// True if two fields are one, or may share an element.
Value LaunchLowering::overlaps(int64_t a, int64_t b) {
  auto typeOf = [&](int64_t number) {
    return cast<ir::FieldType>(launch.getInputs()[number].getType());
  };
  if (!ir::mayBeShifted(typeOf(a), typeOf(b)))
    return LLVM::ICmpOp::create(builder, emit.loc, LLVM::ICmpPredicate::eq,
                                data[a], data[b]);
  // A cell has no handle, and is of this call alone.
  auto isCell = [&](int64_t number) {
    return launch.getInputs()[number].getDefiningOp<ir::CellOp>() != nullptr;
  };
  if (isCell(a) || isCell(b))
    return emit.constant(builder.getI1Type(), 0);
  auto handle = [&](int64_t number) {
    return emit.reinterpret(launch.getInputs()[number], emit.ptrType());
  };
  Value shared =
      callRuntime(emit, "chirt_fields_overlap", {handle(a), handle(b)});
  return emit.compare(arith::CmpIPredicate::ne, shared, emit.i32(0));
}

/// True at run time if two fields, one of them written, share an element.
Value LaunchLowering::overlaps() {
  Value any;
  ArrayRef<int64_t> pairs = shape.schedule.mayAlias;
  for (; !pairs.empty(); pairs = pairs.drop_front(2)) {
    Value same = overlaps(pairs[0], pairs[1]);
    any = any ? arith::OrIOp::create(builder, emit.loc, any, same) : same;
  }
  return any;
}

void LaunchLowering::callDirectly() {
  if (Value overlap = overlaps())
    emit.when(
        overlap, [&] { callBody(".may_alias"); }, [&] { callBody(".body"); });
  else
    callBody(".body");
}

/// Where the run time may cut the domain.
Value LaunchLowering::chunkAlignment() {
  Value align = emit.i64(shape.schedule.align);
  switch (shape.schedule.unit) {
  case ir::ChunkUnit::iterations:
    return align;
  case ir::ChunkUnit::rows:
    align = emit.mul(extents.back(), align);
    break;
  case ir::ChunkUnit::many_rows: {
    Value rows = emit.i64(1);
    for (Value extent : llvm::drop_end(extents))
      rows = emit.mul(rows, extent);
    auto atLeast = [&](Value value, int64_t least) {
      return emit.compare(arith::CmpIPredicate::sge, value, emit.i64(least));
    };
    Value many = atLeast(rows, ir::kManyRows);
    Value isLong = atLeast(extents.back(), ir::kLongRow);
    align = emit.select(many, extents.back(),
                        emit.select(isLong, align, extents.back()));
    break;
  }
  case ir::ChunkUnit::slices:
    for (Value extent : llvm::drop_begin(extents))
      align = emit.mul(align, extent);
    break;
  }
  return emit.max(align, emit.i64(1));
}

void LaunchLowering::runChunk(StringRef suffix, ArrayRef<Privatization> copies,
                              Value parts) {
  bool mayAlias = suffix.starts_with(".may_alias");
  LLVM::LLVMStructType pack = packType(shape, mayAlias);
  Value memory = emit.stack(pack);
  SmallVector<Value> members(arguments);
  if (!mayAlias)
    for (const Privatization &field : copies) {
      members.push_back(field.copies);
      Value bytes = emit.mul(field.elements, emit.i64(byteSize(field.scalar)));
      Value up = emit.add(bytes, emit.i64(63));
      members.push_back(
          arith::AndIOp::create(builder, emit.loc, up, emit.i64(-64)));
    }
  for (auto [offset, member] : llvm::enumerate(members))
    emit.store(member, emit.member(memory, pack, offset));
  Value chunk = functionAddress(emit, functionOf(shape, suffix));
  if (parts)
    callRuntime(emit, "chirt_parallel_parts",
                {chunk, memory, count, chunkAlignment(), parts});
  else
    callRuntime(emit, "chirt_parallel",
                {chunk, memory, count, chunkAlignment(), emit.i64(cost())});
}

/// How many scalars the captured field has.
Value LaunchLowering::scalarsOf(unsigned captured) {
  ir::TaskOp task = shape.task;
  auto type = cast<ir::FieldType>(task.getCaptured()[captured].getType());
  Value input = launch.getInputs()[captured];
  Value scalars = emit.i64(type.getNumComponents());
  for (auto [axis, extent] : llvm::enumerate(type.getShape()))
    scalars = emit.mul(
        scalars,
        ShapedType::isDynamic(extent)
            ? loadExtent(emit, emit.reinterpret(input, emit.ptrType()), axis)
            : emit.i64(extent));
  return scalars;
}

/// --deterministic: the number of parts and of copies depends on sizes only.
void LaunchLowering::launchParts() {
  SmallVector<Privatization> copies;
  Value parts;
  for (const PrivatizedField &field : shape.privatized) {
    ir::TaskOp task = shape.task;
    auto type =
        cast<ir::FieldType>(task.getCaptured()[field.captured].getType());
    copies.push_back({{}, scalarsOf(field.captured), type.getScalar()});
    Value some = emit.toI64(callRuntime(
        emit, "chirt_num_parts",
        {count, chunkAlignment(), emit.i64(cost()), copies.back().elements,
         emit.mul(count, emit.i64(field.perIteration))}));
    parts = parts ? emit.min(parts, some) : some;
  }
  parts = emit.cast(parts, builder.getI32Type());
  Value alone = emit.compare(arith::CmpIPredicate::sle, parts, emit.i32(1));
  emit.when(
      alone, [&] { callBody(".body"); },
      [&] {
        auto numbersOf = [&](unsigned number) {
          return std::pair(emit.i32(ir::dtypeOf(copies[number].scalar)),
                           emit.i32(int32_t(shape.privatized[number].kind)));
        };
        for (auto [number, copy] : llvm::enumerate(copies)) {
          auto [dtype, kind] = numbersOf(number);
          copy.copies = callRuntime(emit, "chirt_parts_begin",
                                    {copy.elements, dtype, kind, parts});
        }
        runChunk(".chunk", copies, parts);
        for (auto [number, copy] : llvm::enumerate(copies)) {
          auto [dtype, kind] = numbersOf(number);
          callRuntime(emit, "chirt_parts_end",
                      {copy.copies, data[shape.privatized[number].captured],
                       copy.elements, dtype, kind, parts});
        }
      });
}

void LaunchLowering::launchPrivatized() {
  Value chunks = callRuntime(emit, "chirt_num_chunks",
                             {count, chunkAlignment(), emit.i64(cost())});
  Value alone = emit.compare(arith::CmpIPredicate::sle, chunks, emit.i32(1));
  emit.when(
      alone, [&] { callBody(".body"); },
      [&] {
        SmallVector<Privatization> copies;
        Value all = emit.constant(builder.getI1Type(), 1);
        for (const PrivatizedField &field : shape.privatized) {
          ir::TaskOp task = shape.task;
          auto type =
              cast<ir::FieldType>(task.getCaptured()[field.captured].getType());
          Value elements = scalarsOf(field.captured);
          Value memory = callRuntime(
              emit, "chirt_private_begin",
              {elements, emit.i32(ir::dtypeOf(type.getScalar())),
               emit.i32(int32_t(field.kind)),
               emit.mul(count, emit.i64(field.perIteration)), chunks});
          Value made = LLVM::ICmpOp::create(
              builder, emit.loc, LLVM::ICmpPredicate::ne, memory, emit.null());
          all = arith::AndIOp::create(builder, emit.loc, all, made);
          copies.push_back({memory, elements, type.getScalar()});
        }
        emit.when(
            all, [&] { runChunk(".chunk", copies); },
            [&] { runChunk(".may_alias.chunk", {}); });
        for (auto [field, copy] : llvm::zip(shape.privatized, copies)) {
          Value made =
              LLVM::ICmpOp::create(builder, emit.loc, LLVM::ICmpPredicate::ne,
                                   copy.copies, emit.null());
          emit.when(made, [&] {
            callRuntime(emit, "chirt_private_end",
                        {copy.copies, data[field.captured], copy.elements,
                         emit.i32(ir::dtypeOf(copy.scalar)),
                         emit.i32(int32_t(field.kind)), chunks});
          });
        }
      });
}

void LaunchLowering::launchChunks() {
  auto separate = [&] {
    if (shape.privatized.empty())
      runChunk(".chunk", {});
    else if (ir::hasFixedParts(shape.task))
      launchParts();
    else
      launchPrivatized();
  };
  if (Value overlap = overlaps())
    emit.when(
        overlap,
        [&] {
          shape.isOrderedIfSame() ? callBody(".may_alias")
                                  : runChunk(".may_alias.chunk", {});
        },
        separate);
  else
    separate();
}

/// How messages count, where the source's range had a step.
void LaunchLowering::tellValues() {
  if (!launch.getValues().empty())
    callRuntime(
        emit, "chirt_loop_values",
        {emit.toI64(launch.getValues()[0]), emit.toI64(launch.getValues()[1])});
}

void LaunchLowering::run() {
  builder.setInsertionPoint(launch);
  gatherCaptured();
  gatherDomain();
  gatherRandom();
  pushPartials();
  if (shape.hasChunks())
    launchChunks();
  else
    callDirectly();
  finishReductions();
  if (shape.mayFail && !isEntry)
    emit.when(loadRuntimeFlag(emit, "chirt_failed"), [&] {
      tellValues();
      callRuntime(emit, "chirt_check_launch", {});
    });
  launch.erase();
}

void chi::conv::lowerLaunch(ir::LaunchOp launch, const TaskShape &shape,
                            bool isEntry) {
  OpBuilder builder(launch);
  LaunchLowering(launch, shape, isEntry, builder).run();
}
