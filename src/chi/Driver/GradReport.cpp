//===- GradReport.cpp -----------------------------------------------------===//
#include "chi/Driver/GradReport.h"

#include "chi/Analysis/Ranges.h"
#include "chi/Conversion/Runtime.h"
#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Dialect/Chi/RuntimeFunctions.h"
#include "chi/Dialect/Chi/Schedule.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace chi;
using namespace chi::driver;

namespace {
/// The operations of a task, each counted once.
struct Work {
  int64_t operations = 0; ///< of floats
  int64_t bytes = 0;      ///< read and written
};

/// Writes the part of one task.
class TaskReport {
public:
  /// `sums`: tasks of the chain that add up for themselves what goes to an
  /// element. `recorder`: null if there is none.
  TaskReport(ir::TaskOp primal, ir::TaskOp adjoint, ArrayRef<ir::TaskOp> sums,
             ir::TaskOp recorder, llvm::raw_ostream &out)
      : primal(primal), adjoint(adjoint), sums(sums), recorder(recorder),
        out(out) {}
  void write();

private:
  using Access = ir::FieldAccessOpInterface;
  using LineAndColumn = std::pair<unsigned, unsigned>; ///< line and column

  void writeCost();
  void writeLocalTape();
  void writeResults();
  void writeAccess(Access access);
  std::string needOf(Access access);
  std::string additionOf(Access access);
  Access findSum(Access access);
  std::string axesOfLoop(ir::TaskOp sum);
  bool loadsTurnedRound(Access access);
  std::string reasonOf(ir::AccumOp accum);
  bool isMadeAgain(unsigned captured);
  bool isPassive(Access access);
  Access find(Access access, ir::AccessKind kind, bool ofAdjoints);
  Access findIn(ir::TaskOp task, Access access, ir::AccessKind kind,
                bool ofAdjoints);

  ir::TaskOp primal, adjoint;
  SmallVector<ir::TaskOp> sums;
  ir::TaskOp recorder;
  llvm::raw_ostream &out;
  llvm::StringSet<> reported; ///< components and unrolled loops repeat it
};
} // namespace

static unsigned lineOf(Location loc) { return conv::positionOf(loc).line; }

static int64_t bytesOf(Type type) {
  return type.isIntOrFloat() ? (type.getIntOrFloatBitWidth() + 7) / 8 : 0;
}

static Type scalarOf(ir::FieldAccessOpInterface access) {
  return access.getField().getType().getScalar();
}

static Work workOf(ir::TaskOp task) {
  Work work;
  task.getBody().walk([&](Operation *op) {
    if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op)) {
      bool isUpdate = access.getAccessKind() == ir::AccessKind::accum ||
                      access.getAccessKind() == ir::AccessKind::atomic;
      work.bytes += bytesOf(scalarOf(access)) * (isUpdate ? 2 : 1);
      work.operations += isUpdate;
      return;
    }
    bool isOfFloats =
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<FloatType>);
    bool computes = isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
                        op->getDialect()) ||
                    isa<ir::RootOp, ir::FFloorModOp, ir::HypotOp>(op);
    if (isOfFloats && computes && !isa<arith::ConstantOp>(op))
      ++work.operations;
  });
  return work;
}

/// The captured value of a task that an access is to.
static std::optional<unsigned> capturedBy(ir::FieldAccessOpInterface access) {
  auto field =
      dyn_cast<BlockArgument>(analysis::fieldBelowCasts(access.getField()));
  auto task = access->getParentOfType<ir::TaskOp>();
  if (!field || field.getOwner() != &task.getBody().front())
    return std::nullopt;
  return field.getArgNumber();
}

//===----------------------------------------------------------------------===//
// The task
//===----------------------------------------------------------------------===//

static std::string countOperations(const Work &work) {
  return llvm::formatv("{0} operation{1}", work.operations,
                       work.operations == 1 ? "" : "s")
      .str();
}

/// The operations of an adjoint, with the sums before it, next to those of its
/// primal.
static void writeAdjointCost(const Work &before, ir::TaskOp adjoint,
                             ArrayRef<ir::TaskOp> sums,
                             llvm::raw_ostream &out) {
  Work after = workOf(adjoint);
  for (ir::TaskOp sum : sums) {
    Work more = workOf(sum);
    after.operations += more.operations, after.bytes += more.bytes;
  }
  auto times = [](int64_t of, int64_t to) {
    return to ? llvm::formatv(" ({0:f1} x)", double(of) / double(to)).str()
              : std::string();
  };
  out << "adjoint " << countOperations(after)
      << times(after.operations, before.operations) << ", " << after.bytes
      << " bytes" << times(after.bytes, before.bytes) << "\n";
}

void TaskReport::writeCost() {
  Work before = workOf(primal);
  out << "  line " << lineOf(primal.getLoc()) << ": " << countOperations(before)
      << ", " << before.bytes << " bytes per iteration; ";
  writeAdjointCost(before, adjoint, sums, out);
}

/// One line for each loop that keeps values on the local tape.
void TaskReport::writeLocalTape() {
  llvm::MapVector<unsigned, int64_t> bytes;
  llvm::DenseSet<Value> seen;
  adjoint.getBody().walk([&](ir::SetOp set) {
    auto memory = set->getOperand(1);
    if (!memory.getDefiningOp<ir::ScratchOp>() || !seen.insert(memory).second)
      return;
    Operation *loop = set->getParentOfType<LoopLikeOpInterface>();
    bytes[lineOf((loop ? loop : set.getOperation())->getLoc())] +=
        bytesOf(set->getOperand(0).getType());
  });
  for (auto [line, count] : bytes)
    out << "    line " << line << ": " << count
        << " bytes per iteration of the loop on the local tape\n";
}

/// One line for each atomic operation whose result is kept.
void TaskReport::writeResults() {
  if (!recorder)
    return;
  ArrayRef<int64_t> words = ir::workspaceOf(recorder);
  constexpr size_t kWords = sizeof(chirt_workspace_field) / sizeof(int64_t);
  recorder.getBody().walk([&](ir::StoreOp store) {
    auto captured = capturedBy(Access(store));
    if (!captured || *captured < primal.getNumCaptured())
      return;
    size_t number = *captured - primal.getNumCaptured();
    ArrayRef<int64_t> workspace = words.slice(number * kWords, kWords);
    int64_t each = bytesOf(scalarOf(Access(store))), results = workspace[3];
    out << "    line " << lineOf(store.getLoc())
        << ": result of an atomic operation saved: ";
    if (results)
      out << each * results << " bytes per iteration\n";
    else
      out << each << " bytes per operation and 8 per iteration; a "
          << "counting pass runs first\n";
  });
}

void TaskReport::write() {
  writeCost();
  writeLocalTape();
  writeResults();
  primal.getBody().walk([&](Access access) {
    if (isa<FloatType>(scalarOf(access)))
      writeAccess(access);
  });
}

//===----------------------------------------------------------------------===//
// One access
//===----------------------------------------------------------------------===//

/// The access of the adjoint that comes from the same place of the source, to
/// the same field or to its adjoint.
TaskReport::Access TaskReport::find(Access access, ir::AccessKind kind,
                                    bool ofAdjoints) {
  Access found = findIn(adjoint, access, kind, ofAdjoints);
  for (ir::TaskOp sum : sums)
    found = found ? found : findIn(sum, access, kind, ofAdjoints);
  return found;
}

TaskReport::Access TaskReport::findIn(ir::TaskOp task, Access access,
                                      ir::AccessKind kind, bool ofAdjoints) {
  conv::SourcePosition position = conv::positionOf(access->getLoc());
  int64_t numPrimal = task.getNumPrimal().value_or(0);
  Access found;
  task.getBody().walk([&](Access other) {
    auto captured = capturedBy(other);
    conv::SourcePosition at = conv::positionOf(other->getLoc());
    if (captured && (*captured >= numPrimal) == ofAdjoints &&
        other.getAccessKind() == kind && at.line == position.line &&
        at.column == position.column &&
        other.getFieldNameAttr() == access.getFieldNameAttr() &&
        other.getComponent() == access.getComponent()) {
      found = other;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return found;
}

bool TaskReport::isMadeAgain(unsigned captured) {
  return adjoint.writes(captured);
}

/// For a task with axes of its own: does it load the same by the other of two
/// exchanged axes?
bool TaskReport::loadsTurnedRound(Access access) {
  auto captured = capturedBy(access);
  return captured && ir::hasOwnAxes(adjoint) &&
         adjoint.getBody()
             .walk([&](ir::LoadOp load) {
               return capturedBy(load) == captured &&
                              load.getComponent() == access.getComponent()
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             })
             .wasInterrupted();
}

/// How the adjoint uses the value that was read.
std::string TaskReport::needOf(Access access) {
  auto captured = capturedBy(access);
  if (captured && isMadeAgain(*captured))
    return "needed: the writes of the iteration are recomputed on a copy of "
           "the field";
  if (!find(access, ir::AccessKind::load, /*ofAdjoints=*/false) &&
      !loadsTurnedRound(access))
    return "not needed";
  int64_t bytes = bytesOf(scalarOf(access));
  return llvm::formatv("needed: {0} bytes, read again; the tape saves elements "
                       "before they are overwritten",
                       bytes)
      .str();
}

/// Does an index depend on a value that the task loads, or on a loop in it?
static StringRef originOf(ir::AccumOp accum) {
  SmallVector<Value> open(accum.getIndices());
  llvm::DenseSet<Value> seen;
  StringRef found = "other iterations may access the element";
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (!op) {
      bool isOfLoop = !isa<ir::TaskOp>(value.getParentBlock()->getParentOp());
      if (isOfLoop)
        found = "an inner loop traverses the elements in each iteration";
      continue;
    }
    if (isa<ir::FieldAccessOpInterface, ir::GetOp>(op))
      return "the index depends on data";
    llvm::append_range(open, op->getOperands());
  }
  return found;
}

std::string TaskReport::reasonOf(ir::AccumOp accum) {
  switch (accum.getStrategy().value_or(ir::AccumStrategy::atomic)) {
  case ir::AccumStrategy::plain:
    if (ir::isOrdered(adjoint))
      return "accumulated in the order of iterations, as `strict` requires";
    return "accumulated by plain stores: no other iteration accesses the "
           "element";
  case ir::AccumStrategy::deterministic:
    return "accumulated by a tree reduction: all iterations access the element";
  case ir::AccumStrategy::privatized:
    return ("accumulated in a copy for each thread: " + originOf(accum)).str();
  default:
    break;
  }
  auto captured = capturedBy(accum);
  bool isOtherwiseUsed = false;
  adjoint.getBody().walk([&](Access other) {
    isOtherwiseUsed |= other.getAccessKind() != ir::AccessKind::accum &&
                       capturedBy(other) == captured;
  });
  return ("accumulated by atomic operations: " + originOf(accum) +
          (isOtherwiseUsed
               ? ", without copies, because the task also reads the adjoint"
               : ""))
      .str();
}

/// Where an adjoint task has axes of its own, one addition represents all
/// accesses to the element.
TaskReport::Access TaskReport::findSum(Access access) {
  Access found;
  for (ir::TaskOp sum : sums)
    if (!found)
      found = findIn(sum, access, ir::AccessKind::accum, /*ofAdjoints=*/true);
  if (found)
    return found;
  if (!ir::hasOwnAxes(adjoint))
    return found;
  adjoint.getBody().walk([&](ir::AccumOp accum) {
    auto captured = capturedBy(accum);
    if (captured && *captured >= adjoint.getNumPrimal() &&
        accum.getFieldNameAttr() == access.getFieldNameAttr() &&
        accum.getComponent() == access.getComponent())
      found = accum;
  });
  return found;
}

/// The names of the axes that a task of the adjoint goes over by itself.
std::string TaskReport::axesOfLoop(ir::TaskOp sum) {
  std::string names;
  ArrayAttr all = primal.getAxesAttr(), left = sum.getAxesAttr();
  for (Attribute name : all ? all.getValue() : ArrayRef<Attribute>())
    if (!left || !llvm::is_contained(left, name))
      names += (names.empty() ? "`" : ", `") +
               cast<StringAttr>(name).getValue().str() + "`";
  return names;
}

/// Does the adjoint task touch no adjoint of the field?
bool TaskReport::isPassive(Access access) {
  auto captured = capturedBy(access);
  bool isTouched = false;
  int64_t numPrimal = adjoint.getNumPrimal().value_or(0);
  auto look = [&](Access other) {
    auto number = capturedBy(other);
    isTouched |= number && *number >= numPrimal &&
                 other.getFieldNameAttr() == access.getFieldNameAttr();
  };
  adjoint.getBody().walk(look);
  for (ir::TaskOp sum : sums)
    sum.getBody().walk(look);
  return captured && !isTouched;
}

/// How the adjoint of a field receives the contribution of an access.
std::string TaskReport::additionOf(Access access) {
  if (isPassive(access))
    return "no adjoint: it depends on no field with a gradient, or no stored "
           "value depends on it";
  if (access.getAccessKind() == ir::AccessKind::store) {
    bool isTaken = find(access, ir::AccessKind::load, /*ofAdjoints=*/true) ||
                   find(access, ir::AccessKind::store, /*ofAdjoints=*/true);
    return isTaken ? "adjoint read, then set to zero" : "adjoint set to zero";
  }
  if (access.getAccessKind() != ir::AccessKind::load)
    return "adjoint read";
  if (Access sum = findSum(access))
    return "adjoint summed over " +
           axesOfLoop(sum->getParentOfType<ir::TaskOp>()) +
           " in a register, then " +
           reasonOf(cast<ir::AccumOp>(sum.getOperation()));
  Access added = find(access, ir::AccessKind::accum, /*ofAdjoints=*/true);
  if (added)
    return "adjoint " + reasonOf(cast<ir::AccumOp>(added.getOperation()));
  added = find(access, ir::AccessKind::store, /*ofAdjoints=*/true);
  return added ? "adjoint stored: it has no other contribution"
               : "no adjoint: no stored value depends on it, or another access "
                 "accumulates it";
}

static StringRef wordOf(ir::AccessKind kind) {
  switch (kind) {
  case ir::AccessKind::load:
    return "read";
  case ir::AccessKind::store:
    return "stored";
  default:
    return "updated";
  }
}

void TaskReport::writeAccess(Access access) {
  StringAttr name = access.getFieldNameAttr();
  std::string line;
  llvm::raw_string_ostream text(line);
  text << "    line " << lineOf(access->getLoc()) << ": `"
       << (name ? name.getValue() : StringRef("a field")) << "` "
       << wordOf(access.getAccessKind()) << ": ";
  if (access.getAccessKind() == ir::AccessKind::load)
    text << needOf(access) << "; ";
  text << additionOf(access) << "\n";
  if (reported.insert(line).second)
    out << line;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// The tasks that chi-scatter-to-gather split off an adjoint.
static SmallVector<ir::TaskOp> sumsOf(ir::TaskOp adjoint,
                                      SymbolTable &symbols) {
  SmallVector<ir::TaskOp> sums;
  for (FlatSymbolRefAttr name = ir::prologueOf(adjoint); name;) {
    auto prologue = symbols.lookup<ir::TaskOp>(name.getValue());
    if (ir::hasOwnAxes(prologue))
      sums.push_back(prologue);
    name = ir::prologueOf(prologue);
  }
  return sums;
}

/// One line for each adjoint that runs where fewer fields have a derivative.
static void writeVariants(ir::TaskOp primal, ir::TaskOp adjoint,
                          SymbolTable &symbols, llvm::raw_ostream &out) {
  std::string names = ir::argumentNames(primal);
  SmallVector<StringRef> each;
  StringRef(names).split(each, ',');
  while (FlatSymbolRefAttr name = ir::variantOf(adjoint)) {
    adjoint = symbols.lookup<ir::TaskOp>(name.getValue());
    out << "    where ";
    llvm::interleave(
        ir::passiveOf(adjoint), out,
        [&](int64_t number) { out << '`' << each[number].trim() << '`'; },
        ", ");
    out << (ir::passiveOf(adjoint).size() == 1 ? " has" : " have")
        << " no derivative: ";
    writeAdjointCost(workOf(primal), adjoint, sumsOf(adjoint, symbols), out);
  }
}

bool chi::driver::writeGradReport(ModuleOp module, llvm::raw_ostream &out) {
  SymbolTable symbols(module);
  StringRef kernel;
  bool isAny = false;
  for (auto task : module.getOps<ir::TaskOp>()) {
    if (!ir::adjointOf(task) || task.getNumPrimal())
      continue;
    if (!isAny || task.getKernel() != kernel)
      out << (isAny ? "\n" : "") << "kernel " << task.getKernel() << "\n";
    kernel = task.getKernel();
    isAny = true;
    ir::TaskOp recorder;
    if (FlatSymbolRefAttr name = ir::recorderOf(task))
      recorder = symbols.lookup<ir::TaskOp>(name.getValue());
    auto adjoint = symbols.lookup<ir::TaskOp>(ir::adjointOf(task).getValue());
    TaskReport(task, adjoint, sumsOf(adjoint, symbols), recorder, out).write();
    writeVariants(task, adjoint, symbols, out);
  }
  return isAny;
}
