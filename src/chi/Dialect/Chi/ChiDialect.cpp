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

static const KnownAttribute kKnownAttributes[] = {
    {kHostAttr, isFunction, isA<UnitAttr>},
    {kControlAttr, isFunction, isA<UnitAttr>},
    {kUnitAttr, isFunction, isA<StringAttr>},
    {kBodyAttr, isFunction, isA<UnitAttr>},
    {kColdAttr, isFunction, isA<UnitAttr>},
    {kKernelAttr, isFunction, isA<StringAttr>},
    {kAxesAttr, isFunction, isA<StringAttr>},
    {kExternAttr, isAny, isA<UnitAttr>},
    {kMembersAttr, isAny, isA<ArrayAttr>},
    {kKernelABIAttr, isFunction, isA<KernelABIAttr>},
    {kExitBarrierAttr, isAny, isA<UnitAttr>},
    {kRestartAttr, isOneOf<CheckOp>, isA<UnitAttr>},
    {kDeviceCodeAttr, isOneOf<TaskOp>, isA<DictionaryAttr>},
    {kOrderedAttr, isOneOf<TaskOp>, isA<UnitAttr>},
    {kFixedPartsAttr, isOneOf<TaskOp>, isA<UnitAttr>},
    {kBoxesAttr, isOneOf<TaskOp>, isA<DenseI64ArrayAttr>},
    {kAxisBoundsAttr, isOneOf<TaskOp>, isA<ArrayAttr>},
    {kTangentAttr, isOneOf<TaskOp>, isA<FlatSymbolRefAttr>},
    {kInRangeAttr, isCast, isA<UnitAttr>},
    {kOldWinsAttr, isOneOf<arith::MinNumFOp, arith::MaxNumFOp>, isA<BoolAttr>},
    {kGuardAttr, isOneOf<arith::SelectOp>, isA<UnitAttr>},
    {kFileAttr, isOneOf<ModuleOp>, isA<StringAttr>},
    {kTangentsOfTapesAttr, isOneOf<ModuleOp>, isA<StringAttr>},
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

//===----------------------------------------------------------------------===//
// kernel_abi
//===----------------------------------------------------------------------===//

/// How many numbers a parameter has at most, and how many it is written with at
/// least.
static std::pair<int, int> numNumbers(KernelParam kind) {
  switch (kind) {
  case KernelParam::data:
    return {2, 1};
  case KernelParam::extent:
  case KernelParam::fieldStride:
    return {2, 2};
  case KernelParam::scalar:
  case KernelParam::from:
  case KernelParam::count:
  case KernelParam::partials:
    return {1, 1};
  default:
    return {0, 0};
  }
}

static KernelABI membersOf(KernelABIAttr attr) {
  KernelABI abi;
  abi.params.assign(attr.getParams().begin(), attr.getParams().end());
  abi.perThread = attr.getPerThread();
  abi.partialBytes = attr.getPartialBytes();
  abi.logWords = attr.getLogWords();
  abi.arenaBytes = attr.getArenaBytes();
  abi.restartsAll = attr.getRestartsAll();
  abi.hasLarge = attr.getHasLarge();
  abi.shortIndices = attr.getShortIndices();
  abi.smallLaunches = attr.getSmallLaunches();
  abi.task = attr.getTask();
  return abi;
}

KernelABI KernelABI::of(Operation *kernel) {
  KernelABIAttr attr = kernelABIOf(kernel);
  return attr ? membersOf(attr) : KernelABI();
}

KernelABIAttr KernelABI::attr(MLIRContext *context) const {
  return KernelABIAttr::get(context, params, perThread, partialBytes, logWords,
                            arenaBytes, restartsAll, hasLarge, shortIndices,
                            smallLaunches, task);
}

/// `data(0)`, `extent(0, 1)`, `failures`
static ParseResult parseKernelParameter(AsmParser &parser,
                                        KernelParameter &parameter) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  std::optional<KernelParam> kind = symbolizeKernelParam(name);
  if (!kind)
    return parser.emitError(loc, "unknown parameter of a kernel: `")
           << name << "`";
  parameter = {*kind, 0, 0};
  if (failed(parser.parseOptionalLParen()))
    return success();
  if (parser.parseInteger(parameter.number))
    return failure();
  if (succeeded(parser.parseOptionalComma()) &&
      parser.parseInteger(parameter.axis))
    return failure();
  return parser.parseRParen();
}

static void printKernelParameter(AsmPrinter &printer,
                                 const KernelParameter &parameter) {
  printer << stringifyKernelParam(parameter.kind);
  auto [most, least] = numNumbers(parameter.kind);
  if (least == 0)
    return;
  printer << '(' << parameter.number;
  if (least == 2 || parameter.axis != 0)
    printer << ", " << parameter.axis;
  printer << ')';
}

namespace {
/// The members that are numbers, and those that are flags, with their names.
struct Number {
  StringRef name;
  int64_t KernelABI::*member;
};
struct Flag {
  StringRef name;
  bool KernelABI::*member;
};
} // namespace

static constexpr Number kNumbers[] = {
    {"perThread", &KernelABI::perThread},
    {"partialBytes", &KernelABI::partialBytes},
    {"logWords", &KernelABI::logWords},
    {"arenaBytes", &KernelABI::arenaBytes}};
static constexpr Flag kFlags[] = {{"restartsAll", &KernelABI::restartsAll},
                                  {"hasLarge", &KernelABI::hasLarge},
                                  {"shortIndices", &KernelABI::shortIndices},
                                  {"smallLaunches", &KernelABI::smallLaunches}};

/// The rest of `name = …`.
static ParseResult parseEntry(AsmParser &parser, KernelABI &abi) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name) || parser.parseEqual())
    return failure();
  if (name == "params")
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
      return parseKernelParameter(parser, abi.params.emplace_back());
    });
  if (name == "task")
    return parser.parseAttribute(abi.task);
  for (const Number &number : kNumbers)
    if (name == number.name)
      return parser.parseInteger(abi.*number.member);
  for (const Flag &flag : kFlags)
    if (name == flag.name) {
      FailureOr<bool> value = FieldParser<bool>::parse(parser);
      abi.*flag.member = succeeded(value) && *value;
      return failure(failed(value));
    }
  return parser.emitError(loc, "unknown property of a kernel: `")
         << name << "`";
}

Attribute KernelABIAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  KernelABI abi;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     [&] { return parseEntry(parser, abi); }))
    return {};
  return getChecked([&] { return parser.emitError(start); },
                    parser.getContext(), ArrayRef<KernelParameter>(abi.params),
                    abi.perThread, abi.partialBytes, abi.logWords,
                    abi.arenaBytes, abi.restartsAll, abi.hasLarge,
                    abi.shortIndices, abi.smallLaunches, abi.task);
}

void KernelABIAttr::print(AsmPrinter &printer) const {
  KernelABI none, abi = membersOf(*this);
  StringRef comma = "";
  auto begin = [&](StringRef name) -> AsmPrinter & {
    printer << comma << name << " = ";
    comma = ", ";
    return printer;
  };
  printer << '<';
  if (!getParams().empty()) {
    begin("params") << '[';
    llvm::interleaveComma(getParams(), printer,
                          [&](const KernelParameter &parameter) {
                            printKernelParameter(printer, parameter);
                          });
    printer << ']';
  }
  for (const Number &number : kNumbers)
    if (abi.*number.member != none.*number.member)
      begin(number.name) << abi.*number.member;
  for (const Flag &flag : kFlags)
    if (abi.*flag.member)
      begin(flag.name) << "true";
  if (getTask())
    begin("task") << getTask();
  printer << '>';
}

static LogicalResult verifyParameter(function_ref<InFlightDiagnostic()> report,
                                     size_t index,
                                     const KernelParameter &parameter) {
  StringRef kind = stringifyKernelParam(parameter.kind);
  if (kind.empty())
    return report() << "parameter " << index << " is of unknown kind";
  int most = numNumbers(parameter.kind).first;
  if (parameter.number < 0 || parameter.axis < 0)
    return report() << "parameter " << index << ", `" << kind
                    << "`, has a negative number";
  if ((most < 1 && parameter.number != 0) || (most < 2 && parameter.axis != 0))
    return report() << "parameter " << index << ", `" << kind
                    << "`, takes at most " << most << " numbers";
  return success();
}

LogicalResult
KernelABIAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      ArrayRef<KernelParameter> params, int64_t perThread,
                      int64_t partialBytes, int64_t, int64_t arenaBytes,
                      bool restartsAll, bool, bool shortIndices,
                      bool smallLaunches, StringAttr) {
  for (auto [index, parameter] : llvm::enumerate(params))
    if (failed(verifyParameter(emitError, index, parameter)))
      return failure();
  if (perThread < 1)
    return emitError() << "a thread executes " << perThread << " iterations";
  if (partialBytes < 0 || arenaBytes < 0)
    return emitError() << "a launch needs " << partialBytes
                       << " bytes of partial sums and " << arenaBytes
                       << " of the arena";
  if (restartsAll && arenaBytes == 0)
    return emitError() << "an iteration that takes no memory of the arena "
                          "cannot run out of it";
  if (shortIndices && smallLaunches)
    return emitError() << "a kernel counts in 32 bits or in 64, not in both";
  return success();
}
