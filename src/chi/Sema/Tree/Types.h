//===- Types.h - Types of Chi programs --------------------------*- C++ -*-===//
#ifndef CHI_SEMA_TREE_TYPES_H
#define CHI_SEMA_TREE_TYPES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace chi::sema {

enum class TypeKind {
  Error, ///< of an expression that was already reported
  Void,
  Bool,
  Int,
  Float,
  Vec,
  Mat,
  Array,
  Tuple,
  Struct, ///< a class: it equals none but itself
  Field,
  Str,
  List, ///< of the host: a reference to values of one type
  Dict, ///< the same, values by keys
  Set,  ///< the same, values without order
  File, ///< the same: an open text file
  Ref,  ///< the same: an object of a class that holds one of these, or a field
  None, ///< no value: the index of a 0-D field
};

/// Fields have at most this many axes.
inline constexpr int64_t kMaxRank = 8;

/// Order and split of a field's memory ([Fld.1]). Strided: of a view, whose
/// strides are known at run time ([Fld.4]).
enum class Layout { AoS, SoA, Strided };

class Type;
using TypeRef = const Type *;

/// An interned type: equal types are one object, compare pointers.
class Type {
public:
  TypeKind kind = TypeKind::Error;
  unsigned bits = 0;    ///< Int, Float: 8…64
  bool isSigned = true; ///< Int
  bool isBrain = false; ///< Float: bf16, an f32 without its lower half
  /// Vec, Mat, Array, Field; List, Set, and of a Dict its values: null while
  /// the program has not said it yet (`[]`).
  TypeRef element = nullptr;
  TypeRef key = nullptr; ///< Dict
  /// Vec: {n}. Mat: {rows, columns}. Array: its shape. Field: its extents,
  /// -1 where known at run time only.
  std::vector<int64_t> shape;
  /// Tuple, Struct, Ref. Field of a class: the field of each member.
  std::vector<TypeRef> members;
  /// Struct, Ref, Field of a class: one for each member.
  std::vector<std::string> memberNames;
  std::string name; ///< Struct, Ref: as it was declared
  /// Struct, Ref: the declaration, or the instance of a generic one, that the
  /// type is of. Types of one identity are one type.
  const void *identity = nullptr;
  /// Struct: complex64 or complex128, whose one member is a vec of two floats.
  bool isComplex = false;
  Layout layout = Layout::AoS; ///< Field
  /// Field: memory order of the axes, outermost first: "ij" is {0, 1}.
  std::vector<unsigned> order;
  /// Field: bit d is set if axis d was made from an i64 ([Loop.4]): indices of
  /// that axis are i64, else i32.
  uint32_t wideAxes = 0;
  /// Field: the first index of each axis ([Fld.5]); empty: 0 for all.
  std::vector<int64_t> offset;

  bool isError() const { return kind == TypeKind::Error; }
  bool isBool() const { return kind == TypeKind::Bool; }
  bool isInt() const { return kind == TypeKind::Int; }
  bool isFloat() const { return kind == TypeKind::Float; }
  bool isScalar() const { return isBool() || isInt() || isFloat(); }
  bool isVec() const { return kind == TypeKind::Vec; }
  bool isMat() const { return kind == TypeKind::Mat; }
  /// Vec or Mat: what elementwise operations work on.
  bool isAggregate() const { return isVec() || isMat(); }
  bool isField() const { return kind == TypeKind::Field; }
  bool isTuple() const { return kind == TypeKind::Tuple; }
  bool isStruct() const { return kind == TypeKind::Struct; }
  bool isRef() const { return kind == TypeKind::Ref; }
  /// A value of a class, or a reference to an object of one.
  bool isOfClass() const { return isStruct() || isRef(); }
  /// Is a value of it the values of its members?
  bool hasMembers() const {
    return isTuple() || isStruct() || isFieldOfClass();
  }
  /// A field of a class: it consists of the fields of the members.
  bool isFieldOfClass() const { return isField() && element->isStruct(); }
  bool isArray() const { return kind == TypeKind::Array; }
  bool isStr() const { return kind == TypeKind::Str; }
  bool isVoid() const { return kind == TypeKind::Void; }
  bool isList() const { return kind == TypeKind::List; }
  bool isDict() const { return kind == TypeKind::Dict; }
  bool isSet() const { return kind == TypeKind::Set; }
  bool isFile() const { return kind == TypeKind::File; }
  /// An object of the run time that only host code has.
  bool isObject() const { return isContainer() || isFile() || isRef(); }
  bool isContainer() const { return isList() || isDict() || isSet(); }
  /// Is it an object, or does it have a member that holds one?
  bool holdsObject() const;
  /// An object whose elements have no type yet.
  bool isOpen() const { return isContainer() && !element; }
  /// Is it of this kind, or does it have a member that holds one of it?
  bool holds(TypeKind what) const;
  bool holdsField() const { return holds(TypeKind::Field); }
  bool holdsStr() const { return holds(TypeKind::Str); }
  unsigned rank() const { return shape.size(); }
  /// The scalar inside: of f32 and of vec2 f32; of an array of vec2 f32; of
  /// a field the scalar of its element; of a complex number that of its parts.
  /// Of an error itself. Asserts that there is one: what else has members, a
  /// str and no value have none.
  TypeRef scalar() const;
  /// The same, null if there is none.
  TypeRef scalarOrNull() const;
  /// Number of scalars of a value: vec2 2, mat3 9, array(vec2, 4) 8; the sum
  /// over its members. A handle counts as one.
  int64_t numScalars() const;
  /// The number of a member of a class or of a field of a class; none if it
  /// has no member of this name.
  std::optional<unsigned> memberNamed(llvm::StringRef name) const;
  /// As the user writes it: "f32", "vec2", "vec(9, f32)", "field(vec2, 1)",
  /// "Ray".
  std::string str() const;
};

/// A member of a class: its name and type.
using NamedMember = std::pair<llvm::StringRef, TypeRef>;

/// Makes and owns types.
class TypeContext {
public:
  TypeContext();
  TypeRef error, voidTy, none, boolTy, str, file;
  TypeRef i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64;

  /// A vec of `n` scalars.
  TypeRef vec(int64_t n, TypeRef element);
  /// A mat of `rows` × `columns` scalars.
  TypeRef mat(int64_t rows, int64_t columns, TypeRef element);
  /// A local array of `element`; `shape` has one extent for each axis.
  TypeRef array(TypeRef element, llvm::ArrayRef<int64_t> shape);
  /// A tuple of these members, of any types.
  TypeRef tuple(llvm::ArrayRef<TypeRef> members);
  /// The type of the class with this identity (Type::identity). Asserts that it
  /// is given the same name and members each time, and no name twice.
  TypeRef structure(const void *identity, llvm::StringRef name,
                    llvm::ArrayRef<NamedMember> members);
  /// The same of the class of the complex numbers; `complexOf` knows it by the
  /// type of its parts from now on.
  TypeRef complexStructure(const void *identity, llvm::StringRef name,
                           const NamedMember &parts);
  /// The complex numbers of two floats of this type; null before the program
  /// has them.
  TypeRef complexOf(TypeRef scalar) const;
  /// The same of a class whose objects are references.
  TypeRef reference(const void *identity, llvm::StringRef name,
                    llvm::ArrayRef<NamedMember> members);
  /// A field with one axis for each of `extents` (-1: known at run time only).
  /// `order` lists the axes in the order of memory, outermost first; empty: row
  /// major. Bit d of `wideAxes` is Type::wideAxes, `offset` Type::offset; zeros
  /// are none. Of a class it has a member for each of the class, which is the
  /// field of that member.
  TypeRef field(TypeRef element, llvm::ArrayRef<int64_t> extents, Layout layout,
                llvm::ArrayRef<unsigned> order, uint32_t wideAxes = 0,
                llvm::ArrayRef<int64_t> offset = {});
  /// A list of `element`; null: its elements are not known yet.
  TypeRef list(TypeRef element);
  /// A set of `element`; null: as of a list.
  TypeRef set(TypeRef element);
  /// A dict of `value` by `key`; both null: as of a list.
  TypeRef dict(TypeRef key, TypeRef value);
  /// An integer of 8, 16, 32 or 64 bits; of 0 bits, signed: untypedInt.
  TypeRef intType(unsigned bits, bool isSigned);
  /// A float of IEEE 754 with 16, 32 or 64 bits; of 0 bits: untypedFloat.
  TypeRef floatType(unsigned bits);
  /// `type` with its scalar replaced: vec2 f32, f64 → dvec2.
  TypeRef withScalar(TypeRef type, TypeRef scalar);

  /// Of literals that have no precision yet: Int and Float with no bits. They
  /// occur only inside sema, never in a finished program.
  TypeRef untypedInt, untypedFloat;

private:
  TypeRef intern(Type type);
  TypeRef classOf(TypeKind kind, const void *identity, llvm::StringRef name,
                  llvm::ArrayRef<NamedMember> members, bool isComplex = false);
  std::map<TypeRef, TypeRef> complexTypes; ///< by their scalars
  std::deque<Type> types;
  std::map<std::string, TypeRef> byKey;
};

} // namespace chi::sema
#endif // CHI_SEMA_TREE_TYPES_H
