//===- UnitCompiler.cpp - From units to code ------------------------------===//
#include "chi/Driver/Compile/UnitCompiler.h"
#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Driver/BigStack.h"
#include "chi/Units/Lines.h"
#include "chi/Units/Symbols.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <numeric>

using namespace chi;
using namespace chi::driver;
using pipeline::Stage;
using units::EntryPoint;

//===--- One unit ---------------------------------------------------------===//

std::vector<EntryPoint>
chi::driver::entriesOf(llvm::StringRef unit,
                       llvm::ArrayRef<EntryPoint> entries) {
  std::vector<EntryPoint> found;
  for (const EntryPoint &entry : entries)
    if (unit.empty() ? !entry.isKernel : unit == entry.callee)
      found.push_back(entry);
  return found;
}

/// Whether the processor, or a device, has no instruction for it.
static bool isElementary(mlir::Operation *op, bool forDevice) {
  using namespace mlir::math;
  if (llvm::isa<ir::HypotOp>(op))
    return true;
  if (llvm::isa<ir::FFloorModOp, mlir::arith::RemFOp>(op))
    return forDevice;
  return llvm::isa_and_present<MathDialect>(op->getDialect()) &&
         !llvm::isa<AbsFOp, AbsIOp, CeilOp, CopySignOp, FloorOp, FmaOp,
                    RoundEvenOp, SqrtOp, TruncOp>(op);
}

mlir::Operation *chi::driver::findElementary(mlir::ModuleOp module,
                                             bool forDevice) {
  mlir::Operation *found = nullptr;
  module.walk([&](mlir::Operation *op) {
    if (!isElementary(op, forDevice))
      return mlir::WalkResult::advance();
    found = op;
    return mlir::WalkResult::interrupt();
  });
  return found;
}

void chi::driver::emitUnit(mlir::ModuleOp module, const UnitSettings &settings,
                           Stage stage, UnitCode &result) {
  using target::cpu::OutputKind;
  units::markSites(module);
  for (const EntryPoint &entry : entriesOf(result.unit, settings.entryPoints))
    units::addEntryPoint(module, entry);
  units::renameSymbols(module);
  OutputKind kind = stage == Stage::LLVMIR ? OutputKind::LLVMIR
                    : stage == Stage::Asm  ? OutputKind::Assembly
                                           : OutputKind::Object;
  llvm::SmallVector<char> bytes;
  if (llvm::Error error =
          target::cpu::emitCode(module, settings.code, kind, bytes)) {
    result.fault = llvm::toString(std::move(error));
    return;
  }
  result.code.assign(bytes.begin(), bytes.end());
}

std::string chi::driver::toBytecode(mlir::ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  return succeeded(mlir::writeBytecodeToFile(module, out)) ? bytes : "";
}

//===--- Several threads --------------------------------------------------===//

namespace {
/// A thread's context, and its data for all of its units.
class Worker {
public:
  Worker(const UnitSettings &settings, llvm::StringRef math)
      : settings(settings), math(math),
        context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<ir::ChiDialect, mlir::arith::ArithDialect,
                        mlir::func::FuncDialect, mlir::LLVM::LLVMDialect,
                        mlir::math::MathDialect, mlir::scf::SCFDialect>();
    context.printOpOnDiagnostic(false);
  }

  void compile(llvm::StringRef bytecode, UnitCode &result);

private:
  mlir::OwningOpRef<mlir::ModuleOp> read(llvm::StringRef bytecode) {
    mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
    return mlir::parseSourceString<mlir::ModuleOp>(bytecode, config);
  }
  /// The elementary functions, read when the first unit needs them.
  mlir::ModuleOp library(mlir::ModuleOp user);

  const UnitSettings &settings;
  llvm::StringRef math;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> functions;
};
} // namespace

mlir::ModuleOp Worker::library(mlir::ModuleOp user) {
  if (!functions && !math.empty()) {
    // The operations whose functions are in the library.
    bool divides =
        user.walk([](ir::FFloorModOp) { return mlir::WalkResult::interrupt(); })
            .wasInterrupted();
    if (divides || findElementary(user, /*forDevice=*/false))
      functions = read(math);
  }
  return functions ? *functions : mlir::ModuleOp();
}

void Worker::compile(llvm::StringRef bytecode, UnitCode &result) {
  mlir::OwningOpRef<mlir::ModuleOp> module = read(bytecode);
  if (!module) {
    result.fault = "the bytecode of a unit is malformed";
    return;
  }
  pipeline::Options options = settings.pipeline;
  options.mathLibrary = library(*module);
  mlir::PassManager manager(&context);
  pipeline::buildPipeline(manager, Stage::Optimised, Stage::LLVM, options);
  if (succeeded(pipeline::run(manager, *module, settings.sources, result.diags,
                              result.fault)))
    emitUnit(*module, settings, Stage::Obj, result);
}

void chi::driver::compileUnits(llvm::MutableArrayRef<UnitCode> units,
                               std::vector<std::string> bytecodes,
                               llvm::StringRef math,
                               const UnitSettings &settings, unsigned threads) {
  // The longest first, so that no thread begins it when the others are done.
  std::vector<size_t> order(units.size());
  std::iota(order.begin(), order.end(), size_t(0));
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::make_pair(bytecodes[b].size(), a) <
           std::make_pair(bytecodes[a].size(), b);
  });
  std::atomic<size_t> next = 0;
  onBigStacks(threads - 1, [&] {
    Worker worker(settings, math);
    for (size_t k; (k = next++) < order.size();) {
      std::string bytecode = std::move(bytecodes[order[k]]);
      worker.compile(bytecode, units[order[k]]);
    }
  });
}
