//===- ChiTaskAttrs.cpp - Facts and schedules of tasks --------------------===//

#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Dialect/Chi/Schedule.h"
#include "chirt/chirt.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace chi::ir;

//===----------------------------------------------------------------------===//
// known, facts: text
//===----------------------------------------------------------------------===//

KnownAttr KnownAttr::none(MLIRContext *context) {
  return get(context, INT64_MIN, INT64_MAX, false, 0, {});
}

/// Parses `arg(3)` or `dim(0, 1)`, if there is one.
static OptionalParseResult parseReference(AsmParser &parser, LinearTerm &term) {
  bool isExtent = succeeded(parser.parseOptionalKeyword("dim"));
  if (!isExtent && failed(parser.parseOptionalKeyword("arg")))
    return std::nullopt;
  term.axis = -1;
  if (parser.parseLParen() || parser.parseInteger(term.argument) ||
      (isExtent && (parser.parseComma() || parser.parseInteger(term.axis))) ||
      parser.parseRParen())
    return failure();
  return success();
}

/// `-1 + dim(0, 1) + 2 * arg(3)`
static ParseResult parseSum(AsmParser &parser, int64_t &constant,
                            SmallVectorImpl<LinearTerm> &terms) {
  do {
    LinearTerm term{1, 0, -1};
    OptionalParseResult number = parser.parseOptionalInteger(term.factor);
    if (number.has_value() && failed(*number))
      return failure();
    if (number.has_value() && failed(parser.parseOptionalStar())) {
      constant += term.factor;
      continue;
    }
    OptionalParseResult reference = parseReference(parser, term);
    if (!reference.has_value())
      return parser.emitError(parser.getCurrentLocation(),
                              "a number, `arg` or `dim` is expected");
    if (failed(*reference))
      return failure();
    terms.push_back(term);
  } while (succeeded(parser.parseOptionalPlus()));
  return success();
}

static FailureOr<KnownAttr> parseKnown(AsmParser &parser) {
  MLIRContext *context = parser.getContext();
  if (succeeded(parser.parseOptionalQuestion()))
    return KnownAttr::none(context);
  int64_t least = INT64_MIN, greatest = INT64_MAX, constant = 0;
  SmallVector<LinearTerm> terms;
  OptionalParseResult range = parser.parseOptionalInteger(least);
  if (range.has_value() && (failed(*range) || parser.parseKeyword("to") ||
                            parser.parseInteger(greatest)))
    return failure();
  bool isSum = succeeded(parser.parseOptionalEqual());
  if (isSum && failed(parseSum(parser, constant, terms)))
    return failure();
  if (!range.has_value() && !isSum)
    return parser.emitError(parser.getCurrentLocation(),
                            "`?`, a range or `=` is expected");
  if (isSum && terms.empty())
    least = greatest = constant;
  return KnownAttr::get(context, least, greatest, isSum, constant, terms);
}

static void printSum(AsmPrinter &printer, KnownAttr known) {
  StringRef plus = "";
  if (known.getConstant() != 0 || known.getTerms().empty()) {
    printer << known.getConstant();
    plus = " + ";
  }
  for (const LinearTerm &term : known.getTerms()) {
    printer << plus;
    if (term.factor != 1)
      printer << term.factor << " * ";
    if (term.axis < 0)
      printer << "arg(" << term.argument << ')';
    else
      printer << "dim(" << term.argument << ", " << term.axis << ')';
    plus = " + ";
  }
}

static void printKnown(AsmPrinter &printer, KnownAttr known) {
  bool isConstant = known.getValue().has_value();
  bool hasRange = known.hasRange() && !isConstant;
  if (hasRange)
    printer << known.getLeast() << " to " << known.getGreatest();
  if (known.getIsSum()) {
    printer << (hasRange ? " = " : "= ");
    printSum(printer, known);
  } else if (!hasRange) {
    printer << '?';
  }
}

Attribute KnownAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<KnownAttr> known = parseKnown(parser);
  if (failed(known) || parser.parseGreater())
    return {};
  return *known;
}

void KnownAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printKnown(printer, *this);
  printer << '>';
}

static ParseResult parseKnowns(AsmParser &parser,
                               SmallVectorImpl<KnownAttr> &list) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        FailureOr<KnownAttr> known = parseKnown(parser);
        if (succeeded(known))
          list.push_back(*known);
        return failure(failed(known));
      });
}

static ParseResult parseNumbers(AsmParser &parser,
                                SmallVectorImpl<int64_t> &list) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(list.emplace_back());
  });
}

Attribute FactsAttr::parse(AsmParser &parser, Type) {
  SmallVector<KnownAttr> from, to, inputs;
  SmallVector<int64_t> noalias, cells;
  auto parseEntry = [&]() -> ParseResult {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    if (name == "from" || name == "to" || name == "inputs")
      return parseKnowns(parser, name == "from" ? from
                                 : name == "to" ? to
                                                : inputs);
    if (name == "noalias" || name == "cells")
      return parseNumbers(parser, name == "cells" ? cells : noalias);
    return parser.emitError(loc, "unknown fact: `") << name << "`";
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseEntry))
    return {};
  return get(parser.getContext(), from, to, inputs, noalias, cells);
}

void FactsAttr::print(AsmPrinter &printer) const {
  StringRef comma = "";
  auto list = [&](StringRef name, const auto &values, auto &&each) {
    if (values.empty())
      return;
    printer << comma << name << " = [";
    llvm::interleaveComma(values, printer, each);
    printer << ']';
    comma = ", ";
  };
  auto known = [&](KnownAttr value) { printKnown(printer, value); };
  auto number = [&](int64_t value) { printer << value; };
  printer << '<';
  list("from", getFrom(), known);
  list("to", getTo(), known);
  list("inputs", getInputs(), known);
  list("noalias", getNoalias(), number);
  list("cells", getCells(), number);
  printer << '>';
}

//===----------------------------------------------------------------------===//
// effects
//===----------------------------------------------------------------------===//

Attribute EffectsAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  SmallVector<int64_t> reads, writes, overwrites;
  auto parseEntry = [&]() -> ParseResult {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    if (name != "reads" && name != "writes" && name != "overwrites")
      return parser.emitError(loc, "unknown effect: `") << name << "`";
    return parseNumbers(parser, name == "reads"    ? reads
                                : name == "writes" ? writes
                                                   : overwrites);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseEntry))
    return {};
  return getChecked([&] { return parser.emitError(start); },
                    parser.getContext(), ArrayRef<int64_t>(reads),
                    ArrayRef<int64_t>(writes), ArrayRef<int64_t>(overwrites));
}

void EffectsAttr::print(AsmPrinter &printer) const {
  StringRef comma = "";
  auto list = [&](StringRef name, ArrayRef<int64_t> numbers) {
    if (numbers.empty())
      return;
    printer << comma << name << " = [";
    llvm::interleaveComma(numbers, printer);
    printer << ']';
    comma = ", ";
  };
  printer << '<';
  list("reads", getReads());
  list("writes", getWrites());
  list("overwrites", getOverwrites());
  printer << '>';
}

using Report = function_ref<InFlightDiagnostic()>;

LogicalResult EffectsAttr::verify(Report emitError, ArrayRef<int64_t> reads,
                                  ArrayRef<int64_t> writes,
                                  ArrayRef<int64_t> overwrites) {
  for (ArrayRef<int64_t> numbers : {reads, writes, overwrites})
    for (size_t k = 0; k < numbers.size(); ++k)
      if (numbers[k] < 0 || (k && numbers[k] <= numbers[k - 1]))
        return emitError()
               << "the arguments of an effect are not in ascending order";
  for (int64_t number : overwrites)
    if (!llvm::is_contained(writes, number))
      return emitError() << "argument " << number
                         << " is overwritten, but not written";
  return success();
}

//===----------------------------------------------------------------------===//
// schedule: what fits together
//===----------------------------------------------------------------------===//

LogicalResult PeelAttr::verify(Report emitError, int64_t low, int64_t high) {
  if (low > high)
    return emitError() << "the middle of a row ends at " << high
                       << ", before it begins at " << low;
  return success();
}

LogicalResult ReductionAttr::verify(Report emitError, int64_t operations,
                                    bool) {
  if (operations < 1)
    return emitError() << "a reduction of " << operations << " accumulations";
  return success();
}

template <typename T>
static LogicalResult holdsOnly(Report emitError, ArrayAttr list,
                               StringRef what) {
  for (Attribute each : list ? list.getValue() : ArrayRef<Attribute>())
    if (!isa<T>(each))
      return emitError() << each << " among " << what;
  return success();
}

/// Buffers hold a tile, or chunks of rows; without buffers of stores there may
/// be such of sums.
static LogicalResult verifyChunks(Report emitError, TileAttr tile,
                                  bool hasBuffers, int64_t chunk, int64_t line,
                                  int64_t period) {
  if ((chunk > 0 && tile) || (chunk == 0 && hasBuffers && !tile) || chunk < 0)
    return emitError() << "chunks of " << chunk << " iterations: only buffers "
                       << "without a tile have chunks";
  if (line < 1 || !llvm::isPowerOf2_64(line))
    return emitError() << "lines of " << line << " bytes";
  if (period < 0 || (period > 0 && (chunk == 0 || chunk % period != 0)))
    return emitError() << "rows that repeat after " << period
                       << " iterations require chunks of whole periods";
  return success();
}

static LogicalResult verifyReductions(Report emitError, ChunkUnit unit,
                                      int64_t align, ArrayAttr reductions,
                                      bool grouped) {
  if (!reductions && !grouped)
    return success();
  if (!reductions)
    return emitError() << "has groups, but no reductions";
  if (unit != ChunkUnit::iterations || align % CHIRT_REDUCTION_BLOCK != 0)
    return emitError()
           << "chunks with reductions must consist of whole blocks of "
           << CHIRT_REDUCTION_BLOCK << " iterations";
  if (grouped && llvm::any_of(reductions.getAsRange<ReductionAttr>(),
                              [](ReductionAttr reduction) {
                                return reduction.getBuffered();
                              }))
    return emitError() << "groups add to the sums, not to buffers";
  return success();
}

LogicalResult ScheduleAttr::verify(
    Report emitError, ChunkUnit unit, int64_t align, bool, bool, bool,
    DenseI64ArrayAttr mayAlias, PeelAttr, TileAttr tile, ArrayAttr buffers,
    int64_t chunk, int64_t line, int64_t period, ArrayAttr reductions,
    bool grouped, ArrayAttr privatized, int64_t, bool, bool, bool) {
  if (align < 1)
    return emitError() << "chunks are cut at multiples of " << align;
  if (mayAlias && mayAlias.size() % 2 != 0)
    return emitError() << "`mayAlias` must be a list of pairs";
  if (tile && (tile.getEdge() < 2 || tile.getOuter() < 0 ||
               tile.getInner() < 0 || tile.getOuter() == tile.getInner()))
    return emitError()
           << "a tile must have two or more iterations along two axes";
  ChunkUnit needed = buffers ? ChunkUnit::slices : ChunkUnit::rows;
  if (tile && unit != needed)
    return emitError() << "chunks with tiles must be "
                       << stringifyChunkUnit(needed);
  return success(
      succeeded(holdsOnly<BufferAttr>(emitError, buffers, "buffers")) &&
      succeeded(
          holdsOnly<ReductionAttr>(emitError, reductions, "reductions")) &&
      succeeded(
          holdsOnly<PrivatizedAttr>(emitError, privatized, "private copies")) &&
      succeeded(verifyChunks(emitError, tile, buffers && !buffers.empty(),
                             chunk, line, period)) &&
      succeeded(verifyReductions(emitError, unit, align, reductions, grouped)));
}

//===----------------------------------------------------------------------===//
// adjoint
//===----------------------------------------------------------------------===//

/// In ascending order, numbers of captured values of the primal, each a bit of
/// a word.
static LogicalResult verifyPassive(Report emitError, int64_t numPrimal,
                                   ArrayRef<int64_t> passive) {
  for (auto [k, number] : llvm::enumerate(passive)) {
    if (k && number <= passive[k - 1])
      return emitError() << "the passive values are not in ascending order";
    if (number < 0 || number >= numPrimal || number >= 64)
      return emitError() << "value " << number << " is passive, but is none of "
                         << "the first 64 of the primal";
  }
  return success();
}

static LogicalResult verifyDomainAxes(Report emitError,
                                      ArrayRef<int64_t> axes) {
  for (auto [k, axis] : llvm::enumerate(axes)) {
    if (axis < kComputedAxis)
      return emitError() << "axis " << k << " is axis " << axis
                         << " of the domain";
    if (axis != kComputedAxis && llvm::is_contained(axes.take_front(k), axis))
      return emitError() << "two axes are axis " << axis << " of the domain";
  }
  return success();
}

static ArrayRef<int64_t> numbersOf(DenseI64ArrayAttr numbers) {
  return numbers ? numbers.asArrayRef() : ArrayRef<int64_t>();
}

LogicalResult AdjointAttr::verify(Report emitError, int64_t numPrimal,
                                  FlatSymbolRefAttr task, FlatSymbolRefAttr,
                                  FlatSymbolRefAttr prologue, FlatSymbolRefAttr,
                                  FlatSymbolRefAttr variant,
                                  DenseI64ArrayAttr workspace,
                                  DenseI64ArrayAttr passive,
                                  DenseI64ArrayAttr domainAxes, bool shared) {
  bool isOfAdjoint = numPrimal >= 0, isSplit = variant || passive || domainAxes;
  if (numPrimal < -1)
    return emitError() << "the primal has " << numPrimal << " values";
  if (task && !isOfAdjoint && (isSplit || prologue || workspace || shared))
    return emitError() << "a primal task has what only adjoints have";
  if (!isOfAdjoint && isSplit)
    return emitError() << "only an adjoint task has variants, passive values "
                          "and axes of its domain";
  if (int64_t size = numbersOf(workspace).size() * sizeof(int64_t);
      size % sizeof(chirt_workspace_field) != 0)
    return emitError() << "a workspace of " << size << " bytes, where a field "
                       << "has " << sizeof(chirt_workspace_field);
  return success(
      succeeded(verifyPassive(emitError, numPrimal, numbersOf(passive))) &&
      succeeded(verifyDomainAxes(emitError, numbersOf(domainAxes))));
}

Adjoint Adjoint::of(TaskOp task) {
  AdjointAttr attr = task.getAdjointAttr();
  if (!attr)
    return Adjoint();
  return {task.getNumPrimal(), attr.getTask(),     attr.getFused(),
          attr.getPrologue(),  attr.getRecorder(), attr.getVariant(),
          attr.getWorkspace(), attr.getPassive(),  attr.getDomainAxes(),
          attr.getShared()};
}

void Adjoint::set(TaskOp of) const {
  auto none = AdjointAttr::get(of.getContext(), -1, {}, {}, {}, {}, {}, {}, {},
                               {}, false);
  auto attr = AdjointAttr::get(of.getContext(), numPrimal.value_or(-1), task,
                               fused, prologue, recorder, variant, workspace,
                               passive, domainAxes, shared);
  of.setAdjointAttr(attr == none ? AdjointAttr() : attr);
}
