//===- ChiOpBase.td - What all operations share ------------*- tablegen -*-===//
#ifndef CHI_OP_BASE_TD
#define CHI_OP_BASE_TD
include "chi/Dialect/Chi/ChiTypes.td"
include "chi/Dialect/Chi/ChiTaskAttrs.td"
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
    InterfaceMethod<"One integer for each axis", "::mlir::OperandRange", "getIndices">,
    InterfaceMethod<"Static number of the scalar in the element", "uint64_t", "getComponent">,
    InterfaceMethod<"Run-time number of the scalar, to which the static one is added; may be null",
                    "::mlir::Value", "getDynamicComponent">,
    InterfaceMethod<"Live lanes of a vector access; null: all lanes",
                    "::mlir::Value", "getMask">,
    InterfaceMethod<"The indices are proved to be in bounds", "bool", "getInbounds">,
    InterfaceMethod<"Marks the access as in bounds", "void", "markInbounds">,
    InterfaceMethod<"Effect on the scalar", "::chi::ir::AccessKind", "getAccessKind">,
    InterfaceMethod<"Name of the field in the source, for messages; may be null",
                    "::mlir::StringAttr", "getFieldNameAttr">,
    InterfaceMethod<"Sets that name", "void", "setFieldNameAttr", (ins "::mlir::StringAttr":$name)>,
    InterfaceMethod<"Bit mask of the axes whose index is an unsigned 64-bit integer; may be null",
                    "::mlir::IntegerAttr", "getUnsignedAxesAttr">,
    InterfaceMethod<"Sets that mask", "void", "setUnsignedAxesAttr", (ins "::mlir::IntegerAttr":$axes)>,
    InterfaceMethod<"Over lanes: number of the index that increases by one from lane to lane, while all others are uniform; may be null",
                    "::mlir::IntegerAttr", "getUnitAxisAttr">,
    InterfaceMethod<"Sets that axis", "void", "setUnitAxisAttr", (ins "::mlir::IntegerAttr":$axis)>,
    InterfaceMethod<"With a unit axis: its index decreases by one from lane to lane", "bool", "getReversed">,
    InterfaceMethod<"Sets this flag", "void", "setReversed", (ins "bool":$reversed)>,
    InterfaceMethod<"The lanes are adjacent in memory, the first at the element that the access names",
                    "bool", "getContiguous">,
    InterfaceMethod<"Sets this flag", "void", "setContiguous", (ins "bool":$contiguous)>,
    InterfaceMethod<"With --check=races: the chirt_race_kind that the run time records; may be null",
                    "::mlir::IntegerAttr", "getRaceKindAttr">,
    InterfaceMethod<"Sets that kind", "void", "setRaceKindAttr", (ins "::mlir::IntegerAttr":$kind)>
  ];
  let extraSharedClassDeclaration = [{
    /// Does it write? An atomic load counts as a write: it is ordered like one.
    bool isWrite() { return $_op.getAccessKind() != ::chi::ir::AccessKind::load; }
  }];
}

/// Every op that is launched over a domain.
def TaskOpInterface : OpInterface<"TaskOpInterface"> {
  let cppNamespace = "::chi::ir";
  let description = [{
    A task as analyses and passes see it: domain, facts, effects. The answers do
    not depend on whether its launches are in the module.
  }];
  let methods = [
    InterfaceMethod<"The captured values", "::mlir::Block::BlockArgListType", "getCaptured">,
    InterfaceMethod<"One integer for each axis of the domain", "::mlir::Block::BlockArgListType", "getIndexVariables">,
    InterfaceMethod<"Number of the captured field whose indices are the domain", "std::optional<uint64_t>", "getOver">,
    InterfaceMethod<"Facts that hold at every launch; may be null", "::chi::ir::FactsAttr", "getFactsAttr">,
    InterfaceMethod<"Start of an axis, if known", "std::optional<int64_t>", "getKnownStart", (ins "unsigned":$axis)>,
    InterfaceMethod<"Number of iterations along an axis, if known", "std::optional<int64_t>", "getKnownExtent", (ins "unsigned":$axis)>,
    InterfaceMethod<"May it read or update this captured field?", "bool", "reads", (ins "unsigned":$captured)>,
    InterfaceMethod<"May it write this captured field?", "bool", "writes", (ins "unsigned":$captured)>,
    InterfaceMethod<"Does it store each scalar of this captured field without reading one?", "bool", "overwrites", (ins "unsigned":$captured)>,
    InterfaceMethod<"May two captured fields be the same field at a launch?", "bool", "mayAlias", (ins "unsigned":$a, "unsigned":$b)>
  ];
}

/// What every access may say of itself, beside its operands.
defvar Chi_AccessAttrs = (ins
  OptionalAttr<StrAttr>:$field_name, OptionalAttr<I64Attr>:$unsigned_axes,
  OptionalAttr<I64Attr>:$unit_axis, UnitAttr:$reversed, UnitAttr:$contiguous,
  OptionalAttr<I32Attr>:$race_kind);
#endif // CHI_OP_BASE_TD
