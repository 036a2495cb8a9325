//===- Libdevice.cpp - NVIDIA's elementary functions ----------------------===//

#include "chi/Target/NVVM/Libdevice.h"
#include "chi/Conversion/Elementary.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace chi;
using namespace chi::target::nvvm;

static constexpr llvm::StringLiteral kPrefix = "__nv_";

std::string chi::target::nvvm::libdeviceName(llvm::StringRef function) {
  if (!function.consume_front(conv::kNativePrefix))
    return "";
  bool isSingle = function.consume_back(".f32");
  if (!isSingle)
    function.consume_back(".f64");
  return (kPrefix + function + (isSingle ? "f" : "")).str();
}

bool chi::target::nvvm::isOfLibdevice(mlir::LLVM::LLVMFuncOp function) {
  return function.isExternal() && function.getName().starts_with(kPrefix);
}

static const llvm::Function *firstMissing(const llvm::Module &kernels) {
  for (const llvm::Function &function : kernels)
    if (function.isDeclaration() && function.getName().starts_with(kPrefix))
      return &function;
  return nullptr;
}

/// What libdevice asks of the compilation: denormals are kept, as Chi keeps
/// them everywhere, and square roots rounded. LLVM knows the first as its
/// default and answers that of the architecture; the second it denies.
static void answerQuestions(llvm::Module &module) {
  llvm::Function *question = module.getFunction("__nvvm_reflect");
  if (!question)
    return;
  for (llvm::User *user : llvm::make_early_inc_range(question->users())) {
    auto *call = llvm::cast<llvm::CallInst>(user);
    llvm::StringRef asked;
    if (!llvm::getConstantStringInfo(call->getArgOperand(0), asked) ||
        asked != "__CUDA_PREC_SQRT")
      continue;
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), 1));
    call->eraseFromParent();
  }
}

/// Only what the kernels call is read, and hidden behind them.
static llvm::Error link(llvm::Module &kernels, llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return llvm::createStringError(path + ": " + file.getError().message());
  auto library =
      llvm::getOwningLazyBitcodeModule(std::move(*file), kernels.getContext());
  if (!library)
    return library.takeError();
  (*library)->setTargetTriple(kernels.getTargetTriple());
  (*library)->setDataLayout(kernels.getDataLayout());
  bool failed = llvm::Linker::linkModules(
      kernels, std::move(*library), llvm::Linker::LinkOnlyNeeded,
      [](llvm::Module &module, const llvm::StringSet<> &linked) {
        llvm::internalizeModule(module, [&](const llvm::GlobalValue &value) {
          return !value.hasName() || !linked.contains(value.getName());
        });
      });
  if (failed)
    return llvm::createStringError(path + " cannot be linked");
  return llvm::Error::success();
}

llvm::Error chi::target::nvvm::linkLibdevice(llvm::Module &kernels,
                                             llvm::StringRef path) {
  if (!firstMissing(kernels))
    return llvm::Error::success();
  if (auto error = link(kernels, path))
    return error;
  if (const llvm::Function *missing = firstMissing(kernels))
    return llvm::createStringError(path + " lacks " + missing->getName());
  answerQuestions(kernels);
  return llvm::Error::success();
}
