//===- SpreadCounters.cpp - Equal neighbours count apart ------------------===//

#include "chi/Target/CPU/Passes/SpreadCounters.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <optional>

using namespace llvm;

/// The most and the fewest tables that are used in turn, the program's own
/// among them. A sum that is reloaded from memory takes the time of six others.
static constexpr unsigned kMostTables = 8, kLeastTables = 4;
/// All of so many fit in the stack and a quarter of the first cache.
static constexpr uint64_t kMostCounters = 1024;
static constexpr uint64_t kMostBytes = 8192;
/// Iterations for each counter of each table from which on clearing and adding
/// do not show.
static constexpr uint64_t kIterationsPerCounter = 16;

namespace {
/// The counters of one argument.
struct Table {
  Argument *argument;
  Type *type = nullptr; ///< of a counter
  uint64_t count = 0;   ///< no key is as large
  /// The addresses of counters, by block.
  MapVector<BasicBlock *, SmallVector<GetElementPtrInst *, 8>> counters;
};

/// A loop of one block, and how far its counting goes.
struct CountedLoop {
  BasicBlock *before, *block, *after;
  Value *first, *last;
};
} // namespace

/// Is `offset` there for one `*offset += n` only?
static bool isSum(GetElementPtrInst *offset, Type *type) {
  LoadInst *load = nullptr;
  StoreInst *store = nullptr;
  for (User *user : offset->users()) {
    if (auto *found = dyn_cast<LoadInst>(user); found && !load)
      load = found;
    else if (auto *found = dyn_cast<StoreInst>(user); found && !store)
      store = found;
    else
      return false;
  }
  if (!load || !store || !load->isSimple() || !store->isSimple() ||
      load->getType() != type || !load->hasOneUse() ||
      load->getParent() != store->getParent() ||
      load->getParent() != offset->getParent())
    return false;
  auto *sum = dyn_cast<BinaryOperator>(store->getValueOperand());
  return sum && sum->getOpcode() == Instruction::Add && sum->hasOneUse() &&
         is_contained(sum->operands(), load);
}

/// The table of an argument that is only summed into.
static std::optional<Table> tableOf(Argument &argument,
                                    const DataLayout &layout) {
  if (!argument.getType()->isPointerTy() || !argument.hasNoAliasAttr())
    return std::nullopt;
  Table table{&argument, nullptr, 0, {}};
  for (User *user : argument.users()) {
    auto *offset = dyn_cast<GetElementPtrInst>(user);
    if (!offset || offset->getPointerOperand() != &argument ||
        offset->getNumIndices() != 1 ||
        !offset->getSourceElementType()->isIntegerTy() ||
        (table.type && table.type != offset->getSourceElementType()))
      return std::nullopt;
    table.type = offset->getSourceElementType();
    KnownBits key = computeKnownBits(offset->getOperand(1), layout);
    if (key.getMaxValue().uge(kMostCounters) || !isSum(offset, table.type))
      return std::nullopt;
    table.count = std::max(table.count, key.getMaxValue().getZExtValue() + 1);
    table.counters[offset->getParent()].push_back(offset);
  }
  return table;
}

/// The loop that consists of `block`, if it counts up to a value.
static std::optional<CountedLoop> loopOf(BasicBlock *block) {
  auto *end = dyn_cast<BranchInst>(block->getTerminator());
  if (!end || !end->isConditional() || !block->hasNPredecessors(2))
    return std::nullopt;
  unsigned inside = end->getSuccessor(0) == block ? 0 : 1;
  if (end->getSuccessor(inside) != block || end->getSuccessor(!inside) == block)
    return std::nullopt;
  auto *test = dyn_cast<ICmpInst>(end->getCondition());
  if (!test || !test->isEquality())
    return std::nullopt;
  for (PHINode &counter : block->phis()) {
    Value *next = counter.getIncomingValueForBlock(block);
    if (test->getOperand(0) != next)
      continue;
    unsigned outer = counter.getBasicBlockIndex(block) == 0 ? 1 : 0;
    auto *last = dyn_cast<Instruction>(test->getOperand(1));
    if (last && last->getParent() == block)
      return std::nullopt;
    return CountedLoop{counter.getIncomingBlock(outer), block,
                       end->getSuccessor(!inside),
                       counter.getIncomingValue(outer), test->getOperand(1)};
  }
  return std::nullopt;
}

/// `table[k] += tables[0][k] + tables[1][k] + …` for the keys that were met: no
/// other is known to be in the table.
static void addTables(Instruction *before, const Table &table,
                      ArrayRef<Value *> others) {
  IRBuilder<> b(before);
  Type *i64 = b.getInt64Ty();
  BasicBlock *start = before->getParent();
  BasicBlock *done = SplitBlock(start, before);
  LLVMContext &context = b.getContext();
  Function *function = start->getParent();
  auto *head = BasicBlock::Create(context, "counters.add", function, done);
  auto *some = BasicBlock::Create(context, "counters.some", function, done);
  auto *next = BasicBlock::Create(context, "counters.next", function, done);
  start->getTerminator()->setSuccessor(0, head);
  b.SetInsertPoint(head);
  PHINode *key = b.CreatePHI(i64, 2);
  key->addIncoming(b.getInt64(0), start);
  Value *sum = ConstantInt::get(table.type, 0);
  for (Value *other : others)
    sum = b.CreateAdd(
        sum, b.CreateLoad(table.type, b.CreateGEP(table.type, other, key)));
  b.CreateCondBr(b.CreateIsNotNull(sum), some, next);
  b.SetInsertPoint(some);
  Value *offset = b.CreateGEP(table.type, table.argument, key);
  b.CreateStore(b.CreateAdd(b.CreateLoad(table.type, offset), sum), offset);
  b.CreateBr(next);
  b.SetInsertPoint(next);
  Value *following = b.CreateAdd(key, b.getInt64(1));
  key->addIncoming(following, next);
  b.CreateCondBr(b.CreateICmpEQ(following, b.getInt64(table.count)), done,
                 head);
}

static unsigned numTables(const Table &table, size_t sums) {
  uint64_t bytes = table.count * table.type->getIntegerBitWidth() / 8;
  return sums >= kMostTables && kMostTables * bytes <= kMostBytes
             ? kMostTables
             : kLeastTables;
}

static void spread(const Table &table, const CountedLoop &loop,
                   MutableArrayRef<GetElementPtrInst *> counters) {
  llvm::sort(counters, [](GetElementPtrInst *a, GetElementPtrInst *b) {
    return a->comesBefore(b); // so that neighbours have different tables
  });
  Function *function = loop.block->getParent();
  const DataLayout &layout = function->getDataLayout();
  IRBuilder<> b(&*function->getEntryBlock().getFirstInsertionPt());
  auto *memory = ArrayType::get(table.type, table.count);
  SmallVector<Value *> others, tables{table.argument};
  const unsigned count = numTables(table, counters.size());
  for (unsigned k = 1; k < count; ++k)
    others.push_back(b.CreateAlloca(memory, nullptr, "counters"));

  BasicBlock *enter = SplitEdge(loop.before, loop.block);
  b.SetInsertPoint(enter->getTerminator());
  Value *span = b.CreateSub(loop.last, loop.first);
  Value *isLong = b.CreateICmpUGT(
      span, ConstantInt::get(span->getType(),
                             table.count * count * kIterationsPerCounter));
  for (Value *other : others)
    tables.push_back(b.CreateSelect(isLong, other, table.argument));
  b.SetInsertPoint(
      SplitBlockAndInsertIfThen(isLong, enter->getTerminator(), false));
  for (Value *other : others)
    b.CreateMemSet(other, b.getInt8(0), layout.getTypeAllocSize(memory),
                   MaybeAlign(layout.getABITypeAlign(table.type)));
  for (auto [k, offset] : enumerate(counters))
    offset->setOperand(0, tables[k % count]);

  BasicBlock *leave = SplitEdge(loop.block, loop.after);
  addTables(SplitBlockAndInsertIfThen(isLong, leave->getTerminator(), false),
            table, others);
}

PreservedAnalyses
chi::target::cpu::passes::SpreadCountersPass::run(Function &function,
                                                  FunctionAnalysisManager &) {
  bool isChanged = false;
  for (Argument &argument : function.args()) {
    auto table = tableOf(argument, function.getDataLayout());
    if (!table)
      continue;
    for (auto &[block, counters] : table->counters) {
      auto loop =
          counters.size() >= kLeastTables ? loopOf(block) : std::nullopt;
      if (!loop)
        continue;
      spread(*table, *loop, counters);
      isChanged = true;
    }
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
