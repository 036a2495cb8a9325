//===- Types.cpp - Interned types of programs -----------------------------===//
#include "chi/Sema/Tree/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace chi::sema;

TypeRef Type::scalar() const {
  TypeRef scalar = scalarOrNull();
  assert(scalar && "the type has no scalar");
  return scalar;
}

TypeRef Type::scalarOrNull() const {
  if (isScalar() || isError())
    return this;
  if (isObject())
    return nullptr;
  if (isComplex)
    return members[0]->element;
  return element ? element->scalarOrNull() : nullptr;
}

std::optional<unsigned> Type::memberNamed(llvm::StringRef name) const {
  for (auto [number, member] : llvm::enumerate(memberNames))
    if (member == name)
      return number;
  return std::nullopt;
}

bool Type::holds(TypeKind what) const {
  if (kind == what)
    return true;
  if (isRef())
    return false; // the object has them
  for (TypeRef member : members)
    if (member->holds(what))
      return true;
  return false;
}

bool Type::holdsObject() const {
  return holds(TypeKind::List) || holds(TypeKind::Dict) ||
         holds(TypeKind::Set) || holds(TypeKind::File) || holds(TypeKind::Ref);
}

int64_t Type::numScalars() const {
  if (hasMembers()) {
    int64_t sum = 0;
    for (TypeRef member : members)
      sum += member->numScalars();
    return sum;
  }
  if (isScalar())
    return 1;
  if (!isAggregate() && !isArray())
    return 1;
  int64_t count = element->numScalars();
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

/// The letter before "vec2" and "mat2": none for f32, null if there is no such
/// short name.
static const char *shortPrefix(TypeRef scalar) {
  if (scalar->isFloat() && scalar->bits == 32)
    return "";
  if (scalar->isFloat() && scalar->bits == 64)
    return "d";
  if (scalar->isInt() && scalar->bits == 32)
    return scalar->isSigned ? "i" : "u";
  if (scalar->isFloat() && scalar->bits == 0)
    return "";
  if (scalar->isInt() && scalar->bits == 0)
    return "i";
  return nullptr;
}

static std::string scalarName(const Type &type) {
  if (type.isBool())
    return "bool";
  if (type.bits == 0)
    return type.isInt() ? "int" : "float";
  const char *letter = type.isFloat() ? "f" : type.isSigned ? "i" : "u";
  return (type.isBrain ? "b" : "") + (letter + std::to_string(type.bits));
}

static std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return shape.size() == 1 ? text : "(" + text + ")";
}

static std::string tupleText(const std::vector<TypeRef> &members) {
  std::string text;
  for (TypeRef member : members)
    text += (text.empty() ? "" : ", ") + member->str();
  return "(" + text + (members.size() == 1 ? ",)" : ")");
}

static std::string aggregateText(const Type &type) {
  const char *prefix = shortPrefix(type.element);
  bool isSmall = true;
  for (int64_t extent : type.shape)
    isSmall &= extent >= 2 && extent <= 4;
  if (type.isVec()) {
    std::string n = std::to_string(type.shape[0]);
    if (prefix && isSmall)
      return prefix + ("vec" + n);
    return "vec(" + n + ", " + type.element->str() + ")";
  }
  std::string rows = std::to_string(type.shape[0]);
  if (prefix && !*prefix && isSmall && type.shape[0] == type.shape[1])
    return "mat" + rows;
  return "mat(" + rows + ", " + std::to_string(type.shape[1]) + ", " +
         type.element->str() + ")";
}

std::string Type::str() const {
  switch (kind) {
  case TypeKind::Error:
    return "?";
  case TypeKind::Void:
    return "nothing";
  case TypeKind::Bool:
  case TypeKind::Int:
  case TypeKind::Float:
    return scalarName(*this);
  case TypeKind::Vec:
  case TypeKind::Mat:
    return aggregateText(*this);
  case TypeKind::Array:
    return "array(" + element->str() + ", " + shapeText(shape) + ")";
  case TypeKind::Tuple:
    return tupleText(members);
  case TypeKind::Struct:
  case TypeKind::Ref:
    return name;
  case TypeKind::Field:
    return (layout == Layout::Strided ? "view of field(" : "field(") +
           element->str() + ", " + std::to_string(rank()) + ")";
  case TypeKind::Str:
    return "str";
  case TypeKind::List:
    return "list[" + (element ? element->str() : "?") + "]";
  case TypeKind::Set:
    return "set[" + (element ? element->str() : "?") + "]";
  case TypeKind::Dict:
    return "dict[" + (key ? key->str() : "?") + ", " +
           (element ? element->str() : "?") + "]";
  case TypeKind::File:
    return "file";
  case TypeKind::None:
    return "None";
  }
  return "?";
}

TypeContext::TypeContext() {
  auto simple = [&](TypeKind kind) {
    Type type;
    type.kind = kind;
    return intern(std::move(type));
  };
  error = simple(TypeKind::Error);
  voidTy = simple(TypeKind::Void);
  none = simple(TypeKind::None);
  boolTy = simple(TypeKind::Bool);
  str = simple(TypeKind::Str);
  file = simple(TypeKind::File);
  i8 = intType(8, true), i16 = intType(16, true);
  i32 = intType(32, true), i64 = intType(64, true);
  u8 = intType(8, false), u16 = intType(16, false);
  u32 = intType(32, false), u64 = intType(64, false);
  f16 = floatType(16), f32 = floatType(32), f64 = floatType(64);
  Type brain = *f16;
  brain.isBrain = true;
  bf16 = intern(std::move(brain));
  untypedInt = intType(0, true);
  untypedFloat = floatType(0);
}

/// What two equal types have in common, as text.
static std::string keyOf(const Type &type) {
  std::string key;
  llvm::raw_string_ostream out(key);
  if (type.isOfClass()) {
    out << int(type.kind) << ';' << type.identity;
    return key;
  }
  out << int(type.kind) << ',' << type.bits << ',' << type.isSigned << ','
      << type.isBrain << ',' << static_cast<const void *>(type.element) << ','
      << static_cast<const void *>(type.key) << ';';
  for (int64_t extent : type.shape)
    out << extent << ',';
  out << ';';
  for (TypeRef member : type.members)
    out << static_cast<const void *>(member) << ',';
  out << ';' << int(type.layout) << ';';
  for (unsigned axis : type.order)
    out << axis << ',';
  out << ';' << type.wideAxes << ';';
  for (int64_t first : type.offset)
    out << first << ',';
  return key;
}

TypeRef TypeContext::intern(Type type) {
  TypeRef &known = byKey[keyOf(type)];
  if (!known) {
    types.push_back(std::move(type));
    known = &types.back();
  }
  return known;
}

TypeRef TypeContext::vec(int64_t n, TypeRef element) {
  Type type;
  type.kind = TypeKind::Vec;
  type.element = element;
  type.shape = {n};
  return intern(std::move(type));
}

TypeRef TypeContext::mat(int64_t rows, int64_t columns, TypeRef element) {
  Type type;
  type.kind = TypeKind::Mat;
  type.element = element;
  type.shape = {rows, columns};
  return intern(std::move(type));
}

TypeRef TypeContext::array(TypeRef element, llvm::ArrayRef<int64_t> shape) {
  Type type;
  type.kind = TypeKind::Array;
  type.element = element;
  type.shape = shape.vec();
  return intern(std::move(type));
}

TypeRef TypeContext::tuple(llvm::ArrayRef<TypeRef> members) {
  Type type;
  type.kind = TypeKind::Tuple;
  type.members = members.vec();
  return intern(std::move(type));
}

TypeRef TypeContext::structure(const void *identity, llvm::StringRef name,
                               llvm::ArrayRef<NamedMember> members) {
  return classOf(TypeKind::Struct, identity, name, members);
}

TypeRef TypeContext::complexStructure(const void *identity,
                                      llvm::StringRef name,
                                      const NamedMember &parts) {
  return complexTypes[parts.second->element] =
             classOf(TypeKind::Struct, identity, name, parts, true);
}

TypeRef TypeContext::complexOf(TypeRef scalar) const {
  auto found = complexTypes.find(scalar);
  return found == complexTypes.end() ? nullptr : found->second;
}

TypeRef TypeContext::reference(const void *identity, llvm::StringRef name,
                               llvm::ArrayRef<NamedMember> members) {
  return classOf(TypeKind::Ref, identity, name, members);
}

TypeRef TypeContext::classOf(TypeKind kind, const void *identity,
                             llvm::StringRef name,
                             llvm::ArrayRef<NamedMember> members,
                             bool isComplex) {
  assert(identity && "a class is known by its declaration");
  Type type;
  type.kind = kind;
  type.identity = identity;
  type.name = name.str();
  type.isComplex = isComplex;
  for (auto [memberName, member] : members) {
    assert(!type.memberNamed(memberName) && "two members of one name");
    type.memberNames.push_back(memberName.str());
    type.members.push_back(member);
  }
  TypeRef made = intern(type);
  assert(made->name == type.name && made->members == type.members &&
         made->memberNames == type.memberNames &&
         "two classes of one identity");
  return made;
}

TypeRef TypeContext::field(TypeRef element, llvm::ArrayRef<int64_t> extents,
                           Layout layout, llvm::ArrayRef<unsigned> order,
                           uint32_t wideAxes, llvm::ArrayRef<int64_t> offset) {
  Type type;
  type.kind = TypeKind::Field;
  if (llvm::any_of(offset, [](int64_t first) { return first != 0; }))
    type.offset = offset.vec();
  type.element = element;
  type.shape = extents.vec();
  type.layout = layout;
  type.order = order.vec();
  type.wideAxes = wideAxes;
  if (type.order.empty())
    for (unsigned axis = 0; axis < extents.size(); ++axis)
      type.order.push_back(axis);
  if (element->isStruct()) {
    type.memberNames = element->memberNames;
    for (TypeRef member : element->members)
      type.members.push_back(
          field(member, extents, layout, order, wideAxes, offset));
  }
  return intern(std::move(type));
}

TypeRef TypeContext::list(TypeRef element) {
  Type type;
  type.kind = TypeKind::List;
  type.element = element;
  return intern(std::move(type));
}

TypeRef TypeContext::set(TypeRef element) {
  Type type;
  type.kind = TypeKind::Set;
  type.element = element;
  return intern(std::move(type));
}

TypeRef TypeContext::dict(TypeRef key, TypeRef value) {
  Type type;
  type.kind = TypeKind::Dict;
  type.key = key;
  type.element = value;
  return intern(std::move(type));
}

TypeRef TypeContext::intType(unsigned bits, bool isSigned) {
  Type type;
  type.kind = TypeKind::Int;
  type.bits = bits;
  type.isSigned = isSigned;
  return intern(std::move(type));
}

TypeRef TypeContext::floatType(unsigned bits) {
  Type type;
  type.kind = TypeKind::Float;
  type.bits = bits;
  return intern(std::move(type));
}

TypeRef TypeContext::withScalar(TypeRef type, TypeRef scalar) {
  if (type->isScalar())
    return scalar;
  if (type->isVec())
    return vec(type->shape[0], scalar);
  if (type->isMat())
    return mat(type->shape[0], type->shape[1], scalar);
  if (type->isArray())
    return array(withScalar(type->element, scalar), type->shape);
  if (type->isComplex)
    return complexOf(scalar);
  return type;
}
