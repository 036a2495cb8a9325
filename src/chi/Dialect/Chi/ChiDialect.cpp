//===- ChiDialect.cpp - The chi dialect -----------------------------------===//

#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "chi/Dialect/Chi/KernelParams.h"
#include "chi/Dialect/Chi/RuntimeFunctions.h"
#include "chi/Dialect/Chi/Schedule.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace chi::ir;

/// `(private)`
static ParseResult parseAccumStrategy(OpAsmParser &parser,
                                      AccumStrategyAttr &strategy) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseLParen() || parser.parseKeyword(&word) ||
      parser.parseRParen())
    return failure();
  std::optional<AccumStrategy> value = symbolizeAccumStrategy(word);
  if (!value)
    return parser.emitError(loc, "unknown strategy of an accumulation: `")
           << word << "`";
  strategy = AccumStrategyAttr::get(parser.getContext(), *value);
  return success();
}

static void printAccumStrategy(OpAsmPrinter &printer, Operation *,
                               AccumStrategyAttr strategy) {
  printer << '(' << stringifyAccumStrategy(strategy.getValue()) << ')';
}

/// Nothing for i1, `lanes(16)` for vector<16xi1>.
static ParseResult parseBoolLanes(OpAsmParser &parser, Type &type) {
  type = parser.getBuilder().getI1Type();
  if (failed(parser.parseOptionalKeyword("lanes")))
    return success();
  int64_t lanes = 0;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLParen() || parser.parseInteger(lanes) ||
      parser.parseRParen())
    return failure();
  if (lanes < 1)
    return parser.emitError(loc, "expected at least one lane");
  type = VectorType::get({lanes}, type);
  return success();
}

static void printBoolLanes(OpAsmPrinter &printer, Operation *, Type type) {
  if (int64_t lanes = lanesOf(type))
    printer << " lanes(" << lanes << ')';
}

#include "chi/Dialect/Chi/ChiDialect.cpp.inc"
#include "chi/Dialect/Chi/ChiEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "chi/Dialect/Chi/ChiAttributes.cpp.inc"
#include "chi/Dialect/Chi/ChiInterfaces.cpp.inc"
#define GET_OP_CLASSES
#include "chi/Dialect/Chi/ChiOps.cpp.inc"

void ChiDialect::initialize() {
  registerTypes();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "chi/Dialect/Chi/ChiAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "chi/Dialect/Chi/ChiOps.cpp.inc"
      >();
}

Operation *ChiDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

namespace {
/// A discardable attribute that passes put on operations of other dialects.
struct KnownAttribute {
  StringRef name;
  bool (*isOn)(Operation *);
  bool (*hasForm)(Attribute);
};
} // namespace

template <typename... Ops> static bool isOneOf(Operation *op) {
  return isa<Ops...>(op);
}
template <typename T> static bool isA(Attribute attribute) {
  return isa<T>(attribute);
}
/// A function of any dialect: those of func become those of LLVM.
static bool isFunction(Operation *op) { return isa<FunctionOpInterface>(op); }
static bool isAny(Operation *) { return true; }
static bool isCast(Operation *op) {
  return isa<arith::SIToFPOp>(op) ||
         op->getName().getStringRef() == "llvm.sitofp";
}

/// Three numbers a parameter, the first a KernelParam.
static bool areKernelParams(Attribute attribute) {
  auto words = dyn_cast<DenseI32ArrayAttr>(attribute);
  if (!words || words.size() % 3 != 0)
    return false;
  for (int64_t at = 0; at < words.size(); at += 3)
    if (words[at] < 0 || words[at] >= kNumKernelParams || words[at + 1] < 0 ||
        words[at + 2] < 0)
      return false;
  return true;
}

static const KnownAttribute kKnownAttributes[] = {
    {kHostAttr, isFunction, isA<UnitAttr>},
    {kControlAttr, isFunction, isA<UnitAttr>},
    {kBodyAttr, isFunction, isA<UnitAttr>},
    {kColdAttr, isFunction, isA<UnitAttr>},
    {kKernelAttr, isFunction, isA<StringAttr>},
    {kAxesAttr, isFunction, isA<StringAttr>},
    {kExternAttr, isAny, isA<UnitAttr>},
    {kMembersAttr, isAny, isA<ArrayAttr>},
    {kKernelParamsAttr, isFunction, areKernelParams},
    {kTaskNameAttr, isFunction, isA<StringAttr>},
    {kLaunchAttr, isFunction, isA<DictionaryAttr>},
    {kShortAttr, isFunction, isA<UnitAttr>},
    {kSmallAttr, isFunction, isA<UnitAttr>},
    {kExitBarrierAttr, isAny, isA<UnitAttr>},
    {kRestartAttr, isOneOf<CheckOp>, isA<UnitAttr>},
    {kDeviceCodeAttr, isOneOf<TaskOp>, isA<DictionaryAttr>},
    {kOrderedAttr, isOneOf<TaskOp>, isA<UnitAttr>},
    {kBoxesAttr, isOneOf<TaskOp>, isA<DenseI64ArrayAttr>},
    {kPrologueAttr, isOneOf<TaskOp>, isA<FlatSymbolRefAttr>},
    {kRecorderAttr, isOneOf<TaskOp>, isA<FlatSymbolRefAttr>},
    {kFusedAdjointAttr, isOneOf<TaskOp>, isA<FlatSymbolRefAttr>},
    {kVariantAttr, isOneOf<TaskOp>, isA<FlatSymbolRefAttr>},
    {kPassiveAttr, isOneOf<TaskOp>, isA<DenseI64ArrayAttr>},
    {kSharedAttr, isOneOf<TaskOp>, isA<UnitAttr>},
    {kLastAttr, isOneOf<LaunchOp>, isA<UnitAttr>},
    {kWorkspaceAttr, isOneOf<TaskOp>, isA<DenseI64ArrayAttr>},
    {kDomainAxesAttr, isOneOf<TaskOp>, isA<DenseI64ArrayAttr>},
    {kInRangeAttr, isCast, isA<UnitAttr>},
    {kOldWinsAttr, isOneOf<arith::MinNumFOp, arith::MaxNumFOp>, isA<BoolAttr>},
    {kFileAttr, isOneOf<ModuleOp>, isA<StringAttr>},
    {kDocAttr, isOneOf<ModuleOp>, isA<StringAttr>},
    {kFieldsAttr, isOneOf<ModuleOp>, isA<ArrayAttr>},
    {kDeviceAttr, isOneOf<ModuleOp>, isA<DeviceAttr>},
};

LogicalResult ChiDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  StringRef name = attribute.getName();
  const auto *known = llvm::find_if(
      kKnownAttributes, [&](const auto &each) { return each.name == name; });
  if (known == std::end(kKnownAttributes))
    return op->emitError("`") << name << "` is not an attribute of the dialect";
  if (!known->isOn(op))
    return op->emitError("`") << name << "` is not allowed here";
  if (!known->hasForm(attribute.getValue()))
    return op->emitError("`") << name << "` cannot be " << attribute.getValue();
  return success();
}

LogicalResult DeviceAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t vectorBytes, int64_t vectorRegisters,
                                 bool, bool, int64_t l1Bytes, int64_t l2Bytes,
                                 int64_t cacheBytes, int64_t lineBytes) {
  if (vectorBytes < 0 || (vectorBytes & (vectorBytes - 1)) != 0)
    return emitError() << "registers of " << vectorBytes
                       << " bytes are not a power of two";
  if (vectorRegisters < 1 || l1Bytes < 1 || l2Bytes < l1Bytes ||
      cacheBytes < l2Bytes)
    return emitError() << "a processor has registers and caches, each at least "
                          "as large as the one before";
  if (lineBytes < 1 || !llvm::isPowerOf2_64(lineBytes))
    return emitError() << "lines of " << lineBytes
                       << " bytes are not a power of two";
  return success();
}

DeviceAttr chi::ir::deviceOf(ModuleOp module) {
  if (auto known = module->getAttrOfType<DeviceAttr>(kDeviceAttr))
    return known;
  return DeviceAttr::get(module.getContext(), 64, 32, true, true, 32 << 10,
                         512 << 10, 32 << 20, 64);
}

StringRef chi::ir::spelling(OverflowKind kind) {
  switch (kind) {
  case OverflowKind::add:
    return "+";
  case OverflowKind::sub:
    return "-";
  case OverflowKind::mul:
    return "*";
  }
  llvm_unreachable("all kinds are listed");
}
