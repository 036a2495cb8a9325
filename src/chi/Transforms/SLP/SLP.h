//===- SLP.h - Neighbours in memory within an iteration ---------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_SLP_SLP_H
#define CHI_TRANSFORMS_SLP_SLP_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include <map>

namespace chi::slp {

/// Lanes of the longest vector that a pack becomes, and of the shortest.
inline constexpr int64_t kMaxPack = 16, kMinPack = 3;

/// Loads, or accumulations, of one block that lie along one line of memory.
/// It makes no difference whether they happen at the place of the first of
/// them or of the last.
struct AccessPack {
  struct Member {
    int64_t position;                      ///< scalars from the pack's origin
    mutable ir::FieldAccessOpInterface op; ///< handles of MLIR know no const
  };
  llvm::SmallVector<Member> members; ///< in the order of the program
  bool isLoad = false;
  /// The place depends on loaded values: neighbouring iterations need not touch
  /// neighbouring elements.
  bool isScattered = false;

  /// The least position of a member, in scalars.
  int64_t lowest() const;
};

/// The packs of a block. A load of an element that an earlier load of the pack
/// has read is replaced by that one, and erased.
class PackFinder {
public:
  /// `strict`: the order of accumulations to one element is kept.
  PackFinder(mlir::Block &block, bool strict);

  /// In the order in which their first members are in the block.
  std::vector<AccessPack> &getPacks() { return packs; }
  struct Position {
    unsigned pack;
    int64_t position;
  };
  /// Where a value was loaded from, if by a load of a pack.
  std::optional<Position> positionOf(mlir::Value value) const;

private:
  using Key = std::vector<intptr_t>;
  void visit(mlir::Operation &op);
  void visitAccess(ir::FieldAccessOpInterface op);
  std::optional<Key> keyOf(ir::FieldAccessOpInterface op, int64_t &position);
  bool isRepeated(ir::FieldAccessOpInterface op, Key key, int64_t position);
  intptr_t epochOf(ir::FieldAccessOpInterface op);
  void count(ir::FieldAccessOpInterface op);
  bool isFromMemory(mlir::Value value, unsigned depth = 0);

  /// The accesses to a field so far, as counts.
  struct History {
    intptr_t writes = 0, others = 0;
    std::vector<intptr_t> base; ///< of the last accumulation
  };
  bool strict;
  intptr_t barriers = 0, checks = 0;
  llvm::MapVector<mlir::Value, History> history;
  std::map<Key, unsigned> open;
  std::map<Key, mlir::Operation *> loaded; ///< by pack and place
  std::vector<AccessPack> packs;
  llvm::DenseMap<mlir::Operation *, Position> positions;
  llvm::DenseMap<mlir::Value, bool> fromMemory;
};

/// Makes vectors of scalars that lanes of equal operations compute.
class PackBuilder {
public:
  PackBuilder(PackFinder &packs, mlir::OpBuilder &builder)
      : packs(packs), builder(builder) {}

  /// A vector of the values, which are of one type and are there at the
  /// builder's place.
  mlir::Value pack(llvm::ArrayRef<mlir::Value> lanes, unsigned depth = 0);

private:
  mlir::Value packConstants(llvm::ArrayRef<mlir::Value> lanes);
  mlir::Value packLoads(llvm::ArrayRef<mlir::Value> lanes);
  void widen(const AccessPack &pack, int64_t &low, int64_t &high);
  mlir::Value packEqual(llvm::ArrayRef<mlir::Value> lanes, unsigned depth);
  mlir::Value packOneByOne(llvm::ArrayRef<mlir::Value> lanes);
  bool isThere(mlir::Value value);

  PackFinder &packs;
  mlir::OpBuilder &builder;
  std::map<std::vector<void *>, mlir::Value> made;
};

/// An operation on floats that computes each lane of its result from the same
/// lane of its operands. (Conversions of lanes would be done one by one.)
bool isElementwise(mlir::Operation *op);

/// A copy of one access for `lanes` neighbours, starting with it; `value` is
/// the addend of an accumulation.
mlir::Operation *createPackAccess(mlir::OpBuilder &builder,
                                  ir::FieldAccessOpInterface first,
                                  int64_t lanes, mlir::Value value,
                                  bool inbounds);

/// Sums over neighbours become sums of vectors, whose lanes are added at the
/// end. Only where sums may be reassociated.
void packSums(mlir::Block &block, PackFinder &packs, PackBuilder &packer,
              mlir::OpBuilder &builder);

/// A sum of vectors of floats, with the terms that it was built from.
struct VectorSum {
  mlir::Value total; ///< of an arith.addf that may be reassociated
  llvm::SmallVector<mlir::Value> terms;
};

/// A value as a product; scalars among the factors represent vectors of equal
/// lanes.
struct VectorProduct {
  llvm::APFloat constant;
  llvm::SmallVector<mlir::Value> factors;
};

/// The factors of a vector of floats, as far as they may be taken in another
/// order: the value itself, if not at all.
VectorProduct factorsOf(mlir::Value value);

/// The relation that makes a sum of products a first moment of another one:
/// term k is the other's times `middle + signs[k] * step`.
struct Moment {
  mlir::Value middle; ///< a scalar, the weight of terms whose sign is 0
  llvm::APFloat step;
  llvm::SmallVector<int> signs; ///< -1, 0 or 1
};

/// Of two sums' terms, in the same order; nothing if they are no such sums, or
/// not of scalars that are some value less constants.
std::optional<Moment> momentOf(llvm::ArrayRef<VectorProduct> terms,
                               llvm::ArrayRef<VectorProduct> of);

/// Multiplies once what vectors that several packs add have in common. `packs`:
/// accumulations of one block, in its order.
void factorPacks(llvm::ArrayRef<ir::AccumOp> packs, mlir::OpBuilder &builder);

/// Does an access of the task have a data-dependent address?
bool scatters(ir::TaskOp task);

/// Multiplies the common factors of the terms of a sum, or of several sums,
/// once.
void factorSums(llvm::ArrayRef<VectorSum> sums, mlir::OpBuilder &builder);

} // namespace chi::slp
#endif // CHI_TRANSFORMS_SLP_SLP_H
