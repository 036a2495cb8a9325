//===- Structure.cpp - Control flow, calls, locals ------------------------===//

#include "chi/Interp/Code.h"

using namespace mlir;
using namespace chi;
using namespace chi::interp;

namespace {
struct IfExtra {
  Code thenCode, elseCode;
  std::vector<Register> results;
};
struct LoopExtra {
  Code before, body; ///< `before` of scf.while only
  std::vector<Register> inits, results;
  std::vector<Register> carried; ///< of scf.for: the body's arguments
  Register from = 0, to = 0, step = 0;
  unsigned bits = 64;
  bool isUnsigned = false;
};
struct CallExtra {
  const Function *callee;
  std::vector<Register> args, results;
};
/// A local: its scalars lie in registers from `first`.
struct LocalExtra {
  std::vector<Register> indices;
  std::vector<unsigned> bits; ///< of the indices
  std::vector<int64_t> shape;
};
/// The memory of a chi.scratch, reused at each execution: at most one of each
/// place in the code is in use.
using Scratch = std::vector<uint64_t>;
} // namespace

/// to[k] = from[k] for all k at once.
static void copyAll(Frame &frame, const std::vector<Register> &from,
                    const std::vector<Register> &to) {
  uint64_t small[16];
  std::vector<uint64_t> large;
  uint64_t *held = small;
  if (from.size() > 16) {
    large.resize(from.size());
    held = large.data();
  }
  for (size_t k = 0; k < from.size(); ++k)
    held[k] = frame.r[from[k]];
  for (size_t k = 0; k < from.size(); ++k)
    frame.r[to[k]] = held[k];
}

static void runIf(Frame &frame, const Instr &i) {
  auto &extra = *static_cast<const IfExtra *>(i.extra);
  const Code &code = frame.r[i.a] & 1 ? extra.thenCode : extra.elseCode;
  code.run(frame);
  copyAll(frame, code.yields, extra.results);
}

static void runFor(Frame &frame, const Instr &i) {
  auto &extra = *static_cast<const LoopExtra *>(i.extra);
  int64_t from = signExtend(frame.r[extra.from], extra.bits);
  int64_t to = signExtend(frame.r[extra.to], extra.bits);
  int64_t step = signExtend(frame.r[extra.step], extra.bits);
  copyAll(frame, extra.inits, extra.carried);
  // Counted, so that the last addition cannot overflow.
  uint64_t tripCount = 0;
  if (extra.isUnsigned) {
    uint64_t low = frame.r[extra.from], high = frame.r[extra.to];
    if (low < high)
      tripCount = (high - low - 1) / frame.r[extra.step] + 1;
  } else if (from < to && step > 0) {
    tripCount = (uint64_t(to) - uint64_t(from) - 1) / uint64_t(step) + 1;
  }
  uint64_t number = uint64_t(from);
  for (uint64_t iteration = 0; iteration < tripCount;
       ++iteration, number += uint64_t(step)) {
    frame.r[extra.body.args[0]] = number & maskOf(extra.bits);
    extra.body.run(frame);
    copyAll(frame, extra.body.yields, extra.carried);
  }
  copyAll(frame, extra.carried, extra.results);
}

static void runWhile(Frame &frame, const Instr &i) {
  auto &extra = *static_cast<const LoopExtra *>(i.extra);
  copyAll(frame, extra.inits, extra.before.args);
  for (;;) {
    extra.before.run(frame);
    if (!(frame.r[extra.before.condition] & 1))
      break;
    copyAll(frame, extra.before.yields, extra.body.args);
    extra.body.run(frame);
    copyAll(frame, extra.body.yields, extra.before.args);
  }
  copyAll(frame, extra.before.yields, extra.results);
}

static void runCall(Frame &frame, const Instr &i) {
  auto &extra = *static_cast<const CallExtra *>(i.extra);
  frame.machine->call(*extra.callee, frame, extra.args, extra.results);
}

void Machine::call(const Function &callee, Frame &caller,
                   llvm::ArrayRef<Register> args,
                   llvm::ArrayRef<Register> results) {
  uint64_t *registers = push(callee.numRegisters);
  std::memset(registers, 0, callee.numRegisters * sizeof(uint64_t));
  Frame frame{registers, this};
  for (size_t k = 0; k < args.size(); ++k)
    registers[callee.code.args[k]] = caller.r[args[k]];
  callee.code.run(frame);
  for (size_t k = 0; k < results.size(); ++k)
    caller.r[results[k]] = registers[callee.code.yields[k]];
  if (frame.numCells)
    chirt_cell_pop(frame.numCells);
  pop(callee.numRegisters);
}

static void makeLocal(Frame &frame, const Instr &i) {
  std::memset(frame.r + i.a, 0, i.imm * sizeof(uint64_t));
  frame.r[i.dst] = uint64_t(frame.r + i.a);
}

static uint64_t *localAddress(Frame &frame, const Instr &i, Register local) {
  auto &extra = *static_cast<const LocalExtra *>(i.extra);
  int64_t number = 0;
  for (size_t k = 0; k < extra.indices.size(); ++k)
    number = number * extra.shape[k] +
             signExtend(frame.r[extra.indices[k]], extra.bits[k]);
  return reinterpret_cast<uint64_t *>(frame.r[local]) + number;
}
static void getLocal(Frame &frame, const Instr &i) {
  frame.r[i.dst] = *localAddress(frame, i, i.a);
}
static void setLocal(Frame &frame, const Instr &i) {
  *localAddress(frame, i, i.a) = frame.r[i.b];
}

static void makeScratch(Frame &frame, const Instr &i) {
  auto *scratch = static_cast<Scratch *>(const_cast<void *>(i.extra));
  scratch->clear();
  frame.r[i.dst] = reinterpret_cast<uint64_t>(scratch);
}
static void reserve(Frame &frame, const Instr &i) {
  auto *scratch = reinterpret_cast<Scratch *>(frame.r[i.a]);
  if (int64_t(frame.r[i.b]) > int64_t(scratch->size()))
    scratch->resize(frame.r[i.b]);
}

/// An index outside of the reserved memory is a bug of a pass.
static uint64_t &entryOf(Frame &frame, Register scratch, Register index) {
  auto &entries = *reinterpret_cast<Scratch *>(frame.r[scratch]);
  if (frame.r[index] >= entries.size())
    llvm::report_fatal_error("an entry of a scratch that was not reserved");
  return entries[frame.r[index]];
}
static void getEntry(Frame &frame, const Instr &i) {
  frame.r[i.dst] = entryOf(frame, i.a, i.b);
}
static void setEntry(Frame &frame, const Instr &i) {
  entryOf(frame, i.a, i.b) = frame.r[i.c];
}

static LocalExtra *localExtra(Translator &t, ir::LocalType type,
                              OperandRange indices) {
  auto *extra = t.extra<LocalExtra>();
  for (Value index : indices)
    extra->indices.push_back(t.reg(index)),
        extra->bits.push_back(index.getType().getIntOrFloatBitWidth());
  extra->shape.assign(type.getShape().begin(), type.getShape().end());
  return extra;
}

template <typename Range>
static std::vector<Register> registersOf(Translator &t, Range &&values) {
  std::vector<Register> result;
  for (Value value : values)
    result.push_back(t.reg(value));
  return result;
}

/// Local memory that grows.
static bool translateScratch(Translator &t, Operation *op, Code &code) {
  if (auto made = dyn_cast<ir::ScratchOp>(op)) {
    Register dst = t.reg(made.getSlot());
    Instr &instr = t.emit(code, makeScratch);
    instr.dst = dst, instr.extra = t.extra<Scratch>();
    return true;
  }
  if (auto room = dyn_cast<ir::ReserveOp>(op)) {
    Register a = t.reg(room.getSlot()), b = t.reg(room.getSize());
    Instr &instr = t.emit(code, reserve);
    instr.a = a, instr.b = b;
    return true;
  }
  auto isScratch = [](auto access) {
    return cast<ir::LocalType>(access.getSlot().getType()).isScratch();
  };
  if (auto get = dyn_cast<ir::GetOp>(op); get && isScratch(get)) {
    Register a = t.reg(get.getSlot()), b = t.reg(get.getIndices().front());
    Register dst = t.reg(get.getResult());
    Instr &instr = t.emit(code, getEntry);
    instr.a = a, instr.b = b, instr.dst = dst;
    return true;
  }
  if (auto set = dyn_cast<ir::SetOp>(op); set && isScratch(set)) {
    Register a = t.reg(set.getSlot()), b = t.reg(set.getIndices().front());
    Register value = t.reg(set.getValue());
    Instr &instr = t.emit(code, setEntry);
    instr.a = a, instr.b = b, instr.c = value;
    return true;
  }
  return false;
}

bool Translator::translateStructure(Operation *op, Code &code) {
  if (translateScratch(*this, op, code))
    return true;
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    auto *made = extra<IfExtra>();
    made->results = registersOf(*this, op->getResults());
    translate(branch.getThenRegion().front(), made->thenCode);
    if (!branch.getElseRegion().empty())
      translate(branch.getElseRegion().front(), made->elseCode);
    Instr &instr = emit(code, runIf);
    instr.a = reg(branch.getCondition());
    instr.extra = made;
    return true;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    auto *made = extra<LoopExtra>();
    made->from = reg(loop.getLowerBound());
    made->to = reg(loop.getUpperBound());
    made->step = reg(loop.getStep());
    Type type = loop.getInductionVar().getType();
    made->bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    made->isUnsigned = loop.getUnsignedCmp();
    made->inits = registersOf(*this, loop.getInitArgs());
    made->results = registersOf(*this, op->getResults());
    translate(*loop.getBody(), made->body);
    made->carried.assign(made->body.args.begin() + 1, made->body.args.end());
    emit(code, runFor).extra = made;
    return true;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    auto *made = extra<LoopExtra>();
    made->inits = registersOf(*this, loop.getInits());
    made->results = registersOf(*this, op->getResults());
    translate(loop.getBefore().front(), made->before);
    translate(loop.getAfter().front(), made->body);
    emit(code, runWhile).extra = made;
    return true;
  }
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto *made = extra<CallExtra>();
    made->callee = machine.function(call.getCallee());
    if (!made->callee)
      return false;
    made->args = registersOf(*this, op->getOperands());
    made->results = registersOf(*this, op->getResults());
    emit(code, runCall).extra = made;
    return true;
  }
  if (auto local = dyn_cast<ir::LocalOp>(op)) {
    auto type = cast<ir::LocalType>(local.getSlot().getType());
    int64_t count = type.isScalar() ? 1 : type.getNumElements();
    Instr &instr = emit(code, makeLocal);
    instr.dst = reg(local.getSlot());
    instr.a = function.numRegisters;
    instr.imm = count;
    function.numRegisters += count;
    return true;
  }
  if (auto get = dyn_cast<ir::GetOp>(op)) {
    auto type = cast<ir::LocalType>(get.getSlot().getType());
    auto *made = localExtra(*this, type, get.getIndices());
    Instr &instr = emit(code, getLocal);
    instr.dst = reg(get.getResult());
    instr.a = reg(get.getSlot());
    instr.extra = made;
    return true;
  }
  if (auto set = dyn_cast<ir::SetOp>(op)) {
    auto type = cast<ir::LocalType>(set.getSlot().getType());
    auto *made = localExtra(*this, type, set.getIndices());
    Instr &instr = emit(code, setLocal);
    instr.a = reg(set.getSlot());
    instr.b = reg(set.getValue());
    instr.extra = made;
    return true;
  }
  return false;
}
