//===- Pipeline.cpp - The order of the passes -----------------------------===//

#include "chi/Pipeline/Pipeline.h"
#include "chi/Conversion/Passes.h"
#include "chi/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace chi;
using namespace chi::pipeline;

/// What a pass with several parts is told to leave out.
static SmallVector<std::string> partsOf(const Options &options) {
  return options.without.names<SmallVector<std::string>>();
}

static void addChecks(OpPassManager &manager, const Options &options) {
  using namespace chi::transforms;
  InsertChecksPassOptions checks;
  checks.unchecked = options.unchecked;
  checks.without = partsOf(options);
  manager.addPass(createInsertChecksPass(checks));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createRemoveChecksPass({partsOf(options)}));
}

static void addSimplify(OpPassManager &manager, const Options &options) {
  using namespace chi::transforms;
  const OptimisationSet &off = options.without;
  manager.addPass(createStructurePass());
  manager.addPass(createInlinePass());
  manager.addPass(createNumberRandomPass());
  manager.addPass(createPromotePass());
  manager.addPass(createSimplifyKernelsPass());
  manager.addPass(createOutlineTasksPass());
  if (!off.has(Optimisation::ExactFloats))
    manager.addPass(createExactFloatsPass());
  addChecks(manager, options);
  manager.addPass(createFindRacesPass());
  if (options.watchRaces)
    manager.addPass(createWatchRacesPass());
  else
    manager.addPass(createSpeculateLoadsPass({partsOf(options)}));
  manager.addPass(createChooseHowPass({partsOf(options)}));
  manager.addPass(createSimplifyKernelsPass());
  if (!off.has(Optimisation::OwnFields))
    manager.addPass(createOwnFieldsPass());
  manager.addPass(createEstimateCostPass());
}

static void addLanes(OpPassManager &manager, const Options &options) {
  if (options.registerBytes == 0)
    return;
  const OptimisationSet &off = options.without;
  // Registers of 64 bytes come with a conversion of their own.
  if (options.registerBytes < 64 && !off.has(Optimisation::IndexCasts))
    manager.addPass(transforms::createIndexCastsPass());
  transforms::LanesPassOptions lanes;
  lanes.registerBytes = options.registerBytes;
  lanes.without = partsOf(options);
  if (!off.has(Optimisation::Lanes))
    manager.addPass(transforms::createLanesPass(lanes));
  transforms::RowsPassOptions rows;
  rows.registerBytes = options.registerBytes;
  rows.without = partsOf(options);
  if (!off.has(Optimisation::Rows))
    manager.addPass(transforms::createRowsPass(rows));
  manager.addPass(transforms::createSimplifyKernelsPass());
  transforms::StageStoresPassOptions stores;
  stores.without = partsOf(options);
  if (!off.has(Optimisation::BufferedStores))
    manager.addPass(transforms::createStageStoresPass(stores));
  if (!off.has(Optimisation::CheckedCasts))
    manager.addPass(transforms::createCheckedCastsPass());
}

void pipeline::buildPipeline(OpPassManager &manager, Stage from, Stage to,
                             const Options &options) {
  assert(stageForm(from) == StageForm::IR && stageForm(to) == StageForm::IR);
  conv::LoweringOptions lowering;
  lowering.fastMath =
      options.fastMath && !options.without.has(Optimisation::FastMath);
  lowering.without = options.without;
  lowering.mathLibrary = options.mathLibrary;
  auto passes = [&](Stage stage) { return from < stage && stage <= to; };
  if (passes(Stage::Simplified))
    addSimplify(manager, options);
  if (passes(Stage::Lanes)) {
    conv::addMathPasses(manager, lowering);
    addLanes(manager, options);
  }
  if (passes(Stage::Loops))
    conv::addLoopsPasses(manager, lowering);
  if (passes(Stage::LLVM))
    conv::addLLVMPasses(manager, lowering);
}

void pipeline::registerPipelines() {
  static constexpr Stage kTargets[] = {Stage::Simplified, Stage::Lanes,
                                       Stage::Loops, Stage::LLVM};
  for (Stage to : kTargets)
    PassPipelineRegistration<>("chi-to-" + stageName(to).str(),
                               "From stage `chi` to the stage",
                               [to](OpPassManager &manager) {
                                 buildPipeline(manager, Stage::Chi, to, {});
                               });
}
