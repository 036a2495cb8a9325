//===- Pipeline.cpp - The order of the passes -----------------------------===//

#include "chi/Pipeline/Pipeline.h"
#include "chi/AD/Activity/Passes.h"
#include "chi/AD/Forward/Passes.h"
#include "chi/AD/Reverse/Passes.h"
#include "chi/Conversion/Passes.h"
#include "chi/Pipeline/Postconditions.h"
#include "chi/Transforms/Checkpoints/Passes.h"
#include "chi/Transforms/Checks/Passes.h"
#include "chi/Transforms/Facts/Passes.h"
#include "chi/Transforms/Nest/Passes.h"
#include "chi/Transforms/Outline/Passes.h"
#include "chi/Transforms/SLP/Passes.h"
#include "chi/Transforms/Scalar/Passes.h"
#include "chi/Transforms/Schedule/Passes.h"
#include "chi/Transforms/Vectorize/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace chi;
using namespace chi::pipeline;

namespace {
/// Adds passes to a pipeline; after each, if requested, a pass that verifies
/// its postconditions and those of earlier passes.
class Adder {
public:
  Adder(OpPassManager &manager, Stage from, bool verifies)
      : manager(manager), verifies(verifies), last(lastPassOf(from)) {}

  void operator()(std::unique_ptr<Pass> pass) {
    StringRef name = pass->getArgument();
    manager.addPass(std::move(pass));
    if (!verifies)
      return;
    if (hasPostcondition(name))
      last = name.str();
    manager.addPass(createVerifyStagePass({last}));
  }

private:
  OpPassManager &manager;
  bool verifies;
  std::string last; ///< the last one with a postcondition
};
} // namespace

/// The parts of a pass that options disable.
static SmallVector<std::string> partsOf(const Options &options) {
  return options.without.names<SmallVector<std::string>>();
}

/// Updates of own elements. chi-instrument-nan makes its own of others, and
/// what --check=races looks at are the accesses of the source; derivatives need
/// them all the same.
static void addExpandUpdates(Adder &add, const Options &options) {
  bool onlyRecorded = options.without.has(Optimisation::ExpandedUpdates) ||
                      options.instrumentNaN || options.instrumentRaces;
  add(scalar::createExpandUpdatesPass({onlyRecorded}));
}

/// Removes loads of values that the iteration has as SSA values. Must run
/// before the passes that decide which values to keep for a derivative: these
/// could not distinguish such loads from state.
static void addForwarding(Adder &add, const Options &options) {
  const OptimisationSet &off = options.without;
  if (!off.has(Optimisation::ForwardedElements))
    add(scalar::createForwardElementsPass());
  if (!off.has(Optimisation::ElidedCopies))
    add(scalar::createElideCopiesPass());
}

static void addSimplify(Adder &add, const Options &options) {
  const OptimisationSet &off = options.without;
  if (!options.checkpoints.empty())
    add(checkpoints::createCheckpointsPass({options.checkpoints}));
  add(outline::createStructurePass());
  add(outline::createRecursionPass());
  add(outline::createInlinePass());
  add(outline::createNumberRandomPass());
  add(outline::createPromotePass());
  add(outline::createSimplifyKernelsPass());
  add(outline::createOutlineTasksPass());
  add(facts::createLaunchFactsPass());
  if (!off.has(Optimisation::ExactFloats))
    add(scalar::createExactFloatsPass());
  checks::InsertChecksPassOptions checks;
  checks.unchecked = options.unchecked;
  checks.without = partsOf(options);
  add(checks::createInsertChecksPass(checks));
  add(createCanonicalizerPass());
  add(createCSEPass());
  add(checks::createFindRacesPass());
  add(schedule::createOrderSumsPass());
  addExpandUpdates(add, options);
  if (!options.instrumentRaces)
    addForwarding(add, options);
}

static void addGrad(Adder &add, const Options &options) {
  add(ad::activity::createWarnGradientsPass());
  add(ad::reverse::createDifferentiatePass());
  add(ad::reverse::createInlineAdjointsPass());
  add(ad::forward::createTangentsPass());
  add(ad::reverse::createMarkTurnsPass());
  if (options.notesKinks)
    add(checks::createNoteKinksPass());
  if (options.instrumentNaN)
    add(checks::createInstrumentNanPass());
  // Behind all that looks at accesses as the source has them, and before the
  // interpreter, which evaluates this stage.
  if (options.instrumentRaces)
    add(checks::createInstrumentRacesPass());
  add(schedule::createOrderSumsPass());
  add(facts::createTaskBoxesPass());
}

static void addOptimise(Adder &add, const Options &options) {
  add(ad::reverse::createDropStopGradientsPass());
  add(checks::createRemoveChecksPass({partsOf(options)}));
  // They take sums in another order.
  bool isFast =
      options.fastMath && !options.without.has(Optimisation::FastMath);
  if (isFast && !options.without.has(Optimisation::Interchange))
    add(nest::createInterchangePass({partsOf(options)}));
  if (isFast && !options.without.has(Optimisation::ScatterToGather))
    add(nest::createScatterToGatherPass({/*knownEndsOnly=*/options.records}));
  Options strategies = options;
  if (!isFast)
    strategies.without.add("fast-math");
  schedule::ChooseStrategiesPassOptions choice;
  choice.without = partsOf(strategies);
  choice.deterministic = options.deterministic;
  add(schedule::createChooseStrategiesPass(choice));
  add(outline::createSimplifyKernelsPass());
  if (!options.without.has(Optimisation::NoaliasFields))
    add(facts::createNoaliasFieldsPass());
  add(facts::createLaunchFactsPass());
  add(facts::createEstimateCostPass());
  add(facts::createTaskEffectsPass());
  add(nest::createUnreadResultsPass());
}

static void addDevice(Adder &add, const DeviceTraits &device) {
  facts::AttachDevicePassOptions traits;
  traits.vectorBytes = device.vectorBytes;
  traits.vectorRegisters = device.vectorRegisters;
  traits.hasMasks = device.hasMasks;
  traits.castsLongs = device.castsLongs;
  traits.l1Bytes = device.caches.l1;
  traits.l2Bytes = device.caches.l2;
  traits.cacheBytes = device.caches.last;
  traits.lineBytes = device.caches.line;
  add(facts::createAttachDevicePass(traits));
}

static void addVectors(Adder &add, const Options &options) {
  const OptimisationSet &off = options.without;
  if (!off.has(Optimisation::ZeroProducts))
    add(scalar::createZeroProductsPass());
  if (!off.has(Optimisation::IndexCasts))
    add(scalar::createIndexCastsPass());
  vectorize::LanesPassOptions lanes;
  lanes.without = partsOf(options);
  if (!off.has(Optimisation::Lanes))
    add(vectorize::createLanesPass(lanes));
  slp::SLPPassOptions packs;
  packs.without = partsOf(options);
  if (!off.has(Optimisation::SLPPacks))
    add(slp::createSLPPass(packs));
  add(outline::createSimplifyKernelsPass());
  schedule::BufferStoresPassOptions stores;
  stores.without = partsOf(options);
  if (!off.has(Optimisation::BufferedStores))
    add(schedule::createBufferStoresPass(stores));
  if (!off.has(Optimisation::PackedLoads))
    add(schedule::createPackLoadsPass());
  if (!off.has(Optimisation::NarrowIntegers))
    add(scalar::createNarrowIntegersPass());
  if (!off.has(Optimisation::CheckedCasts))
    add(checks::createCheckedCastsPass());
  if (!off.has(Optimisation::PackedComponents))
    add(slp::createPackComponentsPass());
}

static void addLanes(Adder &add, const Options &options) {
  addDevice(add, options.device);
  if (options.device.vectorBytes != 0)
    addVectors(add, options);
  add(schedule::createSchedulePass({partsOf(options)}));
}

static conv::LoweringOptions loweringOptions(const Options &options) {
  conv::LoweringOptions lowering;
  lowering.fastMath =
      options.fastMath && !options.without.has(Optimisation::FastMath);
  lowering.records = options.records;
  lowering.choices = !options.without.has(Optimisation::MeasuredChoices);
  lowering.mathLibrary = options.mathLibrary;
  lowering.mathFile = options.mathFile;
  return lowering;
}

void pipeline::buildElementary(OpPassManager &manager, const Options &options,
                               bool hasExactFloats) {
  Adder add(manager, Stage::Optimised, options.verify);
  conv::LoweringOptions lowering = loweringOptions(options);
  lowering.remainders =
      hasExactFloats ? conv::Remainders::fused : conv::Remainders::bits;
  lowering.halves = options.fastMath && !hasExactFloats;
  lowering.nativeMath = options.nativeMath;
  conv::addMathPasses(add, lowering);
}

void pipeline::buildPipeline(OpPassManager &manager, Stage from, Stage to,
                             const Options &options) {
  assert(stageForm(from) == StageForm::IR && stageForm(to) == StageForm::IR);
  conv::LoweringOptions lowering = loweringOptions(options);
  auto passes = [&](Stage stage) { return from < stage && stage <= to; };
  Adder add(manager, from, options.verify);
  if (passes(Stage::Simplified))
    addSimplify(add, options);
  if (passes(Stage::Grad))
    addGrad(add, options);
  if (passes(Stage::Optimised))
    addOptimise(add, options);
  if (passes(Stage::Lanes)) {
    if (!options.instrumentRaces)
      add(vectorize::createSpeculateLoadsPass({partsOf(options)}));
    conv::addMathPasses(add, lowering);
    addLanes(add, options);
  }
  if (passes(Stage::Loops))
    conv::addLoopsPasses(add, lowering);
  if (passes(Stage::LLVM))
    conv::addLLVMPasses(add, lowering);
}

namespace {
/// The options of `--chi-to-S="…"`: the flags of `chic` that passes use, and
/// values that the driver looks up for them.
struct TextOptions : PassPipelineOptions<TextOptions> {
  Option<std::string> from{*this, "from", llvm::cl::desc("Stage of the input"),
                           llvm::cl::init("chi")};
  Option<bool> unchecked{*this, "unchecked", llvm::cl::desc("--unchecked"),
                         llvm::cl::init(false)};
  Option<bool> strict{*this, "strict", llvm::cl::desc("--float=strict"),
                      llvm::cl::init(false)};
  Option<bool> deterministic{*this, "deterministic",
                             llvm::cl::desc("--deterministic"),
                             llvm::cl::init(false)};
  Option<bool> verify{
      *this, "verify",
      llvm::cl::desc("Verify the postcondition after each pass"),
      llvm::cl::init(false)};
  Option<bool> races{*this, "races", llvm::cl::desc("--check=races"),
                     llvm::cl::init(false)};
  Option<bool> nan{*this, "nan", llvm::cl::desc("--check=nan"),
                   llvm::cl::init(false)};
  Option<bool> records{*this, "records", llvm::cl::desc("--arch=mirror"),
                       llvm::cl::init(false)};
  Option<unsigned> vectorBytes{
      *this, "vector-bytes",
      llvm::cl::desc(
          "Size of the target's vector registers; 0: no vectorisation"),
      llvm::cl::init(0)};
  Option<unsigned> vectorRegisters{*this, "vector-registers",
                                   llvm::cl::desc("Number of vector registers"),
                                   llvm::cl::init(16)};
  Option<bool> hasMasks{
      *this, "has-masks",
      llvm::cl::desc("Instructions take masks at no extra cost"),
      llvm::cl::init(false)};
  Option<bool> castsLongs{
      *this, "casts-longs",
      llvm::cl::desc("One instruction converts vectors of i64 to floats"),
      llvm::cl::init(false)};
  Option<int64_t> l1Bytes{*this, "l1-bytes",
                          llvm::cl::desc("Size of the first-level data cache"),
                          llvm::cl::init(32 << 10)};
  Option<int64_t> l2Bytes{*this, "l2-bytes",
                          llvm::cl::desc("Size of the second-level cache"),
                          llvm::cl::init(512 << 10)};
  Option<int64_t> cacheBytes{*this, "cache-bytes",
                             llvm::cl::desc("Size of the last-level cache"),
                             llvm::cl::init(32 << 20)};
  Option<int64_t> lineBytes{*this, "line-bytes",
                            llvm::cl::desc("Size of a cache line"),
                            llvm::cl::init(64)};
  ListOption<std::string> without{*this, "without",
                                  llvm::cl::desc("Optimisations to disable")};
  Option<std::string> math{
      *this, "math",
      llvm::cl::desc("File of the library of elementary functions"),
      llvm::cl::init("")};

  Options read() const {
    Options options;
    options.unchecked = unchecked;
    options.fastMath = !strict;
    options.deterministic = deterministic;
    options.instrumentRaces = races;
    options.instrumentNaN = nan;
    options.records = records;
    options.verify = verify;
    options.device = {vectorBytes,
                      vectorRegisters,
                      hasMasks,
                      castsLongs,
                      {l1Bytes, l2Bytes, cacheBytes, lineBytes}};
    options.without = OptimisationSet::of(without);
    options.mathFile = math;
    return options;
  }
};
} // namespace

void pipeline::registerPipelines() {
  registerVerifyStagePass();
  static constexpr Stage kTargets[] = {Stage::Simplified, Stage::Grad,
                                       Stage::Optimised,  Stage::Lanes,
                                       Stage::Loops,      Stage::LLVM};
  for (Stage to : kTargets)
    PassPipelineRegistration<TextOptions>(
        "chi-to-" + stageName(to).str(),
        "Runs the pipeline from an earlier stage to the stage",
        [to](OpPassManager &manager, const TextOptions &options) {
          Stage from = stageByName(options.from).value_or(Stage::Chi);
          if (stageForm(from) == StageForm::IR && from < to)
            buildPipeline(manager, from, to, options.read());
        });
}
