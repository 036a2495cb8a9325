//===- JoinKeys.cpp - Small keys are loaded as one word -------------------===//

#include "chi/Target/CPU/Passes/JoinKeys.h"
#include "chi/Target/CPU/Passes/KeepBlocks.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

/// The cost of a word: four bytes are extracted by as many operations as there
/// are bytes; for 64 bits it is half as many again.
static constexpr int64_t kWordBytes = 4;
/// Operations in a row between a key and the addresses that it is for.
static constexpr unsigned kMaxOperations = 4;
/// A block of more is no unrolled loop; each key is compared with all rows.
static constexpr size_t kMaxKeys = 128;

namespace {
/// A load of a key, so many bytes after the first key of its row.
struct Key {
  LoadInst *load;
  int64_t offset;

  int64_t bytes() const {
    return int64_t(load->getType()->getIntegerBitWidth()) / 8;
  }
};

using Row = SmallVector<Key, 8>;

/// Joins the keys of one block.
class KeyJoiner {
public:
  KeyJoiner(BasicBlock &block, AAResults &aliases)
      : block(block), aliases(aliases) {}

  SmallVector<LoadInst *> keys() const;
  bool run(ArrayRef<LoadInst *> keys, ScalarEvolution &scev);

private:
  SmallVector<Row> rowsOf(ArrayRef<LoadInst *> keys, ScalarEvolution &scev);
  bool mayJoin(ArrayRef<Key> word) const;
  void join(ArrayRef<Key> word);

  BasicBlock &block;
  AAResults &aliases;
};
} // namespace

/// Is `value` there for indices of addresses only?
static bool isIndex(const Value *value, unsigned budget) {
  return !value->use_empty() && all_of(value->uses(), [&](const Use &use) {
    if (isa<GetElementPtrInst>(use.getUser()))
      return use.getOperandNo() > 0;
    return isa<CastInst, BinaryOperator>(use.getUser()) &&
           use.getUser()->getType()->isIntegerTy() && budget > 0 &&
           isIndex(use.getUser(), budget - 1);
  });
}

SmallVector<LoadInst *> KeyJoiner::keys() const {
  SmallVector<LoadInst *> found;
  for (Instruction &inst : block) {
    auto *load = dyn_cast<LoadInst>(&inst);
    if (load && load->isSimple() &&
        (load->getType()->isIntegerTy(8) || load->getType()->isIntegerTy(16)) &&
        isIndex(load, kMaxOperations))
      found.push_back(load);
  }
  return found;
}

/// Keys of one size that lie a constant number of bytes apart, by address.
SmallVector<Row> KeyJoiner::rowsOf(ArrayRef<LoadInst *> keys,
                                   ScalarEvolution &scev) {
  SmallVector<Row> rows;
  for (LoadInst *load : keys) {
    bool isPlaced = any_of(rows, [&](Row &row) {
      LoadInst *first = row.front().load;
      if (first->getType() != load->getType())
        return false;
      Type *byte = Type::getInt8Ty(load->getContext());
      auto offset = getPointersDiff(
          byte, first->getPointerOperand(), byte, load->getPointerOperand(),
          block.getDataLayout(), scev, /*StrictCheck=*/true);
      if (offset)
        row.push_back({load, *offset});
      return offset.has_value();
    });
    if (!isPlaced)
      rows.push_back({{load, 0}});
  }
  for (Row &row : rows)
    sort(row, [](const Key &a, const Key &b) {
      return a.offset != b.offset ? a.offset < b.offset
                                  : a.load->comesBefore(b.load);
    });
  return rows;
}

static bool areNeighbours(ArrayRef<Key> word) {
  for (size_t k = 1; k < word.size(); ++k)
    if (word[k].offset != word[k - 1].offset + word[k - 1].bytes())
      return false;
  return true;
}

static std::pair<LoadInst *, LoadInst *> endsOf(ArrayRef<Key> word) {
  auto [first, last] =
      std::minmax_element(word.begin(), word.end(), [](Key a, Key b) {
        return a.load->comesBefore(b.load);
      });
  return {first->load, last->load};
}

/// Do all keys have their values where the first is loaded, and are all loaded
/// when that one is?
bool KeyJoiner::mayJoin(ArrayRef<Key> word) const {
  LoadInst *lowest = word.front().load;
  auto [first, last] = endsOf(word);
  for (Instruction &inst :
       make_range(first->getIterator(), last->getIterator()))
    if (!isGuaranteedToTransferExecutionToSuccessor(&inst))
      return false;
  auto bytes = MemoryLocation::getBeforeOrAfter(lowest->getPointerOperand());
  return !aliases.canInstructionRangeModRef(*first, *last, bytes,
                                            ModRefInfo::Mod);
}

void KeyJoiner::join(ArrayRef<Key> word) {
  LoadInst *first = endsOf(word).first, *lowest = word.front().load;
  const Key &known =
      *find_if(word, [&](const Key &key) { return key.load == first; });
  IRBuilder<> b(first);
  Value *address =
      b.CreatePtrAdd(first->getPointerOperand(),
                     b.getInt64(word.front().offset - known.offset), "word.at");
  Value *all = b.CreateAlignedLoad(b.getIntNTy(8 * kWordBytes), address,
                                   lowest->getAlign(), "word");
  for (const Key &key : word) {
    uint64_t bits = 8 * uint64_t(key.offset - word.front().offset);
    Value *part = bits ? b.CreateLShr(all, bits) : all;
    key.load->replaceAllUsesWith(b.CreateTrunc(part, key.load->getType()));
  }
  for (const Key &key : word)
    key.load->eraseFromParent();
}

bool KeyJoiner::run(ArrayRef<LoadInst *> keys, ScalarEvolution &scev) {
  bool isChanged = false;
  for (const Row &row : rowsOf(keys, scev)) {
    size_t count = size_t(kWordBytes / row.front().bytes());
    for (size_t at = 0; at + count <= row.size();) {
      ArrayRef<Key> word = ArrayRef(row).slice(at, count);
      bool isJoined = areNeighbours(word) && mayJoin(word);
      if (isJoined)
        join(word);
      isChanged |= isJoined;
      at += isJoined ? count : 1;
    }
  }
  return isChanged;
}

PreservedAnalyses
chi::target::cpu::passes::JoinKeysPass::run(Function &function,
                                            FunctionAnalysisManager &manager) {
  // The position of a part in a word depends on the byte order.
  if (function.getDataLayout().isBigEndian())
    return PreservedAnalyses::all();
  auto &aliases = manager.getResult<AAManager>(function);
  bool isChanged = false;
  for (BasicBlock &block : function) {
    KeyJoiner joiner(block, aliases);
    SmallVector<LoadInst *> keys = joiner.keys();
    if (keys.size() > 1 && keys.size() <= kMaxKeys)
      isChanged |= joiner.run(
          keys, manager.getResult<ScalarEvolutionAnalysis>(function));
  }
  return keepBlocks(isChanged);
}
