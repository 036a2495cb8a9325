//===- RuntimeTypes.h - The run time's C types in LLVM ----------*- C++ -*-===//
// The structs of chirt.h as compiled code sees them. Each is written as the
// list of its members, and held to lie as the C compiler lays it out.
//===----------------------------------------------------------------------===//
#ifndef CHI_CONVERSION_RUNTIMETYPES_H
#define CHI_CONVERSION_RUNTIMETYPES_H

#include "chi/Dialect/Chi/RuntimeFunctions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace chi::conv {

/// The type of a parameter, result or variable.
mlir::Type llvmTypeOf(mlir::MLIRContext *context, ir::RuntimeType type);
/// The type of a function of api.def.
mlir::LLVM::LLVMFunctionType llvmTypeOf(mlir::MLIRContext *context,
                                        const ir::RuntimeFunction &function);

/// C structs by their names in chirt.h.
enum class RuntimeStruct {
  Field,
  Site,
  FormatPart,
  Format,
  Unit,
  Param,
  Test,
  Program,
  Kernel,
  Task,
  Domain,
  NamedField,
  FieldTable
};
/// The struct of chirt/chirt.h as a literal struct of the LLVM dialect.
mlir::LLVM::LLVMStructType llvmTypeOf(mlir::MLIRContext *context,
                                      RuntimeStruct which);
/// The numbers of members of a `chirt_field`; `data` is the first.
extern const int32_t kFieldExtents, kFieldCurrent, kFieldStrides,
    kFieldComponentStride;
/// The numbers of the members of a `chirt_domain`.
struct DomainMembers {
  int32_t from, to, begin, step;
};
extern const DomainMembers kDomainMembers;

} // namespace chi::conv
#endif // CHI_CONVERSION_RUNTIMETYPES_H
