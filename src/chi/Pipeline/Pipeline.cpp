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
  lowering.mathFile = options.mathFile;
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

namespace {
/// What `--chi-to-S="…"` takes: the flags of `chic` that passes hear of, and
/// what the driver looks up for them.
struct TextOptions : PassPipelineOptions<TextOptions> {
  Option<std::string> from{*this, "from",
                           llvm::cl::desc("The stage of the input"),
                           llvm::cl::init("chi")};
  Option<bool> unchecked{*this, "unchecked", llvm::cl::desc("--unchecked"),
                         llvm::cl::init(false)};
  Option<bool> strict{*this, "strict", llvm::cl::desc("--float=strict"),
                      llvm::cl::init(false)};
  Option<bool> races{*this, "races", llvm::cl::desc("--check=races"),
                     llvm::cl::init(false)};
  Option<unsigned> registerBytes{
      *this, "register-bytes",
      llvm::cl::desc("Size of the target's vector registers; 0: no lanes"),
      llvm::cl::init(0)};
  ListOption<std::string> without{*this, "without",
                                  llvm::cl::desc("Optimisations to leave out")};
  Option<std::string> math{
      *this, "math", llvm::cl::desc("File of the elementary functions"),
      llvm::cl::init("")};

  Options read() const {
    Options options;
    options.unchecked = unchecked;
    options.fastMath = !strict;
    options.watchRaces = races;
    options.registerBytes = registerBytes;
    options.without = OptimisationSet::of(without);
    options.mathFile = math;
    return options;
  }
};
} // namespace

void pipeline::registerPipelines() {
  static constexpr Stage kTargets[] = {Stage::Simplified, Stage::Lanes,
                                       Stage::Loops, Stage::LLVM};
  for (Stage to : kTargets)
    PassPipelineRegistration<TextOptions>(
        "chi-to-" + stageName(to).str(), "From an earlier stage to the stage",
        [to](OpPassManager &manager, const TextOptions &options) {
          Stage from = stageByName(options.from).value_or(Stage::Chi);
          if (stageForm(from) == StageForm::IR && from < to)
            buildPipeline(manager, from, to, options.read());
        });
}
