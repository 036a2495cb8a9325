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
    InterfaceMethod<"One integer an axis", "::mlir::OperandRange", "getIndices">,
    InterfaceMethod<"Static number of the scalar in the element", "uint64_t", "getComponent">,
    InterfaceMethod<"Run-time number of the scalar, or null; then the static one is added",
                    "::mlir::Value", "getDynamicComponent">,
    InterfaceMethod<"Live lanes of a widened access, or null: all of them",
                    "::mlir::Value", "getMask">,
    InterfaceMethod<"Proved to be inside the extents", "bool", "getInbounds">,
    InterfaceMethod<"Says that the access is inside", "void", "markInbounds">,
    InterfaceMethod<"What it does to the scalar", "::chi::ir::AccessKind", "getAccessKind">,
    InterfaceMethod<"Name of the field in the source, for messages; may be null",
                    "::mlir::StringAttr", "getFieldNameAttr">,
    InterfaceMethod<"Sets that name", "void", "setFieldNameAttr", (ins "::mlir::StringAttr":$name)>,
    InterfaceMethod<"A bit mask of the axes whose index is an unsigned number of 64 bits; may be null",
                    "::mlir::IntegerAttr", "getUnsignedAxesAttr">,
    InterfaceMethod<"Sets that mask", "void", "setUnsignedAxesAttr", (ins "::mlir::IntegerAttr":$axes)>,
    InterfaceMethod<"Over lanes: the number of the index that is one more from lane to lane, where all others are the same; may be null",
                    "::mlir::IntegerAttr", "getUnitAxisAttr">,
    InterfaceMethod<"Sets that axis", "void", "setUnitAxisAttr", (ins "::mlir::IntegerAttr":$axis)>,
    InterfaceMethod<"With a unit axis: its index is one less from lane to lane", "bool", "getReversed">,
    InterfaceMethod<"Sets whether", "void", "setReversed", (ins "bool":$reversed)>,
    InterfaceMethod<"Its lanes are neighbours in memory, the first of them at the place that the access names",
                    "bool", "getContiguous">,
    InterfaceMethod<"Sets whether", "void", "setContiguous", (ins "bool":$contiguous)>,
    InterfaceMethod<"With --check=races: the chirt_race_kind to tell the run time before it; may be null",
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
    A task as analyses and passes see it: domain, facts, effects. It says the
    same whether its launches stand in the module or not.
  }];
  let methods = [
    InterfaceMethod<"The captured values", "::mlir::Block::BlockArgListType", "getCaptured">,
    InterfaceMethod<"One integer an axis of the domain", "::mlir::Block::BlockArgListType", "getIndexVariables">,
    InterfaceMethod<"Number of the captured field whose indices are the domain", "std::optional<uint64_t>", "getOver">,
    InterfaceMethod<"What holds at every launch; may be null", "::chi::ir::FactsAttr", "getFactsAttr">,
    InterfaceMethod<"Where an axis starts, if it is known", "std::optional<int64_t>", "getKnownStart", (ins "unsigned":$axis)>,
    InterfaceMethod<"Iterations along an axis, if that is known", "std::optional<int64_t>", "getKnownExtent", (ins "unsigned":$axis)>,
    InterfaceMethod<"May it read, or update, what this captured field held?", "bool", "reads", (ins "unsigned":$captured)>,
    InterfaceMethod<"May it write this captured field?", "bool", "writes", (ins "unsigned":$captured)>,
    InterfaceMethod<"Does it store each scalar of this captured field, and look at none?", "bool", "overwrites", (ins "unsigned":$captured)>,
    InterfaceMethod<"Can two captured fields be one at a launch?", "bool", "mayBeSame", (ins "unsigned":$a, "unsigned":$b)>
  ];
}

/// What every access may say of itself, beside its operands.
defvar Chi_AccessAttrs = (ins
  OptionalAttr<StrAttr>:$field_name, OptionalAttr<I64Attr>:$unsigned_axes,
  OptionalAttr<I64Attr>:$unit_axis, UnitAttr:$reversed, UnitAttr:$contiguous,
  OptionalAttr<I32Attr>:$race_kind);
#endif // CHI_OP_BASE_TD
