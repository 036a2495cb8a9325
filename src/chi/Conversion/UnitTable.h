//===- UnitTable.h - What the tasks of a unit can tell ----------*- C++ -*-===//
#ifndef CHI_CONVERSION_UNITTABLE_H
#define CHI_CONVERSION_UNITTABLE_H

#include "chi/Conversion/Runtime.h"
#include "llvm/ADT/MapVector.h"

namespace chi::conv {

/// Collects the sites and formats of a module's tasks, in the order of the
/// requests, and makes a `chirt_unit` of them.
class UnitTable {
public:
  /// `suffix` distinguishes several tables of a module.
  explicit UnitTable(llvm::StringRef suffix = "") : suffix(suffix) {}

  /// The number of a site; equal ones have one.
  int32_t siteNumber(Emitter &emit, const Site &site);
  /// The number of a format. Of values that take more than `mostWords` words,
  /// those that fit are printed, then "…".
  int32_t formatNumber(Emitter &emit, mlir::ArrayAttr parts,
                       mlir::ValueRange values, size_t mostWords);
  /// The address of the table.
  mlir::Value address(Emitter &emit);
  /// Makes the table, if it or a number in it was requested.
  void finish(mlir::ModuleOp module);

private:
  llvm::MapVector<mlir::Attribute, int32_t> sites, formats;
  bool isUsed = false;
  std::string suffix;
};

} // namespace chi::conv
#endif // CHI_CONVERSION_UNITTABLE_H
