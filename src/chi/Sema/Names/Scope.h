//===- Scope.h - Variables and loops of a body ------------------*- C++ -*-===//
#ifndef CHI_SEMA_NAMES_SCOPE_H
#define CHI_SEMA_NAMES_SCOPE_H

#include "chi/Sema/Names/Names.h"

namespace chi::sema {

/// A variable of a body, kept from round to round.
struct LocalVariable {
  std::string name;
  SourceRange range;
  TypeRef type = nullptr; ///< null: not assigned in this round yet
  TypeRef hint = nullptr; ///< the type that the round before ended with
  bool isAnnotated = false;
  bool isDefault = false; ///< the hint is a default: a type may replace it
  /// If it is: the type of the round before without its defaults.
  TypeRef undecided = nullptr;
  /// A literal that is assigned needs more bits than the default type has.
  bool hasWideLiteral = false;
  bool isLoopVariable = false;
  bool isCaptured = false; ///< of the function around this one
  bool atKernelLevel = false;
  /// Of the round: set from an element of a field; parts written; reads.
  bool isCopyOfElement = false;
  SourceRange partWritten;
  unsigned numReads = 0;
  /// Of an index: the element of the field that its loop runs over, as text
  /// ("x[i, j]"), and its type.
  std::string element;
  TypeRef elementType = nullptr;
  Variable *variable = nullptr; ///< of this round
};

/// What a name of an unrolled loop means in one turn.
inline Meaning boundTo(Expr *value) {
  Meaning meaning;
  meaning.kind = Meaning::Constant;
  meaning.constant = value;
  meaning.range = value->range;
  return meaning;
}

/// Where a body stands.
enum class Where {
  Constant, ///< a const, a type, a default: nothing runs
  Script,
  Test,
  Function,
  Kernel,
};

/// What a `for` runs over.
struct Iteration {
  struct Range {
    Expr *begin = nullptr, *end = nullptr, *step = nullptr;
    TypeRef type = nullptr; ///< of the name, if the loop counts in another
    Expr *base = nullptr;   ///< then added to the name, unless null
  };
  std::vector<Range> ranges;
  Expr *field = nullptr;
  /// The list, or the lists of `zip`, whose elements the loop runs over.
  std::vector<Expr *> lists;
  /// Unrolled: the values of each turn, one for each name; or entities.
  std::vector<std::vector<Meaning>> bindings;
  bool isUnrolled = false, isGrouped = false, isSerial = false;
  bool isStatic = false, showsProgress = false;
  /// `zip`: what its names run over, counted by the one range.
  std::vector<Range> zipped;
  bool isPoint = false;      ///< `grouped` of a 0-D field: one turn
  bool isEnumerated = false; ///< the first name counts
  int64_t enumerateFrom = 0;
  int64_t block = 0;
  /// The rank of the field, or the number of ranges.
  unsigned numAxes() const {
    return field ? field->type->rank() : unsigned(ranges.size());
  }
  /// How many names the `for` has to bind: one for a grouped index, else one an
  /// axis or an operand of `zip`; one more if enumerated.
  unsigned numNames() const;
};

/// Turns of all unrolled loops of one body, nested ones multiplied.
constexpr unsigned kMaxIterations = 1 << 16;

/// Names of a function or of the body of a loop.
struct Scope {
  unsigned id = 0;
  ast::Body body;
  enum Kind { Function, Loop } kind = Function;
  std::map<std::string, Meaning, std::less<>> names;
};

/// What `break` would leave.
enum class LoopKind { Parallel, Sequential, Unrolled };

/// A place during its checking: the type after the steps so far, or a field.
struct OpenLValue {
  LValue lvalue;
  Expr *field = nullptr;  ///< a field that is not indexed yet
  Expr *tuple = nullptr;  ///< a tuple with fields that is not indexed yet
  Expr *object = nullptr; ///< a list or dict that is not indexed yet
  /// A value in a list or dict, and its index or key. What is in the value is
  /// assigned in a copy (`lvalue`), which goes back then.
  Expr *holder = nullptr, *key = nullptr;
  const ast::Expr *written = nullptr; ///< the holder as it is written
  LocalVariable *local = nullptr;
  TopLevelVariable *topLevel = nullptr;
  std::vector<unsigned> swizzle; ///< `v.xz`: several components
  /// `p[i]` of an object whose class has `__setitem__`: the object and the
  /// indices.
  Expr *indexed = nullptr;
  std::vector<Expr *> items;
  bool isBroken = false;
};

/// An update of a kernel's variable by a parallel loop.
struct Reduction {
  LocalVariable *local = nullptr;
  BinaryOp op = BinaryOp::Add;
  std::vector<int64_t> path; ///< the part of it, as far as it is known
  SourceRange range;
};

/// The arguments of `field(…)`; all but the element may be null.
struct FieldArguments {
  const ast::Expr *element = nullptr, *shape = nullptr;
  const ast::Expr *order = nullptr, *layout = nullptr, *offset = nullptr;
  const ast::Argument *grad = nullptr, *dual = nullptr;
};

} // namespace chi::sema
#endif // CHI_SEMA_NAMES_SCOPE_H
