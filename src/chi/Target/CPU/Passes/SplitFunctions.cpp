//===- SplitFunctions.cpp - Long functions in chunks ----------------------===//
// Note [Pieces of a function]
// The code between two blocks of a path down the dominator tree is entered by
// the first of them only, and is left by the second, or for the function's end.
// So such a chunk becomes a function of its own, with the values that it needs
// as parameters. The path follows most of the code: through the body of a long
// loop, or the side of a long condition. Pieces contain whole loops: all blocks
// of a path are in the same loops. The code around a loop is split after the
// code in it.

#include "chi/Target/CPU/Passes/SplitFunctions.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

using namespace llvm;

/// Instructions of a function, or of a loop, that stays whole, and of a chunk.
static constexpr size_t kLong = 6000, kChunk = 1000;

namespace {
/// Finds the chunks of one function, in one loop or outside of all.
class ChunkFinder {
public:
  ChunkFinder(Function &function, DominatorTree &dominators, LoopInfo &loops,
              BasicBlock *end)
      : function(function), dominators(dominators), loops(loops), end(end) {
    for (auto *node : post_order(dominators.getRootNode())) {
      size_t below = node->getBlock()->size();
      for (auto *child : *node)
        below += weights.lookup(child->getBlock());
      weights[node->getBlock()] = below;
    }
  }

  using Chunk = SmallVector<BasicBlock *>;
  /// From the last one on.
  std::vector<Chunk> find(const Loop *in);

private:
  BasicBlock *next(BasicBlock *block, const Loop *in);
  Chunk between(BasicBlock *first, BasicBlock *behind, const Loop *in);
  bool belongs(BasicBlock *block, const Loop *in);

  Function &function;
  DominatorTree &dominators;
  LoopInfo &loops;
  BasicBlock *end; ///< where the function returns
  DenseMap<BasicBlock *, size_t> weights;
};
} // namespace

/// The block of the path after `block`: where most of the rest is.
BasicBlock *ChunkFinder::next(BasicBlock *block, const Loop *in) {
  BasicBlock *best = nullptr;
  for (auto *child : *dominators.getNode(block)) {
    BasicBlock *other = child->getBlock();
    if (other == end || (in && !in->contains(other)))
      continue;
    if (!best || weights[other] > weights[best])
      best = other;
  }
  return best;
}

/// Is the block part of a stretch of that loop? What ends the function there,
/// the loop too, is.
bool ChunkFinder::belongs(BasicBlock *block, const Loop *in) {
  if (block == end)
    return false;
  return !in || in->contains(block) ||
         all_of(successors(block), [&](BasicBlock *to) { return to == end; });
}

/// The blocks that `first` dominates, without those of `behind`. Empty if they
/// can be entered elsewhere.
ChunkFinder::Chunk ChunkFinder::between(BasicBlock *first, BasicBlock *behind,
                                        const Loop *in) {
  SmallVector<BasicBlock *> open{first};
  SmallSetVector<BasicBlock *, 16> chunk;
  while (!open.empty()) {
    BasicBlock *block = open.pop_back_val();
    if (block == behind || !belongs(block, in))
      continue;
    chunk.insert(block);
    for (auto *child : *dominators.getNode(block))
      open.push_back(child->getBlock());
  }
  for (bool changed = true; changed;) {
    changed = chunk.remove_if([&](BasicBlock *block) {
      return block != first && any_of(predecessors(block), [&](auto *from) {
               return !chunk.contains(from);
             });
    });
  }
  return Chunk(chunk.begin(), chunk.end());
}

std::vector<ChunkFinder::Chunk> ChunkFinder::find(const Loop *in) {
  BasicBlock *start = in ? in->getHeader() : &function.getEntryBlock();
  std::vector<Chunk> chunks;
  // The first block has what comes from outside: phis, local arrays.
  BasicBlock *first = nullptr;
  for (BasicBlock *at = next(start, in); at; at = next(at, in)) {
    if (loops.getLoopFor(at) != in)
      continue;
    if (!first)
      first = at;
    if (weights[first] - weights[at] < kChunk)
      continue;
    chunks.push_back(between(first, at, in));
    first = at;
  }
  std::reverse(chunks.begin(), chunks.end());
  return chunks;
}

/// One block where all returns are; null if there are none.
static BasicBlock *joinReturns(Function &function) {
  SmallVector<ReturnInst *> returns;
  for (BasicBlock &block : function)
    if (auto *result = dyn_cast<ReturnInst>(block.getTerminator()))
      returns.push_back(result);
  if (returns.empty())
    return nullptr;
  auto *end = BasicBlock::Create(function.getContext(), "return", &function);
  PHINode *value = nullptr;
  if (!function.getReturnType()->isVoidTy())
    value = PHINode::Create(function.getReturnType(), returns.size(), "", end);
  for (ReturnInst *result : returns) {
    if (value)
      value->addIncoming(result->getReturnValue(), result->getParent());
    BranchInst::Create(end, result->getIterator());
    result->eraseFromParent();
  }
  ReturnInst::Create(function.getContext(), value, end);
  return end;
}

/// Splits into blocks so short that chunks can end after each. From the end, so
/// that each instruction moves once.
static void splitBlocks(Function &function) {
  constexpr size_t kBlock = kChunk / 2;
  for (BasicBlock &block : make_early_inc_range(function))
    for (size_t size = block.size(); size > kBlock; size -= kBlock) {
      auto first = std::prev(block.end(), kBlock);
      if (isa<PHINode, AllocaInst>(first))
        break;
      block.splitBasicBlock(first);
    }
}

/// Is it as cheap as passing its result, and has at most one operand that is no
/// constant? A sum would require that both of its operands are passed.
static bool isCheap(const Instruction &inst) {
  if (count_if(inst.operands(),
               [](const Use &use) { return isa<Instruction>(use.get()); }) > 1)
    return false;
  return (isa<BinaryOperator, CastInst, GetElementPtrInst>(inst) &&
          isSafeToSpeculativelyExecute(&inst)) ||
         isa<CmpInst>(inst);
}

/// Computes cheap values where they are used, so that chunks pass few of them
/// to each other. Users are visited before their operands.
static void sinkCheap(Function &function) {
  for (BasicBlock *block : post_order(&function))
    for (Instruction &inst : make_early_inc_range(reverse(*block))) {
      if (!isCheap(inst))
        continue;
      MapVector<BasicBlock *, Instruction *> copies; // at the first user
      bool isWanted = true;
      for (User *user : inst.users()) {
        auto *other = cast<Instruction>(user);
        isWanted &= !isa<PHINode>(other) && other->getParent() != block;
        auto &first = copies[other->getParent()];
        if (!first || other->comesBefore(first))
          first = other;
      }
      if (!isWanted || copies.size() > 4)
        continue;
      for (auto &[number, first] : copies) {
        Instruction *copy = inst.clone();
        copy->insertBefore(first->getIterator());
        first = copy;
      }
      for (Use &use : make_early_inc_range(inst.uses()))
        use.set(copies[cast<Instruction>(use.getUser())->getParent()]);
      inst.eraseFromParent();
    }
}

/// Does nothing else that is handed to a chunk point where the argument does?
static bool isOnlyPointer(const Argument *argument, ArrayRef<Value *> inputs) {
  return none_of(inputs, [&](const Value *other) {
    return other != argument && other->getType()->isPointerTy() &&
           getUnderlyingObject(other) == argument;
  });
}

/// Makes a function of a chunk, if it can be.
static void extract(Function &function, ArrayRef<BasicBlock *> chunk,
                    const CodeExtractorAnalysisCache &cache) {
  size_t size = 0;
  for (BasicBlock *block : chunk)
    size += block->size();
  if (size < kChunk / 2)
    return;
  CodeExtractor extractor(chunk, /*DT=*/nullptr, /*AggregateArgs=*/false,
                          nullptr, nullptr, nullptr, /*AllowVarArgs=*/false,
                          /*AllowAlloca=*/false, &function.getEntryBlock(),
                          "chunk");
  if (!extractor.isEligible())
    return;
  SetVector<Value *> inputs, outputs;
  Function *made = extractor.extractCodeRegion(cache, inputs, outputs);
  if (!made)
    return;
  made->addFnAttr(Attribute::NoInline);
  for (auto [number, value] : enumerate(inputs))
    if (auto *argument = dyn_cast<Argument>(value);
        argument && argument->hasNoAliasAttr() &&
        isOnlyPointer(argument, inputs.getArrayRef()))
      made->addParamAttr(number, Attribute::NoAlias);
}

/// Splits the code in a loop, or outside of all loops.
static void splitIn(Function &function, BasicBlock *end, BasicBlock *header) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  const Loop *in = header ? loops.getLoopFor(header) : nullptr;
  ChunkFinder finder(function, dominators, loops, end);
  CodeExtractorAnalysisCache cache(function);
  for (ArrayRef<BasicBlock *> chunk : finder.find(in))
    extract(function, chunk, cache);
}

static void split(Function &function) {
  BasicBlock *end = joinReturns(function);
  splitBlocks(function);
  sinkCheap(function);
  SmallVector<BasicBlock *> headers; // of inner loops first
  {
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    auto preorder = loops.getLoopsInPreorder();
    for (const Loop *loop : reverse(preorder)) {
      size_t size = 0;
      for (BasicBlock *block : loop->blocks())
        size += block->size();
      if (size > kLong)
        headers.push_back(loop->getHeader());
    }
  }
  headers.push_back(nullptr);
  for (BasicBlock *header : headers)
    if (function.getInstructionCount() > kLong)
      splitIn(function, end, header);
}

void chi::target::cpu::passes::splitFunctions(Module &module) {
  SmallVector<Function *> found;
  for (Function &function : module)
    if (function.getInstructionCount() > kLong)
      found.push_back(&function);
  for (Function *function : found)
    split(*function);
}
