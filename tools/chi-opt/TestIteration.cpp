//===- TestIteration.cpp - Iterations in another nest of loops ------------===//
#include "TestPasses.h"

#include "chi/Conversion/Iteration/IterationLowering.h"
#include "chi/Dialect/Chi/Accumulations.h"
#include "chi/Dialect/Chi/MemoryOrder.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

namespace {
/// The threads of a device: where iterations meet, memory settles it.
class Grid : public IterationNest {
public:
  explicit Grid(ir::TaskOp task) : task(task) {}

  bool isAtomic(ir::AccumOp op) override {
    return ir::isAtomic(op, {/*isAlone=*/task.getRank() == 0,
                             /*mayOverlap=*/false, /*hasCopies=*/false});
  }

private:
  ir::TaskOp task;
};

/// Makes `@t.grid(captured …, start and extent of each axis, seed, thread,
/// threads)` of a task.
class GridFunction {
public:
  explicit GridFunction(ir::TaskOp task)
      : task(task), builder(task->getContext()), emit(builder, task.getLoc()),
        grid(task), code(task, builder, grid, arith::FastMathFlags::none) {}

  LogicalResult make() {
    builder.setInsertionPointAfter(task);
    auto function = func::FuncOp::create(builder, task.getLoc(),
                                         (task.getSymName() + ".grid").str(),
                                         builder.getFunctionType({}, {}));
    function.setPrivate();
    body = builder.createBlock(&function.getBody());
    bindArguments();
    Value thread = argument(builder.getIndexType());
    Value threads = argument(builder.getIndexType());
    function.setFunctionType(
        builder.getFunctionType(body->getArgumentTypes(), {}));
    auto loop =
        scf::ForOp::create(builder, task.getLoc(), thread, count(), threads);
    func::ReturnOp::create(builder, task.getLoc());
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    return code.emit(iterationAt(loop.getInductionVar()), task.getBody());
  }

private:
  Value argument(Type type) { return body->addArgument(type, task.getLoc()); }

  void bindArguments() {
    Type index = builder.getIndexType();
    for (BlockArgument value : task.getCaptured()) {
      auto type = dyn_cast<ir::FieldType>(value.getType());
      if (!type) {
        code.bind(value, argument(value.getType()));
        continue;
      }
      Type scalar = memoryType(type.getScalar());
      FieldView view{
          type, argument(MemRefType::get({ShapedType::kDynamic}, scalar)), {}};
      for (int64_t extent : type.getShape())
        view.extents.push_back(ShapedType::isDynamic(extent)
                                   ? argument(index)
                                   : emit.index(extent));
      for (unsigned k = 0; k < ir::numStrides(type); ++k)
        view.strides.push_back(argument(index));
      code.bind(value, view);
    }
    for (unsigned axis = 0; axis < task.getRank(); ++axis) {
      from.push_back(argument(index));
      extent.push_back(argument(index));
    }
    code.bindSeed(argument(builder.getI64Type()));
  }

  Value count() {
    Value product = emit.index(1);
    for (Value each : extent)
      product = emit.mul(product, each);
    return product;
  }

  Iteration iterationAt(Value number) {
    Iteration iteration{SmallVector<Value>(task.getRank()), number};
    Value rest = number;
    for (unsigned axis = task.getRank(); axis-- > 0;) {
      Value place = axis ? emit.remainder(rest, extent[axis]) : rest;
      iteration.indices[axis] =
          emit.cast(emit.add(from[axis], place),
                    task.getIndexVariables()[axis].getType());
      rest = axis ? emit.divide(rest, extent[axis]) : rest;
    }
    return iteration;
  }

  ir::TaskOp task;
  OpBuilder builder;
  Emitter emit;
  Grid grid;
  IterationLowering code;
  Block *body = nullptr;
  SmallVector<Value> from, extent;
};

struct LowerIterationTest
    : PassWrapper<LowerIterationTest, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerIterationTest)
  StringRef getArgument() const override { return "chi-test-lower-iteration"; }
  StringRef getDescription() const override {
    return "Create a grid-stride loop over the iterations of each task";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registerLoweringDialects(registry);
  }
  void runOnOperation() override {
    for (auto task :
         llvm::make_early_inc_range(getOperation().getOps<ir::TaskOp>()))
      if (failed(GridFunction(task).make()))
        return signalPassFailure();
  }
};
} // namespace

void opt::registerIterationTest() { PassRegistration<LowerIterationTest>(); }
