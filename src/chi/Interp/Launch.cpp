//===- Launch.cpp - Launches and cells ------------------------------------===//

#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Interp/Code.h"
#include "chirt/ordered.h"

using namespace mlir;
using namespace chi;
using namespace chi::interp;

namespace {
struct LaunchExtra {
  const Task *task;
  std::vector<Register> args, from, to;
  std::vector<Register> values; ///< begin and step of the source's range
  std::vector<unsigned> bits;
};
} // namespace

//===----------------------------------------------------------------------===//
// The entry of a task
//===----------------------------------------------------------------------===//

static constexpr int64_t kBlock = CHIRT_REDUCTION_BLOCK,
                         kLanes = CHIRT_REDUCTION_LANES;

static void closeBlock(const ReductionTarget &target, ReductionState &state) {
  for (int64_t width = kLanes; width > 1; width /= 2)
    for (int64_t k = 0; k < width / 2; ++k)
      state.lanes[k] = combine(target.kind, target.scalar, state.lanes[2 * k],
                               state.lanes[2 * k + 1]);
  state.blocks.push_back(state.lanes[0]);
}

static void openBlock(const ReductionTarget &target, ReductionState &state) {
  for (uint64_t &lane : state.lanes)
    lane = neutral(target.kind, target.scalar);
}

/// Joins the blocks pairwise and adds the sum to the element.
static void finishReduction(const ReductionTarget &target,
                            ReductionState &state) {
  closeBlock(target, state);
  std::vector<uint64_t> &sums = state.blocks;
  while (sums.size() > 1) {
    size_t half = 0;
    for (size_t k = 0; k < sums.size(); k += 2)
      sums[half++] = k + 1 < sums.size() ? combine(target.kind, target.scalar,
                                                   sums[k], sums[k + 1])
                                         : sums[k];
    sums.resize(half);
  }
  unsigned bytes = byteSize(target.scalar);
  uint64_t old = 0;
  std::memcpy(&old, state.target, bytes);
  uint64_t total = combine(target.kind, target.scalar, old, sums[0]);
  std::memcpy(state.target, &total, bytes);
}

namespace {
/// Walks the domain of a launch, the last axis fastest.
struct Domain {
  std::vector<int64_t> from, extent, index;
  int64_t total = 1;

  Domain(const chirt_domain &of, unsigned rank) {
    for (unsigned k = 0; k < rank; ++k) {
      from.push_back(of.from[k]);
      extent.push_back(of.to[k] > of.from[k] ? of.to[k] - of.from[k] : 0);
      total *= extent.back();
    }
    index = from;
  }
  void store(Frame &frame, const Task &task) {
    for (size_t k = 0; k < index.size(); ++k)
      frame.r[task.code.args[task.numCaptured + k]] =
          uint64_t(index[k]) & maskOf(task.indexBits[k]);
  }
  void advance() {
    for (size_t k = index.size(); k-- > 0;) {
      if (++index[k] < from[k] + extent[k])
        return;
      index[k] = from[k];
    }
  }
};
} // namespace

static void runIterations(Frame &frame, const Task &task, Domain &domain,
                          std::vector<ReductionState> &reductions) {
  frame.iteration = domain.index.data();
  for (int64_t n = 0; n < domain.total; ++n) {
    if (n % kBlock == 0)
      for (auto [target, state] :
           llvm::zip_equal(task.reductions, reductions)) {
        if (n)
          closeBlock(target, state);
        openBlock(target, state);
      }
    frame.linear = n;
    domain.store(frame, task);
    task.code.run(frame);
    domain.advance();
  }
}

void chi::interp::runTask(const chirt_task *descriptor, const int64_t *words,
                          const chirt_domain *over) {
  auto &task = *static_cast<const TaskDescriptor *>(descriptor)->task;
  Machine &machine = *static_cast<const TaskDescriptor *>(descriptor)->machine;
  uint64_t *registers = machine.push(task.numRegisters);
  std::memset(registers, 0, task.numRegisters * sizeof(uint64_t));
  Frame frame{registers, &machine, &task};
  for (size_t k = 0; k < task.numCaptured; ++k)
    registers[task.code.args[k]] = uint64_t(words[k]);
  // On the heap and kept by the machine: a failing check leaves by longjmp.
  auto *domain = new Domain(*over, task.rank);
  auto *reductions = new std::vector<ReductionState>(task.reductions.size());
  machine.reductions = reductions;
  if (setjmp(machine.launchExit) == 0 && domain->total > 0) {
    runIterations(frame, task, *domain, *reductions);
    for (auto [target, state] : llvm::zip_equal(task.reductions, *reductions))
      if (state.target)
        finishReduction(target, state);
  }
  delete domain;
  delete reductions;
  machine.reductions = nullptr;
  machine.pop(task.numRegisters);
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

void Translator::describeTask(ir::TaskOp op) {
  task->arguments = ir::describeArguments(op);
  for (Value index : op.getIndexVariables())
    task->indexBits.push_back(index.getType().getIntOrFloatBitWidth());
  TaskDescriptor &made = task->descriptor;
  made.task = task, made.machine = &machine;
  made.version = CHIRT_TASK_VERSION;
  made.rank = int32_t(task->rank);
  made.num_arguments = int32_t(task->arguments.size());
  made.flags = (task->draws ? CHIRT_TASK_DRAWS : 0) |
               (runsOnce(op) ? CHIRT_TASK_ONCE : 0) |
               (task->isInstrumented ? CHIRT_TASK_INSTRUMENTED : 0);
  made.name = task->name.c_str();
  made.site = makeSite(*this, op.getLoc(), CHIRT_SITE_CALL, "", 0, {});
  made.arguments = task->arguments.data();
  // The attribute lives as long as the module.
  ArrayRef<int64_t> boxes = ir::boxesOf(op);
  made.boxes = boxes.data(), made.num_box_words = int64_t(boxes.size());
  made.names = machine.keep(ir::argumentNames(op));
  if (FlatSymbolRefAttr adjoint = ir::adjointOf(op))
    if (const Task *known = machine.task(adjoint.getValue()))
      made.adjoint = &known->descriptor;
  if (FlatSymbolRefAttr prologue = ir::prologueOf(op))
    if (const Task *known = machine.task(prologue.getValue()))
      made.prologue = &known->descriptor;
  if (FlatSymbolRefAttr recorder = ir::recorderOf(op))
    if (const Task *known = machine.task(recorder.getValue()))
      made.recorder = &known->descriptor;
  if (FlatSymbolRefAttr variant = ir::variantOf(op))
    if (const Task *known = machine.task(variant.getValue()))
      made.variant = &known->descriptor;
  if (FlatSymbolRefAttr tangent = ir::tangentOf(op))
    if (const Task *known = machine.task(tangent.getValue()))
      made.tangent = &known->descriptor;
  made.passive = ir::passiveBitsOf(op);
  ArrayRef<int64_t> workspace = ir::workspaceOf(op);
  made.workspace = workspace.data();
  made.num_workspace_fields = int64_t(workspace.size() * sizeof(int64_t) /
                                      sizeof(chirt_workspace_field));
  made.entry = runTask;
}

//===----------------------------------------------------------------------===//
// Control code
//===----------------------------------------------------------------------===//

static void launch(Frame &caller, const Instr &i) {
  auto &extra = *static_cast<const LaunchExtra *>(i.extra);
  // Kept by the machine: a failure leaves past every destructor.
  std::vector<int64_t> &words = caller.machine->words;
  words.clear();
  for (Register argument : extra.args)
    words.push_back(int64_t(caller.r[argument]));
  chirt_domain domain = {};
  for (size_t k = 0; k < extra.from.size(); ++k) {
    domain.from[k] = signExtend(caller.r[extra.from[k]], extra.bits[k]);
    domain.to[k] = signExtend(caller.r[extra.to[k]], extra.bits[k]);
  }
  if (!extra.values.empty()) {
    domain.begin = signExtend(caller.r[extra.values[0]], extra.bits[0]);
    domain.step = signExtend(caller.r[extra.values[1]], extra.bits[0]);
  }
  chirt_launch(&extra.task->descriptor, words.data(), &domain);
}

static void makeCell(Frame &f, const Instr &i) {
  ++f.numCells;
  auto *shape = static_cast<const std::vector<int64_t> *>(i.extra);
  int64_t e[CHIRT_MAX_RANK];
  for (size_t k = 0; k < CHIRT_MAX_RANK; ++k)
    e[k] = k < shape->size() ? (*shape)[k] : 1;
  f.r[i.dst] = uint64_t(chirt_cell_push(reinterpret_cast<const char *>(i.imm),
                                        int64_t(shape->size()), e[0], e[1],
                                        e[2], e[3], e[4], e[5], e[6], e[7]));
}

bool Translator::translateLaunch(Operation *op, Code &code) {
  if (auto typed = dyn_cast<ir::LaunchOp>(op)) {
    auto *made = extra<LaunchExtra>();
    made->task = machine.task(typed.getTask());
    if (!made->task)
      return false;
    for (Value value : typed.getInputs())
      made->args.push_back(reg(value));
    for (auto [from, to] : llvm::zip_equal(typed.getFrom(), typed.getTo())) {
      made->from.push_back(reg(from));
      made->to.push_back(reg(to));
      made->bits.push_back(from.getType().getIntOrFloatBitWidth());
    }
    for (Value value : typed.getValues())
      made->values.push_back(reg(value));
    emit(code, launch).extra = made;
    return true;
  }
  if (auto typed = dyn_cast<ir::CellOp>(op)) {
    auto type = cast<ir::FieldType>(typed.getCell().getType());
    Register dst = reg(typed.getCell());
    Instr &instr = emit(code, makeCell);
    instr.dst = dst;
    instr.imm = uint64_t(machine.keep(ir::descriptionOf(type)));
    instr.extra = extra<std::vector<int64_t>>(type.getShape().begin(),
                                              type.getShape().end());
    return true;
  }
  return false;
}
