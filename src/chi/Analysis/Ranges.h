//===- Ranges.h - What is known of integers at a place ----------*- C++ -*-===//
//
// Intervals (abstract interpretation of integers with wrap-around, after
// Cousot & Cousot, 1977) and, where intervals are too coarse, linear facts over
// symbols, combined by elimination as Fourier and Motzkin do. Everything is
// computed on demand: a query names a value and an op, since guards and checks
// before that op count.
//
//===----------------------------------------------------------------------===//
#ifndef CHI_ANALYSIS_RANGES_H
#define CHI_ANALYSIS_RANGES_H

#include "chi/Analysis/Interval.h"
#include "chi/Analysis/Linear.h"
#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <deque>
#include <unordered_map>

namespace chi::analysis {

/// `small + gap <= large`, for the mathematical integers; a null value is 0.
struct Fact {
  mlir::Value small, large;
  int64_t gap;
};

/// The facts that hold at a place: those of `parent` and its own. A null scope
/// knows nothing.
struct Scope {
  const Scope *parent = nullptr;
  llvm::SmallVector<Fact, 2> facts;
  /// Values that are known to differ from a constant.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 1> unequal;
  /// `facts` as sums that are not negative; computed on first use.
  mutable llvm::SmallVector<Linear, 2> inequalities;
  mutable bool hasInequalities = false;
};

/// The domain of a task as its facts give it, in the task's own symbols.
struct TaskDomain {
  struct Axis {
    Interval values;
    std::optional<Linear> from, to;
    /// It is at least each of these, and less than each of those.
    llvm::SmallVector<Linear, 0> moreFrom, moreTo;
  };
  llvm::SmallVector<Axis, 3> axes;
  /// One for each captured value; what launches pass.
  llvm::SmallVector<Interval> captured;
  llvm::SmallVector<std::optional<Linear>> aliases;
};

/// Guards and checks that are looked at above a place, the nearest first.
inline constexpr unsigned kMaxScopes = 80;

/// Answers questions about the integers of a module.
///
/// Holds pointers to ops: after a change of the module the caller makes a new
/// one before the next query. Attributes alone may change.
class Ranges {
public:
  explicit Ranges(mlir::ModuleOp module);

  /// The interval of `value` when control is at `at`. Full for values that are
  /// no integers.
  Interval intervalAt(mlir::Value value, mlir::Operation *at);
  /// `value` as a sum of symbols that equals it without wrap-around.
  Linear linearAt(mlir::Value value, mlir::Operation *at);
  /// Is `sum` at least 0 whenever control is at `at`? No if it is not known.
  bool provesNonNegative(const Linear &sum, mlir::Operation *at);
  /// Is the i1 `condition` true whenever control is at `at`?
  bool provesTrue(mlir::Value condition, mlir::Operation *at);
  /// Is the signed result of an integer addition, subtraction, multiplication
  /// or shift to the left always the mathematical one? `thorough`: try linear
  /// facts too, which costs more.
  bool neverWraps(mlir::Operation *arithmetic, bool thorough);
  /// Domain of a task, over all its launches: its `facts`.
  const TaskDomain &domainOf(ir::TaskOp task);
  /// Interval of a symbol at `at`.
  Interval intervalAt(Symbol symbol, mlir::Operation *at);

private:
  using Key = std::pair<mlir::Value, const Scope *>;
  using Memo = llvm::DenseMap<Key, Interval>;

  // RangesScope.cpp
  const Scope *scopeAt(mlir::Operation *op);
  const Scope *scopeOfBlock(mlir::Block *block);
  const Scope *assume(const Scope *parent, mlir::Value condition, bool truth);
  void addCondition(Scope &scope, mlir::Value condition, bool truth,
                    unsigned depth);
  void addComparison(Scope &scope, mlir::arith::CmpIOp compare, bool truth);
  void addFact(Scope &scope, mlir::Value small, mlir::Value large, int64_t gap);
  void addUnequal(Scope &scope, mlir::Value value, int64_t constant);

  // RangesInterval.cpp
  Interval interval(mlir::Value value, const Scope *scope);
  Interval transfer(mlir::Value value, const Scope *scope);
  Interval transferOp(mlir::OpResult result, const Scope *scope);
  Interval transferCast(mlir::Operation *op, unsigned width,
                        const Scope *scope);
  Interval transferArgument(mlir::BlockArgument arg, const Scope *scope);
  Interval heldBy(mlir::Value slot, unsigned width);
  Interval refine(Interval known, mlir::Value value, const Scope *scope);
  Interval loopCarried(mlir::Value value, mlir::Operation *loop);
  void solve(mlir::Operation *loop, mlir::ValueRange inits,
             mlir::ValueRange args, mlir::Operation *yield,
             mlir::ValueRange yielded);

  // RangesProof.cpp
  Interval intervalOf(Symbol symbol, const Scope *scope);
  Linear linear(mlir::Value value, const Scope *scope);
  std::optional<Linear> linearOp(mlir::Operation *op, mlir::Value value,
                                 const Scope *scope);
  std::optional<Linear> linearArgument(mlir::BlockArgument arg,
                                       const Scope *scope);
  std::optional<Linear> exactSum(mlir::Operation *op, int64_t sign,
                                 const Scope *scope);
  std::optional<Linear> exactProduct(mlir::Operation *op, const Scope *scope);
  std::optional<Linear> exactCast(mlir::Operation *op, const Scope *scope);
  bool staysIn(const Linear &sum, unsigned width, const Scope *scope);
  bool prove(const Linear &sum, const Scope *scope, unsigned depth);
  bool proveByFacts(const Linear &sum, const Scope *scope, unsigned depth);
  bool proveByFact(const Linear &sum, const Linear &fact, Symbol symbol,
                   const Scope *scope, unsigned depth);
  bool proveByCases(const Linear &sum, Symbol symbol, const Scope *scope,
                    unsigned depth);
  llvm::ArrayRef<Linear> inequalitiesOf(const Scope &scope);
  void factsOfSymbol(Symbol symbol, const Scope *scope,
                     llvm::SmallVectorImpl<Linear> &facts);
  void factsOfQuotient(Symbol symbol, mlir::Value dividend, int64_t divisor,
                       const Scope *scope,
                       llvm::SmallVectorImpl<Linear> &facts);
  void factsOfRemainder(Symbol symbol, mlir::Value divisor, const Scope *scope,
                        llvm::SmallVectorImpl<Linear> &facts);
  bool proveIs(mlir::Value condition, bool truth, const Scope *scope,
               unsigned depth);
  bool proveComparison(mlir::arith::CmpIOp compare, bool truth,
                       const Scope *scope);
  bool proveLess(mlir::Value small, mlir::Value large, int64_t gap,
                 const Scope *scope);
  bool proveFromScratch(const Linear &sum, const Scope *scope);
  bool sumStays(mlir::Value a, mlir::Value b, int64_t sign, unsigned width,
                const Scope *scope, bool thorough);
  bool productStays(mlir::Value a, mlir::Value b, unsigned width,
                    const Scope *scope, bool thorough);

  // RangesDomain.cpp
  int64_t largestExtent(Symbol extent);

  mlir::ModuleOp module;
  /// Nodes that stay where they are: references to them are handed out.
  std::unordered_map<mlir::Operation *, TaskDomain> domains;
  /// Narrowest type that the program reads an extent in: it fits.
  llvm::DenseMap<Symbol, unsigned> extentWidths;

  std::deque<Scope> scopes;
  /// Values that some fact is about; of others no scope knows anything.
  llvm::DenseSet<mlir::Value> mentioned;
  llvm::DenseMap<mlir::Operation *, const Scope *> scopeBefore;
  llvm::DenseMap<mlir::Block *, const Scope *> scopeOfStart;

  /// Innermost last: a result that is computed from guesses about a loop's
  /// values holds for those guesses only.
  llvm::SmallVector<Memo> memos;
  llvm::DenseMap<mlir::Value, Interval> guesses;
  llvm::DenseMap<Key, Linear> linears;
  unsigned depth = 0;
  /// Selects around the value that is looked at.
  unsigned choices = 0;
  /// Loops may still be iterated this often; then they are full.
  unsigned rounds = 20000;
  int steps = 0;
  bool inWrapProof = false;
  /// Is a sum worth a proof that it does not wrap? Not deep inside of another.
  bool isNear() const { return !inWrapProof && depth < 12; }
};

/// The value below casts that keep the mathematical integer.
mlir::Value peel(mlir::Value value);
/// The constant that `value` is, as a signed number (i1: 0 or 1).
std::optional<int64_t> constantOf(mlir::Value value);
/// The field below casts of its type.
mlir::Value fieldBelowCasts(mlir::Value field);
/// Bits of an integer or index type; 0 for other types.
unsigned widthOf(mlir::Type type);

} // namespace chi::analysis
#endif // CHI_ANALYSIS_RANGES_H
