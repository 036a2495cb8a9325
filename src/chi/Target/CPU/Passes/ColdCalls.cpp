//===- ColdCalls.cpp - Paths that vectors hardly ever take ----------------===//
// LLVM's loop vectoriser cannot keep a branch that only some lanes take: it
// computes both sides. For a path of a hundred operations that no lane takes
// this costs too much, and a call is not widened at all, unless it is known to
// have a variant for vectors with a mask (the "vector function ABI"). This pass
// makes such variants: a test of the mask, then a loop over the lanes.

#include "chi/Target/CPU/Passes/ColdCalls.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

static constexpr StringLiteral kPrefix = "chi.cold.";
static constexpr StringLiteral kVariant = "chi-cold-variant";
static constexpr StringLiteral kPlain = ".v", kChoosing = ".choose";
static constexpr unsigned kLanes[] = {2, 4, 8, 16};

static void addPureAttributes(Function &function) {
  function.setLinkage(GlobalValue::InternalLinkage);
  function.setMemoryEffects(MemoryEffects::none());
  function.addFnAttr(Attribute::NoUnwind);
  function.addFnAttr(Attribute::WillReturn);
  function.addFnAttr(Attribute::NoSync);
  function.addFnAttr(Attribute::NoFree);
  function.addFnAttr(Attribute::NoInline);
}

namespace {
/// Writes the bodies of one variant. The vectoriser calls the one that takes
/// the arguments and the mask, and selects between its result and the usual
/// one; the other one, which also takes the usual result and returns the
/// selected one, does the work: where no lane is rare it costs only the test.
class Variant {
public:
  Variant(Function &scalar, unsigned lanes)
      : scalar(scalar), lanes(lanes), b(scalar.getContext()) {}
  Function *make();
  /// The one that takes the usual result as well; after make().
  Function *choosing = nullptr;

private:
  Function *declare(bool takesUsual);
  void fillChoosing();
  BasicBlock *block(const char *name) {
    return BasicBlock::Create(scalar.getContext(), name, function);
  }
  /// In `here`: the results of the lanes whose mask is set, the rest of `old`.
  Value *oneLane(Value *lane, Value *old, BasicBlock *next);

  Function &scalar;
  unsigned lanes;
  IRBuilder<> b;
  Function *function = nullptr;
};
} // namespace

Function *Variant::declare(bool takesUsual) {
  SmallVector<Type *> arguments;
  for (Type *type : scalar.getFunctionType()->params())
    arguments.push_back(FixedVectorType::get(type, lanes));
  arguments.push_back(FixedVectorType::get(b.getInt1Ty(), lanes));
  Type *result = FixedVectorType::get(scalar.getReturnType(), lanes);
  if (takesUsual)
    arguments.push_back(result);
  Function *made = Function::Create(
      FunctionType::get(result, arguments, false), GlobalValue::InternalLinkage,
      scalar.getName() + (takesUsual ? kChoosing : kPlain) + Twine(lanes),
      scalar.getParent());
  addPureAttributes(*made);
  made->addFnAttr(kVariant);
  return made;
}

Value *Variant::oneLane(Value *lane, Value *old, BasicBlock *next) {
  SmallVector<Value *> arguments;
  for (unsigned k = 0; k < scalar.arg_size(); ++k)
    arguments.push_back(b.CreateExtractElement(function->getArg(k), lane));
  Value *result = b.CreateCall(&scalar, arguments);
  Value *filled = b.CreateInsertElement(old, result, lane);
  b.CreateBr(next);
  return filled;
}

/// A loop that hardly ever runs is not worth its unrolled code.
static void keepRolled(BranchInst &back) {
  LLVMContext &context = back.getContext();
  MDNode *rolled =
      MDNode::get(context, MDString::get(context, "llvm.loop.unroll.disable"));
  MDNode *loop = MDNode::getDistinct(context, {nullptr, rolled});
  loop->replaceOperandWith(0, loop);
  back.setMetadata(LLVMContext::MD_loop, loop);
}

Function *Variant::make() {
  choosing = function = declare(/*takesUsual=*/true);
  fillChoosing();
  function = declare(/*takesUsual=*/false);
  b.SetInsertPoint(block("entry"));
  SmallVector<Value *> arguments;
  for (Argument &argument : function->args())
    arguments.push_back(&argument);
  arguments.push_back(Constant::getNullValue(function->getReturnType()));
  b.CreateRet(b.CreateCall(choosing, arguments));
  return function;
}

void Variant::fillChoosing() {
  BasicBlock *entry = block("entry"), *some = block("some"),
             *call = block("call"), *next = block("next"),
             *done = block("done");
  Value *mask = function->getArg(scalar.arg_size());
  Value *usual = function->getArg(scalar.arg_size() + 1);

  b.SetInsertPoint(entry);
  Value *bits = b.CreateBitCast(mask, b.getIntNTy(lanes));
  b.CreateCondBr(b.CreateIsNull(bits), done, some,
                 MDBuilder(b.getContext()).createBranchWeights(1u << 20, 1));

  b.SetInsertPoint(some);
  PHINode *lane = b.CreatePHI(b.getInt32Ty(), 2);
  PHINode *result = b.CreatePHI(function->getReturnType(), 2);
  b.CreateCondBr(b.CreateExtractElement(mask, lane), call, next);

  b.SetInsertPoint(call);
  Value *filled = oneLane(lane, result, next);

  b.SetInsertPoint(next);
  PHINode *soFar = b.CreatePHI(function->getReturnType(), 2);
  soFar->addIncoming(result, some);
  soFar->addIncoming(filled, call);
  Value *following = b.CreateAdd(lane, b.getInt32(1));
  BranchInst *back =
      b.CreateCondBr(b.CreateICmpEQ(following, b.getInt32(lanes)), done, some);
  keepRolled(*back);
  lane->addIncoming(b.getInt32(0), entry);
  lane->addIncoming(following, next);
  result->addIncoming(usual, entry);
  result->addIncoming(soFar, next);

  b.SetInsertPoint(done);
  PHINode *all = b.CreatePHI(function->getReturnType(), 2);
  all->addIncoming(usual, entry);
  all->addIncoming(soFar, next);
  b.CreateRet(all);
}

/// Only scalars of one width go into lanes of one number.
static bool isScalarFunction(const Function &function) {
  auto isNumber = [](Type *type) {
    return type->isFloatTy() || type->isDoubleTy();
  };
  return isNumber(function.getReturnType()) &&
         all_of(function.getFunctionType()->params(), isNumber);
}

void chi::target::cpu::passes::addColdVariants(Module &module) {
  SmallVector<Function *> cold;
  for (Function &function : module)
    if (function.getName().starts_with(kPrefix) && !function.isDeclaration())
      cold.push_back(&function);
  for (Function *function : cold) {
    addPureAttributes(*function);
    function->addFnAttr(Attribute::Cold);
    if (!isScalarFunction(*function))
      continue;
    std::string mappings;
    SmallVector<GlobalValue *> variants;
    for (unsigned lanes : kLanes) {
      Variant made(*function, lanes);
      Function *variant = made.make();
      // The second is kept unchanged, too: the calls here are not its only
      // ones.
      variants.append({variant, made.choosing});
      // "M": with a mask; a "v" for each argument, a vector.
      mappings += (Twine(mappings.empty() ? "" : ",") + "_ZGV_LLVM_M" +
                   Twine(lanes) + std::string(function->arg_size(), 'v') + "_" +
                   function->getName() + "(" + variant->getName() + ")")
                      .str();
    }
    function->addFnAttr("vector-function-abi-variant", mappings);
    // They have no calls before the vectoriser adds some.
    appendToCompilerUsed(module, variants);
  }
}

/// Where a call's result is chosen by its own mask, and used for nothing else,
/// the variant that chooses takes the place of both.
static void chooseInVariant(CallInst &call, Function &choosing) {
  auto *choice =
      call.hasOneUse() ? dyn_cast<SelectInst>(call.user_back()) : nullptr;
  Value *mask = call.getArgOperand(call.arg_size() - 1);
  if (!choice || choice->getCondition() != mask ||
      choice->getTrueValue() != &call)
    return;
  SmallVector<Value *> arguments(call.args());
  arguments.push_back(choice->getFalseValue());
  IRBuilder<> b(choice);
  choice->replaceAllUsesWith(b.CreateCall(&choosing, arguments));
  choice->eraseFromParent();
  call.eraseFromParent();
}

/// The same for all calls of a variant.
static void chooseInVariant(Function &variant) {
  auto [stem, lanes] = variant.getName().rsplit(kPlain);
  Function *choosing =
      variant.getParent()->getFunction((stem + kChoosing + lanes).str());
  if (!choosing)
    return;
  for (User *user : make_early_inc_range(variant.users()))
    if (auto *call = dyn_cast<CallInst>(user))
      chooseInVariant(*call, *choosing);
}

PreservedAnalyses chi::target::cpu::passes::InlineColdVariantsPass::run(
    Module &module, ModuleAnalysisManager &manager) {
  bool isAny = false;
  for (Function &function : module)
    if (function.hasFnAttribute(kVariant)) {
      function.removeFnAttr(Attribute::NoInline);
      function.addFnAttr(Attribute::AlwaysInline);
      isAny = true;
    }
  if (!isAny)
    return PreservedAnalyses::all();
  removeFromUsedLists(module, [](Constant *used) {
    auto *function = dyn_cast<Function>(used->stripPointerCasts());
    return function && function->hasFnAttribute(kVariant);
  });
  for (Function &function : module)
    if (function.hasFnAttribute(kVariant))
      chooseInVariant(function);
  return AlwaysInlinerPass(/*InsertLifetime=*/false).run(module, manager);
}
