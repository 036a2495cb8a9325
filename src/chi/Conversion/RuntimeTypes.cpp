//===- RuntimeTypes.cpp - The run time's C types in LLVM ------------------===//

#include "chi/Conversion/RuntimeTypes.h"
#include <cstddef>
#include <type_traits>

using namespace mlir;
using namespace chi;
using namespace chi::conv;

namespace {
/// A member of a C struct: its type, its count, and its offset.
struct Member {
  enum Kind : uint8_t { I32, I64, F64, Pointer } kind;
  size_t count; ///< of an array, else 0
  size_t offset;

  constexpr size_t elementBytes() const { return kind == I32 ? 4 : 8; }
  constexpr size_t bytes() const {
    return elementBytes() * (count ? count : 1);
  }
};
} // namespace

template <class T> static constexpr Member::Kind kindOf() {
  if constexpr (std::is_pointer_v<T>) {
    return Member::Pointer;
  } else if constexpr (std::is_same_v<T, double>) {
    return Member::F64;
  } else {
    static_assert(std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t>);
    return sizeof(T) == 4 ? Member::I32 : Member::I64;
  }
}

/// Whether the members, in order and with natural alignment, are the struct:
/// none is missing or out of place.
template <size_t N>
static constexpr bool isWhole(const Member (&members)[N], size_t bytes) {
  auto align = [](size_t at, size_t to) { return (at + to - 1) / to * to; };
  size_t at = 0;
  for (const Member &member : members) {
    if (align(at, member.elementBytes()) != member.offset)
      return false;
    at = member.offset + member.bytes();
  }
  return align(at, 8) == bytes;
}

#define CHI_MEMBER(Struct, Name)                                               \
  Member {                                                                     \
    kindOf<std::remove_all_extents_t<decltype(Struct::Name)>>(),               \
        std::extent_v<decltype(Struct::Name)>, offsetof(Struct, Name)          \
  }

#define M(Name) CHI_MEMBER(chirt_field, Name)
static constexpr Member kField[] = {
    M(data),     M(extents),   M(elements),
    M(refcount), M(dtype),     M(rank),
    M(rows),     M(columns),   M(element_rank),
    M(is_soa),   M(order),     M(current),
    M(bytes),    M(release),   M(owner),
    M(device),   M(buffer),    M(touched),
    M(made_at),  M(grad),      M(taped),
    M(has_grad), M(is_lent),   M(is_strided),
    M(has_dual), M(strides),   M(component_stride),
    M(base),     M(offset),    M(views),
    M(dual),     M(is_complex)};
#undef M
#define M(Name) CHI_MEMBER(chirt_site, Name)
static constexpr Member kSite[] = {
    M(file),     M(line),   M(column),     M(end_column),  M(kind),
    M(what),     M(axis),   M(num_values), M(value_types), M(kernel),
    M(num_axes), M(format), M(axes)};
#undef M
#define M(Name) CHI_MEMBER(chirt_format_part, Name)
static constexpr Member kFormatPart[] = {M(text),       M(dtype),   M(rank),
                                         M(rows),       M(columns), M(choices),
                                         M(num_choices)};
#undef M
#define M(Name) CHI_MEMBER(chirt_format, Name)
static constexpr Member kFormat[] = {M(parts), M(num_parts), M(num_words)};
#undef M
#define M(Name) CHI_MEMBER(chirt_unit, Name)
static constexpr Member kUnit[] = {M(sites), M(formats), M(num_sites),
                                   M(num_formats)};
#undef M
#define M(Name) CHI_MEMBER(chirt_param, Name)
static constexpr Member kParam[] = {
    M(name), M(dtype),        M(components), M(storage),
    M(doc),  M(default_text), M(has_range),  M(low),
    M(high), M(choices),      M(fixed_text), M(set_default)};
#undef M
#define M(Name) CHI_MEMBER(chirt_test, Name)
static constexpr Member kTest[] = {M(name), M(body)};
#undef M
#define M(Name) CHI_MEMBER(chirt_program, Name)
static constexpr Member kProgram[] = {
    M(abi_version), M(file),  M(doc),       M(params),  M(num_params),
    M(script),      M(tests), M(num_tests), M(kernels), M(num_kernels)};
#undef M
#define M(Name) CHI_MEMBER(chirt_kernel, Name)
static constexpr Member kKernel[] = {M(name), M(tasks), M(num_tasks)};
#undef M
#define M(Name) CHI_MEMBER(chirt_task, Name)
static constexpr Member kTask[] = {
    M(version),       M(rank),     M(num_arguments), M(flags),
    M(name),          M(site),     M(arguments),     M(names),
    M(entry),         M(adjoint),  M(device_code),   M(boxes),
    M(num_box_words), M(prologue), M(workspace),     M(num_workspace_fields),
    M(recorder),      M(fused),    M(variant),       M(passive),
    M(tangent)};
#undef M
#define M(Name) CHI_MEMBER(chirt_domain, Name)
static constexpr Member kDomain[] = {M(from), M(to), M(begin), M(step)};
#undef M
#define M(Name) CHI_MEMBER(chirt_named_field, Name)
static constexpr Member kNamedField[] = {M(name), M(variable)};
#undef M
#define M(Name) CHI_MEMBER(chirt_field_table, Name)
static constexpr Member kFieldTable[] = {M(fields), M(count)};
#undef M

static_assert(isWhole(kField, sizeof(chirt_field)) &&
              isWhole(kSite, sizeof(chirt_site)) &&
              isWhole(kFormatPart, sizeof(chirt_format_part)) &&
              isWhole(kFormat, sizeof(chirt_format)) &&
              isWhole(kUnit, sizeof(chirt_unit)) &&
              isWhole(kParam, sizeof(chirt_param)) &&
              isWhole(kTest, sizeof(chirt_test)) &&
              isWhole(kProgram, sizeof(chirt_program)) &&
              isWhole(kKernel, sizeof(chirt_kernel)) &&
              isWhole(kTask, sizeof(chirt_task)) &&
              isWhole(kDomain, sizeof(chirt_domain)) &&
              isWhole(kNamedField, sizeof(chirt_named_field)) &&
              isWhole(kFieldTable, sizeof(chirt_field_table)));
static_assert(offsetof(chirt_field, data) == 0);
// Its constants are written as bytes.
static_assert(sizeof(chirt_argument) == 4 && alignof(chirt_argument) == 1);

template <size_t N>
static constexpr int32_t numberOf(const Member (&members)[N], size_t offset) {
  int32_t number = 0;
  while (members[number].offset != offset)
    ++number;
  return number;
}
constexpr int32_t chi::conv::kFieldExtents =
    numberOf(kField, offsetof(chirt_field, extents));
constexpr int32_t chi::conv::kFieldStrides =
    numberOf(kField, offsetof(chirt_field, strides));
constexpr int32_t chi::conv::kFieldComponentStride =
    numberOf(kField, offsetof(chirt_field, component_stride));
constexpr DomainMembers chi::conv::kDomainMembers = {
    numberOf(kDomain, offsetof(chirt_domain, from)),
    numberOf(kDomain, offsetof(chirt_domain, to)),
    numberOf(kDomain, offsetof(chirt_domain, begin)),
    numberOf(kDomain, offsetof(chirt_domain, step))};
constexpr int32_t chi::conv::kFieldCurrent =
    numberOf(kField, offsetof(chirt_field, current));

static ArrayRef<Member> membersOf(RuntimeStruct which) {
  switch (which) {
  case RuntimeStruct::Field:
    return kField;
  case RuntimeStruct::Site:
    return kSite;
  case RuntimeStruct::FormatPart:
    return kFormatPart;
  case RuntimeStruct::Format:
    return kFormat;
  case RuntimeStruct::Unit:
    return kUnit;
  case RuntimeStruct::Param:
    return kParam;
  case RuntimeStruct::Test:
    return kTest;
  case RuntimeStruct::Program:
    return kProgram;
  case RuntimeStruct::Kernel:
    return kKernel;
  case RuntimeStruct::Task:
    return kTask;
  case RuntimeStruct::Domain:
    return kDomain;
  case RuntimeStruct::NamedField:
    return kNamedField;
  case RuntimeStruct::FieldTable:
    return kFieldTable;
  }
  llvm_unreachable("a struct of the run time");
}

static Type llvmTypeOf(MLIRContext *context, Member::Kind kind) {
  switch (kind) {
  case Member::I32:
    return IntegerType::get(context, 32);
  case Member::I64:
    return IntegerType::get(context, 64);
  case Member::F64:
    return Float64Type::get(context);
  case Member::Pointer:
    return LLVM::LLVMPointerType::get(context);
  }
  llvm_unreachable("a kind of member");
}

LLVM::LLVMStructType chi::conv::llvmTypeOf(MLIRContext *context,
                                           RuntimeStruct which) {
  SmallVector<Type> types;
  for (const Member &member : membersOf(which)) {
    Type type = ::llvmTypeOf(context, member.kind);
    types.push_back(member.count ? LLVM::LLVMArrayType::get(type, member.count)
                                 : type);
  }
  return LLVM::LLVMStructType::getLiteral(context, types);
}

Type chi::conv::llvmTypeOf(MLIRContext *context, ir::RuntimeType type) {
  switch (type) {
  case ir::RuntimeType::Void:
    return LLVM::LLVMVoidType::get(context);
  case ir::RuntimeType::I32:
    return IntegerType::get(context, 32);
  case ir::RuntimeType::I64:
    return IntegerType::get(context, 64);
  case ir::RuntimeType::F64:
    return Float64Type::get(context);
  default:
    return LLVM::LLVMPointerType::get(context);
  }
}

LLVM::LLVMFunctionType
chi::conv::llvmTypeOf(MLIRContext *context,
                      const ir::RuntimeFunction &function) {
  SmallVector<Type> types;
  for (ir::RuntimeParameter parameter : function.parameters)
    types.push_back(llvmTypeOf(context, parameter.type));
  return LLVM::LLVMFunctionType::get(llvmTypeOf(context, function.result.type),
                                     types);
}
