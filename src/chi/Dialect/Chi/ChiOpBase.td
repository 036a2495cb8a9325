//===- ChiOpBase.td - What all operations share ------------*- tablegen -*-===//
#ifndef CHI_OP_BASE_TD
#define CHI_OP_BASE_TD
include "chi/Dialect/Chi/ChiTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Dialect/Arith/IR/ArithBase.td"

class Chi_Op<string name, list<Trait> traits = []> : Op<Chi_Dialect, name, traits>;

/// Every op that touches an element of a field.
def FieldAccessOpInterface : OpInterface<"FieldAccessOpInterface"> {
  let cppNamespace = "::chi::ir";
  let description = "An access to one scalar of a field.";
  let methods = [
    InterfaceMethod<"The field", "::mlir::TypedValue<::chi::ir::FieldType>", "getField">,
    InterfaceMethod<"One integer an axis", "::mlir::OperandRange", "getIndices">,
    InterfaceMethod<"Static number of the scalar in the element", "uint64_t", "getComponent">,
    InterfaceMethod<"Run-time number of the scalar, or null; then the static one is added",
                    "::mlir::Value", "getDynamicComponent">,
    InterfaceMethod<"Live lanes of a widened access, or null: all of them",
                    "::mlir::Value", "getMask">,
    InterfaceMethod<"Proved to be inside the extents", "bool", "getInbounds">,
    InterfaceMethod<"Says that the access is inside", "void", "markInbounds">,
    InterfaceMethod<"Does it write", "bool", "isWrite">
  ];
}
#endif // CHI_OP_BASE_TD
