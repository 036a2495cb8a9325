//===- CheckRecords.h - What a failing check leaves -------------*- C++ -*-===//
// The same words on every target: a processor hands them to `chirt_fail`, a
// device stores them in a record.
//===----------------------------------------------------------------------===//
#ifndef CHI_CONVERSION_CHECKRECORDS_H
#define CHI_CONVERSION_CHECKRECORDS_H

#include "chi/Conversion/Runtime.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace chi::conv {

/// Values of a check, and axes of an iteration, that a report has room for.
inline constexpr size_t kMaxCheckWords = 16;

/// On a check whose last operand is the number of its iteration, an i64, by
/// which the first failure of a launch is found.
inline constexpr llvm::StringLiteral kNumberedAttr = "numbered_iteration";

/// The operands of a check, by purpose.
struct CheckOperands {
  explicit CheckOperands(ir::CheckOp op);

  mlir::ValueRange values;    ///< of them, as many as there is room for
  mlir::ValueRange message;   ///< shown in the message of an assertion
  mlir::ValueRange iteration; ///< one an axis
  mlir::Value number;         ///< of the iteration; null without kNumberedAttr
  mlir::ArrayAttr parts;      ///< the format of the message; may be null
};

/// The location and kind of a check. In a function of a task (`isHost` false)
/// also its kernel, and the names of the axes.
Site siteOf(ir::CheckOp op, const CheckOperands &operands,
            mlir::FunctionOpInterface function, bool isHost);

/// Where an access is that --check=races looks at, and of what.
Site siteOf(ir::RecordAccessOp op, mlir::FunctionOpInterface function);
/// The operation of a task at a kink, for gradcheck.
Site siteOf(ir::NoteKinkOp op, mlir::FunctionOpInterface function);

/// A value as 64 bits: integers extended by their sign, a bool and unsigned
/// ones by zeros, floats as f64.
mlir::Value wordOf(Emitter &emit, mlir::Value value, bool isUnsigned);

/// Takes a value of a record, its place there, and whether it is unsigned.
using TakeWord = llvm::function_ref<void(size_t, mlir::Value, bool)>;

/// Passes each of `values` to `take`, from place `from` on, up to `size`
/// places.
void eachWord(mlir::ValueRange values, bool isUnsigned, size_t from,
              size_t size, TakeWord take);
/// The same for the values of a format; a part says whether its integers are
/// unsigned. Leaves out the values that UnitTable::formatNumber leaves out.
void eachFormatWord(mlir::ArrayAttr parts, mlir::ValueRange values, size_t from,
                    size_t size, TakeWord take);

} // namespace chi::conv
#endif // CHI_CONVERSION_CHECKRECORDS_H
