//===- RuntimeFunctions.h - What chirt/api.def says -------------*- C++ -*-===//
// The run time's functions as data: for the verifier of `chi.rt` and for
// code that builds calls of them. Nothing here needs the run time itself.
//===----------------------------------------------------------------------===//
#ifndef CHI_DIALECT_CHI_RUNTIMEFUNCTIONS_H
#define CHI_DIALECT_CHI_RUNTIMEFUNCTIONS_H

#include "chirt/chirt.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace chi::ir {

/// The C type of a parameter, a result or a variable.
enum class RuntimeType : uint8_t {
  Void,
  I32,
  I64,
  F64,
  Text,    ///< const char *
  Field,   ///< chirt_field *
  Object,  ///< chirt_object *
  Site,    ///< const chirt_site *
  Memory,  ///< another pointer to data
  Function ///< a pointer to a function
};

/// The effect of a call on an argument, or the origin of its result: the
/// letters of api.def.
enum class RuntimeUse : char {
  Value = '-',
  Site = 's',
  Read = 'r',
  Written = 'w',
  Updated = 'u',
  Kept = 'k',
  Released = 'd',
  Made = 'n',
  Borrowed = 'b'
};

struct RuntimeParameter {
  RuntimeType type = RuntimeType::Void;
  RuntimeUse use = RuntimeUse::Value;
};

struct RuntimeFunction {
  llvm::StringLiteral name;
  llvm::ArrayRef<RuntimeParameter> parameters;
  RuntimeParameter result;
  bool mayFail, isForTasks, isCold, isNoReturn, mayLaunch;

  /// Whether the first parameter is the site to raise at.
  bool takesSite() const {
    return !parameters.empty() && parameters[0].type == RuntimeType::Site;
  }
};

/// Null if the run time has no function of that name.
const RuntimeFunction *findRuntimeFunction(llvm::StringRef name);
/// The type of a variable of the run time, Void if it has none of that name.
RuntimeType runtimeVariableType(llvm::StringRef name);

/// Code of a scalar or str; the type itself does not show whether it is
/// unsigned.
chirt_dtype dtypeOf(mlir::Type scalar, bool isUnsigned = false);
class FieldType;
/// On `chi.companion`: the name of the field in the source.
inline constexpr llvm::StringLiteral kFieldNameAttr = "field_name";
/// On a task: the boxes of its accesses, in the form of chirt_task::boxes.
inline constexpr llvm::StringLiteral kBoxesAttr = "chi.boxes";
/// A field's type as chirt_field_new reads it: "f32", "f64:3", "f32:2x2".
std::string descriptionOf(FieldType type);
class TaskOp;
/// The arguments of a task as its descriptor has them. What a task without
/// effects does to its fields is looked up in its body, and that it overwrites
/// one is not known then.
std::vector<chirt_argument> describeArguments(TaskOp task);
/// The boxes that chi-task-boxes found; empty: none.
llvm::ArrayRef<int64_t> boxesOf(TaskOp task);
/// The names that the source has for them: "x, , y".
std::string argumentNames(TaskOp task);
/// Code of a type as the language names it ("u8", "f32", "str").
std::optional<chirt_dtype> dtypeNamed(llvm::StringRef name);

} // namespace chi::ir
#endif // CHI_DIALECT_CHI_RUNTIMEFUNCTIONS_H
