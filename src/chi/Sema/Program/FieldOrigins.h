//===- FieldOrigins.h - Which field a name may stand for --------*- C++ -*-===//
#ifndef CHI_SEMA_PROGRAM_FIELDORIGINS_H
#define CHI_SEMA_PROGRAM_FIELDORIGINS_H

#include "chi/Sema/Build/Build.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/SetVector.h"

namespace chi::sema {

/// A `field(…)` or `load(…)` of the program, or the gradient or the tangents of
/// what it makes.
using Origin = llvm::PointerIntPair<const HostOpExpr *, 1, bool>;
using OriginSet = llvm::SmallSetVector<Origin, 4>;
/// The arguments of a call: what its parameters stand for there.
using OriginMap = llvm::DenseMap<const void *, OriginSet>;

/// Is it made with `grad=True`?
bool isMarked(Origin origin);
/// Is it made with `dual=True`?
bool hasDualMark(Origin origin);

/// What an operation puts in a list, a dict or an object of a class, or reads
/// there, may be: what else has the same address here. A type of lists stands
/// for all that are of it, a member for that of all objects. Null of others.
const void *insideOf(const HostOpExpr &op);

/// What the fields of a whole program may stand for, whatever runs before what.
/// A tuple stands for all that is in it.
class FieldOrigins {
public:
  /// `isClosed`: only the program itself calls its functions.
  FieldOrigins(llvm::ArrayRef<std::unique_ptr<Function>> functions,
               bool isClosed);

  /// None: of a parameter that others give. `bound` goes before what all calls
  /// together say.
  OriginSet of(const Expr *expr, const OriginMap *bound = nullptr) const;
  /// Of a Variable, a Global or the result of a Function.
  OriginSet ofEntity(const void *entity) const { return known.lookup(entity); }
  /// How many statements assign the variable or top-level variable.
  unsigned numAssignments(const void *entity) const {
    return assignments.lookup(entity);
  }
  /// What the parameters stand for in a call.
  OriginMap bind(const CallExpr &call, const OriginMap *bound) const;

private:
  void gather(const Function &function, bool isClosed);
  void gatherPuts(const HostOpExpr &op);
  OriginSet ofHostOp(const HostOpExpr &op, const OriginMap *bound) const;

  struct Flow {
    const void *to;
    const Expr *from;
  };
  std::vector<Flow> flows;
  OriginMap known;
  llvm::DenseMap<const void *, unsigned> assignments;
};

} // namespace chi::sema
#endif // CHI_SEMA_PROGRAM_FIELDORIGINS_H
