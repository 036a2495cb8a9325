//===- RecordedForms.cpp - Kernels that launch by chirt_launch ------------===//

#include "chi/Conversion/ChiToLoops/RecordedForms.h"

#include "chi/Conversion/ChiToLoops/AxisEnds.h"
#include "chi/Conversion/ChiToLoops/TaskLowering.h"
#include "chi/Conversion/Runtime.h"
#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Dialect/Chi/KernelParams.h"
#include "chirt/ordered.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

//===----------------------------------------------------------------------===//
// Two forms of a control function
//===----------------------------------------------------------------------===//

static bool isInstrumented(ir::TaskOp task) {
  return task
      .walk([](ir::FieldAccessOpInterface access) {
        return access.getRaceKindAttr() ? WalkResult::interrupt()
                                        : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Would `load` find the same at the end of its block?
static bool isCurrent(ir::LoadOp load, Operation *end) {
  if (load->getBlock() != end->getBlock())
    return false;
  for (Operation *op = load->getNextNode(); op != end; op = op->getNextNode())
    if (!isa<ir::LoadOp>(op) && !isMemoryEffectFree(op))
      return false;
  return true;
}

/// The cell that a result is loaded from last of all; null if it is none.
static ir::CellOp cellOf(Value result, Operation *end) {
  auto load = result.getDefiningOp<ir::LoadOp>();
  if (!load || load.getField().getType().getRank() != 0 ||
      load.getField().getType().getNumComponents() != 1 ||
      !isCurrent(load, end))
    return nullptr;
  return load.getField().getDefiningOp<ir::CellOp>();
}

/// The results of a recorded form are handles: of the cell that holds the
/// result, or of one that the result is stored in. Its caller frees them.
static void returnHandles(func::FuncOp recorded) {
  Block &entry = recorded.getBody().front();
  Operation *end = entry.getTerminator();
  OpBuilder builder(end);
  SmallVector<Type> types;
  // All of them before the first store.
  SmallVector<ir::CellOp> cells;
  for (Value value : end->getOperands()) {
    ir::CellOp cell = cellOf(value, end);
    cells.push_back(llvm::is_contained(cells, cell) ? nullptr : cell);
  }
  for (auto [result, cell] : llvm::zip(end->getOpOperands(), cells)) {
    Value value = result.get();
    if (!cell) {
      auto type = ir::FieldType::get(builder.getContext(), {}, value.getType());
      builder.setInsertionPointToStart(&entry);
      cell = ir::CellOp::create(builder, end->getLoc(), type, "");
      builder.setInsertionPoint(end);
      ir::StoreOp::create(builder, end->getLoc(), value, cell, ValueRange(),
                          Value(), 0, true);
    }
    result.set(cell);
    if (Operation *load = value.getDefiningOp();
        load && isOpTriviallyDead(load))
      load->erase();
    types.push_back(cell.getCell().getType());
  }
  recorded.setFunctionType(
      builder.getFunctionType(recorded.getArgumentTypes(), types));
}

/// Calls the recorded form of `control` and loads its results.
static SmallVector<Value> callRecorded(OpBuilder &builder, func::FuncOp control,
                                       func::FuncOp recorded) {
  Location loc = control.getLoc();
  auto call =
      func::CallOp::create(builder, loc, recorded, control.getArguments());
  SmallVector<Value> values;
  for (auto [type, handle] :
       llvm::zip(control.getResultTypes(), call.getResults()))
    values.push_back(ir::LoadOp::create(builder, loc, type, handle,
                                        ValueRange(), Value(), 0, true));
  return values;
}

/// Loaded cells are freed before `end`.
static void freeResults(Operation *end) {
  OpBuilder builder(end);
  Emitter emit(builder, end);
  if (size_t count = end->getNumOperands())
    callRuntime(emit, "chirt_cell_pop", {emit.i64(count)});
}

/// All code but the end of `control` goes into the second side of an `if`, the
/// first of which calls `recorded`.
static void chooseForm(func::FuncOp control, func::FuncOp recorded) {
  Block &entry = control.getBody().front();
  Operation *end = entry.getTerminator();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  Emitter emit(builder, control);
  Operation *first = &entry.front();
  Value isRecording = loadRuntimeFlag(emit, "chirt_recording");
  auto takeRecordedPath = [&](OpBuilder &b, Location loc) {
    scf::YieldOp::create(b, loc, callRecorded(b, control, recorded));
  };
  auto goOn = [&](OpBuilder &b, Location loc) {
    scf::YieldOp::create(b, loc, end->getOperands());
  };
  auto choice =
      scf::IfOp::create(builder, emit.loc, isRecording, takeRecordedPath, goOn);
  freeResults(choice.thenBlock()->getTerminator());
  Operation *yield = choice.elseBlock()->getTerminator();
  for (Operation *op = first, *next; op != end; op = next) {
    next = op->getNextNode();
    op->moveBefore(yield);
  }
  end->setOperands(choice.getResults());
}

/// The control function becomes a call of `recorded`, which has taken its code.
static void callOnly(func::FuncOp control, func::FuncOp recorded) {
  OpBuilder builder = OpBuilder::atBlockEnd(control.addEntryBlock());
  freeResults(func::ReturnOp::create(builder, control.getLoc(),
                                     callRecorded(builder, control, recorded)));
}

/// The marks of a recorded form's loops become calls.
static void lowerMarks(func::FuncOp recorded) {
  recorded.walk([](ir::RtOp mark) {
    OpBuilder builder(mark);
    Emitter emit(builder, mark);
    Site site;
    site.position = positionOf(mark.getLoc());
    site.kind = CHIRT_SITE_CALL;
    site.what = mark.getSite().value_or("");
    SmallVector<Value> arguments{siteConstant(emit, site)};
    llvm::append_range(arguments, mark.getInputs());
    callRuntime(emit, mark.getFunction(), arguments);
    mark.erase();
  });
}

void chi::conv::dropMarks(func::FuncOp control) {
  control.walk([](ir::RtOp mark) { mark.erase(); });
}

SmallVector<func::FuncOp> chi::conv::addRecordedForms(ModuleOp module) {
  DenseMap<StringAttr, bool> instrumented;
  for (auto task : module.getOps<ir::TaskOp>())
    instrumented[task.getSymNameAttr()] = isInstrumented(task);
  SmallVector<func::FuncOp> all;
  for (auto control :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    bool launches = false, isAnyInstrumented = false;
    control.walk([&](ir::LaunchOp launch) {
      launches = true;
      isAnyInstrumented |= instrumented.lookup(launch.getTaskAttr().getAttr());
    });
    if (!launches || !control->hasAttr(ir::kControlAttr))
      continue;
    auto recorded = isAnyInstrumented
                        ? cast<func::FuncOp>(control->cloneWithoutRegions())
                        : control.clone();
    if (isAnyInstrumented)
      recorded.getBody().takeBody(control.getBody());
    recorded.setSymName((control.getSymName() + ".rec").str());
    recorded.setPrivate();
    recorded->setAttr(ir::kColdAttr, UnitAttr::get(module.getContext()));
    module.insert(std::next(control->getIterator()), recorded);
    guardDivisions(recorded);
    lowerMarks(recorded);
    dropMarks(control);
    returnHandles(recorded);
    if (isAnyInstrumented)
      callOnly(control, recorded);
    else
      chooseForm(control, recorded);
    all.push_back(recorded);
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// A handle as it is; of a scalar the bits, extended by zeros.
static void storeWord(Emitter &emit, Value value, Value address) {
  if (!value.getType().isIntOrFloat())
    return emit.store(emit.reinterpret(value, emit.ptrType()), address);
  Value bits = toMemory(emit, value);
  OpBuilder &b = emit.builder;
  unsigned width = bits.getType().getIntOrFloatBitWidth();
  if (isa<FloatType>(bits.getType()))
    bits = arith::BitcastOp::create(b, emit.loc, b.getIntegerType(width), bits);
  if (width < 64)
    bits = arith::ExtUIOp::create(b, emit.loc, b.getI64Type(), bits);
  emit.store(bits, address);
}

static Value loadWord(Emitter &emit, Type type, Value address) {
  if (!type.isIntOrFloat())
    return emit.reinterpret(emit.load(emit.ptrType(), address), type);
  return fromMemory(emit, emit.load(memoryType(type), address), type);
}

static Value wordAt(Emitter &emit, Value base, int64_t number) {
  return emit.at(base, emit.builder.getI64Type(), emit.i64(number));
}

namespace {
/// A `chirt_domain` in memory.
class DomainMemory {
public:
  DomainMemory(Emitter &emit, Value memory)
      : emit(emit), memory(memory),
        type(llvmTypeOf(emit.context(), RuntimeStruct::Domain)) {}

  Value member(int32_t number) { return emit.member(memory, type, number); }
  Value from(int64_t axis) {
    return wordAt(emit, member(kDomainMembers.from), axis);
  }
  Value to(int64_t axis) {
    return wordAt(emit, member(kDomainMembers.to), axis);
  }

private:
  Emitter &emit;
  Value memory;
  Type type;
};
} // namespace

//===----------------------------------------------------------------------===//
// The entry of a task, and its descriptor
//===----------------------------------------------------------------------===//

/// `@t.launch(task, words, domain)`: the launch that a direct form makes, with
/// arguments from memory.
static func::FuncOp makeEntry(const TaskShape &shape) {
  ir::TaskOp task = shape.task;
  OpBuilder builder(task);
  Type ptr = LLVM::LLVMPointerType::get(task.getContext());
  auto entry = func::FuncOp::create(
      builder, task.getLoc(), functionName(shape, ".launch"),
      builder.getFunctionType({ptr, ptr, ptr}, {}));
  entry.setPrivate();
  entry->setAttr(ir::kColdAttr, builder.getUnitAttr());
  Block *block = entry.addEntryBlock();
  builder.setInsertionPointToStart(block);
  Emitter emit(builder, task);
  DomainMemory domain(emit, block->getArgument(2));
  SmallVector<Value> inputs, from, to;
  for (auto [number, value] : llvm::enumerate(task.getCaptured()))
    inputs.push_back(loadWord(emit, value.getType(),
                              wordAt(emit, block->getArgument(1), number)));
  for (auto [number, index] : llvm::enumerate(task.getIndexVariables())) {
    AxisEnds ends = axisEnds(emit, task, number, inputs, [&](int64_t axis) {
      Type i64 = builder.getI64Type();
      return AxisEnds{emit.load(i64, domain.from(axis)),
                      emit.load(i64, domain.to(axis))};
    });
    from.push_back(emit.cast(ends.from, index.getType()));
    to.push_back(emit.cast(ends.to, index.getType()));
  }
  auto launch = ir::LaunchOp::create(builder, task.getLoc(), task.getSymName(),
                                     inputs, from, to);
  func::ReturnOp::create(builder, task.getLoc());
  lowerLaunch(launch, shape, /*isEntry=*/true);
  return entry;
}

/// The constant bytes of its `chirt_argument`s, or a unit.
static Attribute argumentsOf(Emitter &emit, ir::TaskOp task) {
  std::vector<chirt_argument> all = ir::describeArguments(task);
  if (all.empty())
    return emit.builder.getUnitAttr();
  return bytesSymbol(emit, "chi.arguments.",
                     StringRef(reinterpret_cast<const char *>(all.data()),
                               all.size() * sizeof(chirt_argument)));
}

/// The constant bytes of words, or a unit if there are none.
static Attribute wordsSymbol(Emitter &emit, StringRef prefix,
                             ArrayRef<int64_t> words) {
  if (words.empty())
    return emit.builder.getUnitAttr();
  return bytesSymbol(emit, prefix,
                     StringRef(reinterpret_cast<const char *>(words.data()),
                               words.size() * sizeof(int64_t)));
}

/// The facts about its accesses.
static Attribute boxesOf(Emitter &emit, ir::TaskOp task) {
  return wordsSymbol(emit, "chi.boxes.", ir::boxesOf(task));
}

Site chi::conv::siteOf(ir::TaskOp task, StringRef axes) {
  Site site;
  site.position = positionOf(task.getLoc());
  site.kind = CHIRT_SITE_CALL;
  site.kernel = task.getKernel();
  site.numAxes = task.getRank();
  site.axes = axes;
  return site;
}

static std::string descriptorName(StringRef task) {
  return (task + ".task").str();
}

void chi::conv::declareDescriptor(ir::TaskOp task) {
  OpBuilder builder(task);
  auto global = LLVM::GlobalOp::create(
      builder, UnknownLoc::get(task.getContext()),
      llvmTypeOf(task.getContext(), RuntimeStruct::Task), /*isConstant=*/true,
      LLVM::Linkage::External, descriptorName(task.getSymName()), Attribute());
  global.setVisibility_(LLVM::Visibility::Hidden);
}

/// The constant with the task's code for each device (chirt_device_codes), or
/// nothing.
static Attribute deviceCodesOf(Emitter &emit, ir::TaskOp task) {
  Attribute null = emit.builder.getUnitAttr();
  auto codes = task->getAttrOfType<DictionaryAttr>(ir::kDeviceCodeAttr);
  if (!codes)
    return null;
  SmallVector<Attribute> members;
  for (StringRef device : {"vulkan", "cuda"}) {
    Attribute code = codes.get(device);
    members.push_back(code ? code : null);
  }
  std::string name = (task.getSymName() + ".devices").str();
  structConstant(emit, name, LLVM::LLVMArrayType::get(emit.ptrType(), 2),
                 members);
  return FlatSymbolRefAttr::get(emit.context(), name);
}

/// Would it print again, or might it decide otherwise, if it ran again?
static bool runsOnce(ir::TaskOp task) {
  return task
      .walk([](Operation *op) {
        return isa<ir::PrintOp, ir::AtomicOp>(op) ? WalkResult::interrupt()
                                                  : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Do iterations on a device have an order that no device keeps? Those without
/// copies keep it unless two arguments are one field.
static bool isOrderedOnHost(const TaskShape &shape) {
  return ir::isOrdered(shape.task) ||
         (ir::hasFixedParts(shape.task) && !shape.privatized.empty());
}

static int32_t flagsOf(const TaskShape &shape) {
  return (shape.draws ? CHIRT_TASK_DRAWS : 0) |
         (shape.isInstrumented ? CHIRT_TASK_INSTRUMENTED : 0) |
         (runsOnce(shape.task) ? CHIRT_TASK_ONCE : 0) |
         (isOrderedOnHost(shape) ? CHIRT_TASK_ORDERED : 0) |
         (shape.isOrderedIfSame() ? CHIRT_TASK_ORDERED_SAME : 0);
}

void chi::conv::addTaskEntry(const TaskShape &shape) {
  ir::TaskOp task = shape.task;
  func::FuncOp entry = makeEntry(shape);
  OpBuilder builder(task);
  Emitter emit(builder, task);
  auto number = [&](int32_t value) -> Attribute {
    return builder.getI32IntegerAttr(value);
  };
  Attribute null = builder.getUnitAttr();
  std::string axes = axesText(task);
  auto descriptorOf = [&](FlatSymbolRefAttr other) -> Attribute {
    return other ? FlatSymbolRefAttr::get(emit.context(),
                                          descriptorName(other.getValue()))
                 : null;
  };
  ArrayRef<int64_t> workspace = ir::workspaceOf(task);
  LLVM::GlobalOp descriptor = structConstant(
      emit, descriptorName(task.getSymName()),
      llvmTypeOf(emit.context(), RuntimeStruct::Task),
      {number(CHIRT_TASK_VERSION),
       number(task.getRank()),
       number(task.getNumCaptured()),
       number(flagsOf(shape)),
       textSymbol(emit, task.getSymName()),
       siteSymbol(emit, siteOf(task, axes)),
       argumentsOf(emit, task),
       textSymbol(emit, ir::argumentNames(task)),
       FlatSymbolRefAttr::get(entry.getSymNameAttr()),
       descriptorOf(ir::adjointOf(task)),
       deviceCodesOf(emit, task),
       boxesOf(emit, task),
       builder.getI64IntegerAttr(ir::boxesOf(task).size()),
       descriptorOf(ir::prologueOf(task)),
       wordsSymbol(emit, "chi.gradient_workspace.", workspace),
       builder.getI64IntegerAttr(workspace.size() * sizeof(int64_t) /
                                 sizeof(chirt_workspace_field)),
       descriptorOf(ir::recorderOf(task)),
       descriptorOf(ir::fusedAdjointOf(task)),
       descriptorOf(ir::variantOf(task)),
       builder.getI64IntegerAttr(ir::passiveBitsOf(task)),
       descriptorOf(ir::tangentOf(task))});
  if (ir::isShared(task)) {
    descriptor.setLinkage(LLVM::Linkage::External);
    descriptor.setVisibility_(LLVM::Visibility::Hidden);
  }
}

//===----------------------------------------------------------------------===//
// Launches and cells of a recorded form
//===----------------------------------------------------------------------===//

void chi::conv::lowerRecordedLaunch(ir::LaunchOp launch,
                                    const TaskShape &shape) {
  OpBuilder builder(launch);
  Emitter emit(builder, launch);
  Type i64 = builder.getI64Type();
  Value words =
      emit.stack(i64, std::max<int64_t>(launch.getInputs().size(), 1));
  for (auto [number, input] : llvm::enumerate(launch.getInputs()))
    storeWord(emit, input, wordAt(emit, words, number));
  Value memory = emit.stack(llvmTypeOf(emit.context(), RuntimeStruct::Domain));
  DomainMemory domain(emit, memory);
  for (auto [axis, from, to] :
       llvm::enumerate(launch.getFrom(), launch.getTo())) {
    emit.store(emit.toI64(from), domain.from(axis));
    emit.store(emit.toI64(to), domain.to(axis));
  }
  ValueRange values = launch.getValues();
  bool hasStep = !values.empty();
  emit.store(hasStep ? emit.toI64(values[0]) : emit.i64(0),
             domain.member(kDomainMembers.begin));
  emit.store(hasStep ? emit.toI64(values[1]) : emit.i64(0),
             domain.member(kDomainMembers.step));
  Value task = LLVM::AddressOfOp::create(builder, emit.loc, emit.ptrType(),
                                         descriptorName(launch.getTask()));
  bool isLast = launch.getLast();
  callRuntime(emit, isLast ? "chirt_launch_last" : "chirt_launch",
              {task, words, memory});
  launch.erase();
}

/// A field of the run time instead of a cell.
static void makeField(ir::CellOp cell) {
  OpBuilder builder(cell);
  Emitter emit(builder, cell);
  ir::FieldType type = cell.getCell().getType();
  SmallVector<Value> arguments{textConstant(emit, ir::descriptionOf(type)),
                               emit.i64(type.getRank())};
  for (int64_t axis = 0; axis < CHIRT_MAX_RANK; ++axis)
    arguments.push_back(
        emit.i64(axis < type.getRank() ? type.getShape()[axis] : 1));
  Value handle = callRuntime(emit, "chirt_cell_push", arguments);
  cell.replaceAllUsesWith(emit.reinterpret(handle, type));
  cell.erase();
}

void chi::conv::makeCellsFields(func::FuncOp recorded) {
  Block &entry = recorded.getBody().front();
  Operation *end = entry.getTerminator();
  // Cells are a stack: those that the caller frees lie below the others.
  SetVector<ir::CellOp> results;
  for (Value result : end->getOperands())
    results.insert(result.getDefiningOp<ir::CellOp>());
  for (ir::CellOp cell : llvm::reverse(results))
    cell->moveBefore(&entry, entry.begin());
  SmallVector<ir::CellOp> cells(recorded.getOps<ir::CellOp>());
  size_t own = cells.size() - results.size();
  for (ir::CellOp cell : cells)
    makeField(cell);
  if (own == 0)
    return;
  OpBuilder builder(end);
  Emitter emit(builder, recorded);
  callRuntime(emit, "chirt_cell_pop", {emit.i64(own)});
}

//===----------------------------------------------------------------------===//
// The program's table
//===----------------------------------------------------------------------===//

void chi::conv::addKernelTable(func::FuncOp control,
                               ArrayRef<StringAttr> tasks) {
  OpBuilder builder(control);
  Emitter emit(builder, control);
  Type ptr = emit.ptrType();
  std::string name = (control.getSymName() + ".tasks").str();
  Attribute list = builder.getUnitAttr();
  if (!tasks.empty()) {
    SmallVector<Attribute> members;
    for (StringAttr task : tasks)
      members.push_back(FlatSymbolRefAttr::get(
          emit.context(), descriptorName(task.getValue())));
    SmallVector<Type> types(tasks.size(), ptr);
    structConstant(emit, name,
                   LLVM::LLVMStructType::getLiteral(emit.context(), types),
                   members);
    list = FlatSymbolRefAttr::get(emit.context(), name);
  }
  LLVM::GlobalOp table =
      structConstant(emit, kernelTableName(control.getSymName()),
                     llvmTypeOf(emit.context(), RuntimeStruct::Kernel),
                     {textSymbol(emit, control.getSymName()), list,
                      builder.getI32IntegerAttr(tasks.size())});
  table.setLinkage(LLVM::Linkage::External);
  table.setVisibility_(LLVM::Visibility::Hidden);
}
