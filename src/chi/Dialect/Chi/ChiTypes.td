//===- ChiTypes.td - Types of the dialect ------------------*- tablegen -*-===//
#ifndef CHI_TYPES_TD
#define CHI_TYPES_TD

include "chi/Dialect/Chi/ChiDialect.td"

class Chi_Type<string name, string mnemonicText, list<Trait> traits = []>
    : TypeDef<Chi_Dialect, name, traits> {
  let mnemonic = mnemonicText;
}

def Chi_HandleTypeInterface : TypeInterface<"HandleTypeInterface"> {
  let description = [{
    A pointer to an object of the run time that counts its references. The owner
    of a value releases it; each further owner retains it. Both functions take
    the handle alone, and null does nothing.
  }];
  let cppNamespace = "::chi::ir";
  let methods = [
    InterfaceMethod<"The function of the run time that adds a reference.",
                    "::llvm::StringRef", "getRetainFunction">,
    InterfaceMethod<[{
      The function of the run time that drops a reference, and the object with
      the last one.
    }], "::llvm::StringRef", "getReleaseFunction">];
}

def Chi_VecType : Chi_Type<"Vec", "vec"> {
  let summary = "element of a field with n scalars";
  let description = "`!chi.vec<2xf32>`. Not the type of a value: values are scalars.";
  let parameters = (ins "int64_t":$size, "::mlir::Type":$scalar);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}
def Chi_MatType : Chi_Type<"Mat", "mat"> {
  let summary = "element of a field with rows × columns scalars, row-major";
  let description = "`!chi.mat<2x2xf32>`.";
  let parameters = (ins "int64_t":$rows, "int64_t":$columns, "::mlir::Type":$scalar);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Chi_FieldType : Chi_Type<"Field", "field",
    [DeclareTypeInterfaceMethods<Chi_HandleTypeInterface>]> {
  let summary = "handle of a field";
  let description = [{
    `!chi.field<4x?x!chi.vec<2xf32>, soa, order = [1, 0]>`: static or dynamic
    (`?`) extents, element (scalar, vec, mat), layout (default aos), and the
    memory order of the axes, outermost first (default: identity).
    `!chi.field<f32>` is 0-D. A field is not a memref: it has logical indices
    and becomes flat memory only in ChiToLoops. A bool element is i1 in the IR
    and a byte in memory.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$element, "bool":$isSoA,
                        ArrayRefParameter<"int64_t">:$order);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  // The identity order is kept as an empty list, so that types compare equal.
  let skipDefaultBuilders = 1;
  let builders = [
    TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$element)>,
    TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$element,
                     "bool":$isSoA, "::llvm::ArrayRef<int64_t>":$order)>];
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    bool isDynamicDim(unsigned d) const {
      return getShape()[d] == ::mlir::ShapedType::kDynamic;
    }
    /// The scalar of the element: f32 of vec<2xf32>.
    ::mlir::Type getScalar() const;
    /// Scalars in one element: 2 of vec<2xf32>.
    int64_t getNumComponents() const;
    /// Product of the extents, or nothing if one is dynamic.
    std::optional<int64_t> getNumElements() const;
    bool hasStaticShape() const { return getNumElements().has_value(); }
  }];
}

def Chi_LocalType : Chi_Type<"Local", "local"> {
  let summary = "mutable variable of one iteration or function";
  let description = [{
    `!chi.local<f32>` is a scalar slot; `!chi.local<4x8xf32>` a local array
    (also a vec or mat that is large or indexed at run time);
    `!chi.local<?xf32>` growing memory made by chi.scratch. Scalar slots do not
    exist from stage `simplified` on.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$scalar);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isScalar() const { return getShape().empty(); }
    /// Made by chi.scratch: has no number of elements.
    bool isScratch() const {
      return getShape().size() == 1 && ::mlir::ShapedType::isDynamic(getShape()[0]);
    }
    int64_t getNumElements() const;
  }];
}
def Chi_StrType : Chi_Type<"Str", "str",
    [DeclareTypeInterfaceMethods<Chi_HandleTypeInterface>]> {
  let summary = "immutable string, host only";
}
def Chi_ObjectType : Chi_Type<"Object", "object",
    [DeclareTypeInterfaceMethods<Chi_HandleTypeInterface>]> {
  let summary = "list, dict, set or file of the run time, host only";
}

def Chi_Scalar : AnyTypeOf<[AnySignlessInteger, AnyFloat], "scalar">;
def Chi_Int : AnyTypeOf<[AnySignlessInteger], "signless integer">;

// Lanes: the same scalar of W neighbouring iterations, as chi-lanes makes them.
class Chi_LanesOf<list<Type> types>
    : FixedVectorOfRankAndType<[1], types>;
def Chi_Mask : Chi_LanesOf<[I1]>;
def Chi_ScalarOrLanes
    : AnyTypeOf<[Chi_Scalar, Chi_LanesOf<[AnySignlessInteger, AnyFloat]>],
                "scalar or lanes">;
def Chi_IntOrLanes
    : AnyTypeOf<[Chi_Int, Chi_LanesOf<[AnySignlessInteger]>],
                "signless integer or lanes of it">;
def Chi_FloatOrLanes
    : AnyTypeOf<[AnyFloat, Chi_LanesOf<[AnyFloat]>],
                "float or lanes of it">;
def Chi_BoolOrLanes : AnyTypeOf<[I1, Chi_Mask], "i1 or lanes of it">;
def Chi_Value : AnyTypeOf<[Chi_Scalar, Chi_FieldType, Chi_StrType, Chi_ObjectType],
                          "scalar, field, str or object">;
#endif // CHI_TYPES_TD
