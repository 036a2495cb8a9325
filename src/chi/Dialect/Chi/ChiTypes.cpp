//===- ChiTypes.cpp - Types of the chi dialect ----------------------------===//

#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Dialect/Chi/MemoryOrder.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace chi::ir;

#include "chi/Dialect/Chi/ChiTypeInterfaces.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "chi/Dialect/Chi/ChiTypes.cpp.inc"

void ChiDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "chi/Dialect/Chi/ChiTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kRetains[] = {
    "chirt_field_retain", "chirt_str_retain", "chirt_object_retain"};
static constexpr StringLiteral kReleases[] = {
    "chirt_field_release", "chirt_str_release", "chirt_object_release"};

StringRef FieldType::getRetainFunction() const { return kRetains[0]; }
StringRef FieldType::getReleaseFunction() const { return kReleases[0]; }
StringRef StrType::getRetainFunction() const { return kRetains[1]; }
StringRef StrType::getReleaseFunction() const { return kReleases[1]; }
StringRef ObjectType::getRetainFunction() const { return kRetains[2]; }
StringRef ObjectType::getReleaseFunction() const { return kReleases[2]; }

bool chi::ir::isRetain(StringRef function) {
  return is_contained(kRetains, function);
}

bool chi::ir::isRelease(StringRef function) {
  return is_contained(kReleases, function);
}

using Emit = function_ref<InFlightDiagnostic()>;

static bool isScalarType(Type type) {
  return isa<FloatType>(type) ||
         (isa<IntegerType>(type) && type.isSignlessInteger());
}

Type chi::ir::scalarOf(Type element) {
  if (auto vec = dyn_cast<VecType>(element))
    return vec.getScalar();
  if (auto mat = dyn_cast<MatType>(element))
    return mat.getScalar();
  return element;
}

int64_t chi::ir::numComponentsOf(Type element) {
  if (auto vec = dyn_cast<VecType>(element))
    return vec.getSize();
  if (auto mat = dyn_cast<MatType>(element))
    return mat.getRows() * mat.getColumns();
  return 1;
}

/// Product of `extents`, or nothing if one is dynamic or the product does not
/// fit.
static std::optional<int64_t> product(ArrayRef<int64_t> extents) {
  int64_t result = 1;
  for (int64_t extent : extents)
    if (ShapedType::isDynamic(extent) ||
        llvm::MulOverflow(result, extent, result))
      return std::nullopt;
  return result;
}

static void printExtents(AsmPrinter &printer, ArrayRef<int64_t> extents) {
  for (int64_t extent : extents) {
    if (ShapedType::isDynamic(extent))
      printer << '?';
    else
      printer << extent;
    printer << 'x';
  }
}

/// `<` extents x type: what all types of the dialect begin with.
static ParseResult parseShaped(AsmParser &parser,
                               SmallVectorImpl<int64_t> &shape, Type &type,
                               bool allowDynamic) {
  return failure(parser.parseLess() ||
                 parser.parseDimensionList(shape, allowDynamic) ||
                 parser.parseType(type));
}

//===----------------------------------------------------------------------===//
// vec, mat
//===----------------------------------------------------------------------===//

LogicalResult VecType::verify(Emit emitError, int64_t size, Type scalar) {
  if (size < 1)
    return emitError() << "a vec has at least one entry, not " << size;
  if (!isScalarType(scalar))
    return emitError() << "the entries of a vec are scalars, not " << scalar;
  return success();
}

Type VecType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type scalar;
  if (parseShaped(parser, shape, scalar, false) || parser.parseGreater())
    return {};
  if (shape.size() != 1) {
    parser.emitError(loc, "a vec has one size");
    return {};
  }
  return parser.getChecked<VecType>(loc, parser.getContext(), shape[0], scalar);
}

void VecType::print(AsmPrinter &printer) const {
  printer << '<' << getSize() << 'x' << getScalar() << '>';
}

LogicalResult MatType::verify(Emit emitError, int64_t rows, int64_t columns,
                              Type scalar) {
  if (rows < 1 || columns < 1)
    return emitError() << "a mat has at least one entry";
  if (!isScalarType(scalar))
    return emitError() << "the entries of a mat are scalars, not " << scalar;
  return success();
}

Type MatType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type scalar;
  if (parseShaped(parser, shape, scalar, false) || parser.parseGreater())
    return {};
  if (shape.size() != 2) {
    parser.emitError(loc, "a mat has rows and columns");
    return {};
  }
  return parser.getChecked<MatType>(loc, parser.getContext(), shape[0],
                                    shape[1], scalar);
}

void MatType::print(AsmPrinter &printer) const {
  printer << '<' << getRows() << 'x' << getColumns() << 'x' << getScalar()
          << '>';
}

//===----------------------------------------------------------------------===//
// field
//===----------------------------------------------------------------------===//

static bool isIdentity(ArrayRef<int64_t> order) {
  for (auto [axis, number] : llvm::enumerate(order))
    if (number != static_cast<int64_t>(axis))
      return false;
  return true;
}

static ArrayRef<int64_t> normalOrder(ArrayRef<int64_t> order) {
  return isIdentity(order) ? ArrayRef<int64_t>() : order;
}

FieldType FieldType::get(MLIRContext *context, ArrayRef<int64_t> shape,
                         Type element) {
  return Base::get(context, shape, element, false, ArrayRef<int64_t>());
}

FieldType FieldType::get(MLIRContext *context, ArrayRef<int64_t> shape,
                         Type element, bool isSoA, ArrayRef<int64_t> order) {
  return Base::get(context, shape, element, isSoA, normalOrder(order));
}

FieldType FieldType::getChecked(Emit emitError, MLIRContext *context,
                                ArrayRef<int64_t> shape, Type element) {
  return Base::getChecked(emitError, context, shape, element, false,
                          ArrayRef<int64_t>());
}

FieldType FieldType::getChecked(Emit emitError, MLIRContext *context,
                                ArrayRef<int64_t> shape, Type element,
                                bool isSoA, ArrayRef<int64_t> order) {
  return Base::getChecked(emitError, context, shape, element, isSoA,
                          normalOrder(order));
}

LogicalResult FieldType::verify(Emit emitError, ArrayRef<int64_t> shape,
                                Type element, bool isSoA,
                                ArrayRef<int64_t> order) {
  if (!isScalarType(scalarOf(element)))
    return emitError() << "the element of a field is a scalar, vec or mat, not "
                       << element;
  if (llvm::any_of(shape, [](int64_t extent) {
        return extent < 0 && !ShapedType::isDynamic(extent);
      }))
    return emitError() << "the extent of a field must not be negative";
  if (order.empty())
    return success();
  if (order.size() == 1 && ShapedType::isDynamic(order.front())) {
    if (isSoA)
      return emitError() << "a field of unknown order is neither soa nor aos";
    return success();
  }
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  if (order.size() != shape.size() || !isIdentity(sorted))
    return emitError() << "the order of a rank-" << shape.size()
                       << " field names each axis once";
  return success();
}

Type FieldType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape, order;
  Type element;
  bool isSoA = false;
  if (parseShaped(parser, shape, element, true))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    if (succeeded(parser.parseOptionalKeyword("soa"))) {
      isSoA = true;
      continue;
    }
    auto parseAxis = [&] { return parser.parseInteger(order.emplace_back()); };
    if (parser.parseKeyword("order", ": expected `soa` or `order`") ||
        parser.parseEqual())
      return {};
    if (succeeded(parser.parseOptionalQuestion())) {
      order.assign(1, ShapedType::kDynamic);
      continue;
    }
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseAxis))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<FieldType>(loc, parser.getContext(), shape, element,
                                      isSoA, normalOrder(order));
}

void FieldType::print(AsmPrinter &printer) const {
  printer << '<';
  printExtents(printer, getShape());
  printer << getElement();
  if (getIsSoA())
    printer << ", soa";
  if (isStrided(*this)) {
    printer << ", order = ?";
  } else if (!getOrder().empty()) {
    printer << ", order = [";
    llvm::interleaveComma(getOrder(), printer);
    printer << ']';
  }
  printer << '>';
}

Type FieldType::getScalar() const { return scalarOf(getElement()); }

int64_t FieldType::getNumComponents() const {
  return numComponentsOf(getElement());
}

bool chi::ir::mayAliasByType(FieldType a, FieldType b) {
  if (mayBeShifted(a, b))
    return a.getScalar() == b.getScalar();
  if (a.getRank() != b.getRank() || a.getElement() != b.getElement() ||
      a.getIsSoA() != b.getIsSoA() || a.getOrder() != b.getOrder())
    return false;
  for (auto [left, right] : llvm::zip(a.getShape(), b.getShape()))
    if (left != right && !ShapedType::isDynamic(left) &&
        !ShapedType::isDynamic(right))
      return false;
  return true;
}

std::optional<int64_t> FieldType::getNumElements() const {
  return product(getShape());
}

//===----------------------------------------------------------------------===//
// local
//===----------------------------------------------------------------------===//

LogicalResult LocalType::verify(Emit emitError, ArrayRef<int64_t> shape,
                                Type scalar) {
  if (!shape.empty() && !isScalarType(scalar))
    return emitError() << "a local array holds scalars, not " << scalar;
  if (!isScalarType(scalar) && !isa<FieldType, StrType, ObjectType>(scalar))
    return emitError() << "a local holds a scalar, field, str or object, not "
                       << scalar;
  bool isScratch = shape.size() == 1 && ShapedType::isDynamic(shape[0]);
  if (!isScratch &&
      llvm::any_of(shape, [](int64_t extent) { return extent < 1; }))
    return emitError() << "a local array has constant positive extents, or one "
                          "dynamic extent";
  if (!isScratch && !product(shape))
    return emitError() << "a local array has too many elements";
  return success();
}

Type LocalType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type scalar;
  if (parseShaped(parser, shape, scalar, true) || parser.parseGreater())
    return {};
  return parser.getChecked<LocalType>(loc, parser.getContext(), shape, scalar);
}

void LocalType::print(AsmPrinter &printer) const {
  printer << '<';
  printExtents(printer, getShape());
  printer << getScalar() << '>';
}

int64_t chi::ir::lanesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 0;
}

int64_t LocalType::getNumElements() const { return *product(getShape()); }
