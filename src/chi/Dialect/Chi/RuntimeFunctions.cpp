//===- RuntimeFunctions.cpp - What chirt/api.def says ---------------------===//

#include "chi/Dialect/Chi/RuntimeFunctions.h"
#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Dialect/Chi/Schedule.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include <array>
#include <string_view>
#include <type_traits>

using namespace chi::ir;

//===----------------------------------------------------------------------===//
// Enumerations that both sides number
//===----------------------------------------------------------------------===//

static_assert(int(CheckKind::bounds) == CHIRT_SITE_BOUNDS &&
              int(CheckKind::divide) == CHIRT_SITE_DIVIDE &&
              int(CheckKind::assert) == CHIRT_SITE_ASSERT &&
              int(CheckKind::overflow) == CHIRT_SITE_OVERFLOW &&
              int(CheckKind::power) == CHIRT_SITE_POWER &&
              int(CheckKind::shape) == CHIRT_SITE_SHAPE &&
              int(CheckKind::nan) == CHIRT_SITE_NAN);
static_assert(CHIRT_RACE_UPDATE + int(AtomicKind::load) ==
              CHIRT_RACE_ATOMIC_LOAD);

chirt_dtype chi::ir::dtypeOf(mlir::Type scalar, bool isUnsigned) {
  if (!scalar.isIntOrFloat())
    return CHIRT_STR;
  unsigned bits = scalar.getIntOrFloatBitWidth();
  if (bits == 1)
    return CHIRT_BOOL;
  int log = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
  if (isa<mlir::FloatType>(scalar))
    return scalar.isBF16()  ? CHIRT_BF16
           : scalar.isF16() ? CHIRT_F16
           : scalar.isF32() ? CHIRT_F32
                            : CHIRT_F64;
  return chirt_dtype((isUnsigned ? CHIRT_U8 : CHIRT_I8) + log);
}

std::string chi::ir::descriptionOf(FieldType type) {
  static constexpr llvm::StringRef kNames[] = {
      "bool", "i8",  "i16", "i32",  "i64", "u8", "u16",
      "u32",  "u64", "f16", "bf16", "f32", "f64"};
  static_assert(std::size(kNames) == CHIRT_STR);
  std::string text = kNames[dtypeOf(type.getScalar())].str();
  if (auto vec = mlir::dyn_cast<VecType>(type.getElement()))
    text += ":" + std::to_string(vec.getSize());
  if (auto mat = mlir::dyn_cast<MatType>(type.getElement()))
    text += ":" + std::to_string(mat.getRows()) + "x" +
            std::to_string(mat.getColumns());
  return text;
}

/// The effects of a task's accesses on each of its arguments.
static std::vector<uint8_t> usesInBody(TaskOp task) {
  std::vector<uint8_t> uses(task.getNumCaptured());
  task.walk([&](FieldAccessOpInterface access) {
    mlir::BlockArgument field = capturedField(access.getField());
    if (!field)
      return;
    bool isStore = access.getAccessKind() == AccessKind::store;
    uses[field.getArgNumber()] |= (isStore ? 0 : CHIRT_USE_READ) |
                                  (access.isWrite() ? CHIRT_USE_WRITE : 0);
  });
  return uses;
}

std::vector<chirt_argument> chi::ir::describeArguments(TaskOp task) {
  std::vector<chirt_argument> all;
  std::vector<uint8_t> found;
  if (!task.getEffectsAttr())
    found = usesInBody(task);
  for (auto [number, value] : llvm::enumerate(task.getCaptured())) {
    chirt_argument &argument = all.emplace_back();
    auto field = mlir::dyn_cast<FieldType>(value.getType());
    argument.dtype = dtypeOf(field ? field.getScalar() : value.getType());
    if (!field)
      continue;
    argument.is_field = 1;
    argument.rank = field.getRank();
    argument.uses =
        !found.empty()
            ? found[number]
            : (task.reads(number) ? CHIRT_USE_READ : 0) |
                  (task.writes(number) ? CHIRT_USE_WRITE : 0) |
                  (task.overwrites(number) ? CHIRT_USE_OVERWRITE : 0);
  }
  return all;
}

llvm::ArrayRef<int64_t> chi::ir::boxesOf(TaskOp task) {
  auto attr = task->getAttrOfType<mlir::DenseI64ArrayAttr>(kBoxesAttr);
  return attr ? attr.asArrayRef() : llvm::ArrayRef<int64_t>();
}

std::string chi::ir::argumentNames(TaskOp task) {
  std::vector<llvm::StringRef> names(task.getNumCaptured());
  task.walk([&](FieldAccessOpInterface access) {
    mlir::BlockArgument field = capturedField(access.getField());
    mlir::StringAttr name = access.getFieldNameAttr();
    if (field && name && names[field.getArgNumber()].empty())
      names[field.getArgNumber()] = name.getValue();
  });
  std::string text;
  for (auto [number, name] : llvm::enumerate(names))
    text += (number ? ", " : "") + name.str();
  return text;
}

std::optional<chirt_dtype> chi::ir::dtypeNamed(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<chirt_dtype>>(name)
      .Case("bool", CHIRT_BOOL)
      .Case("i8", CHIRT_I8)
      .Case("i16", CHIRT_I16)
      .Case("i32", CHIRT_I32)
      .Case("i64", CHIRT_I64)
      .Case("u8", CHIRT_U8)
      .Case("u16", CHIRT_U16)
      .Case("u32", CHIRT_U32)
      .Case("u64", CHIRT_U64)
      .Case("f16", CHIRT_F16)
      .Case("bf16", CHIRT_BF16)
      .Case("f32", CHIRT_F32)
      .Case("f64", CHIRT_F64)
      .Case("str", CHIRT_STR)
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

template <class T> static constexpr RuntimeType typeOf() {
  using Pointee = std::remove_cv_t<std::remove_pointer_t<T>>;
  if constexpr (std::is_void_v<T>)
    return RuntimeType::Void;
  else if constexpr (std::is_same_v<T, double>)
    return RuntimeType::F64;
  else if constexpr (std::is_integral_v<T>)
    return sizeof(T) == 8 ? RuntimeType::I64 : RuntimeType::I32;
  else if constexpr (std::is_function_v<Pointee>)
    return RuntimeType::Function;
  else if constexpr (std::is_same_v<T, const char *>)
    return RuntimeType::Text;
  else if constexpr (std::is_same_v<Pointee, chirt_field>)
    return RuntimeType::Field;
  else if constexpr (std::is_same_v<Pointee, chirt_object>)
    return RuntimeType::Object;
  else if constexpr (std::is_same_v<T, const chirt_site *>)
    return RuntimeType::Site;
  else
    return RuntimeType::Memory;
}

/// Whether a letter of api.def may follow a type: each parameter that is a
/// pointer states how the function uses what it points to.
static constexpr bool isUseOf(char use, RuntimeType type, bool isConst) {
  switch (type) {
  case RuntimeType::Void:
  case RuntimeType::I32:
  case RuntimeType::I64:
  case RuntimeType::F64:
    return use == '-';
  case RuntimeType::Site:
    return use == 's';
  case RuntimeType::Text: // never changed
    return use == 'r' || use == 'k' || use == 'd';
  default:
    return use == 'r' || use == 'k' ||
           (!isConst && (use == 'w' || use == 'u' || use == 'd'));
  }
}

namespace {
template <class> struct Signature;
template <class Result, class... Parameters>
struct Signature<Result(Parameters...)> {
  static constexpr size_t kCount = sizeof...(Parameters);

  /// The number of letters is right, and each is allowed at its place.
  static constexpr bool fits(std::string_view uses) {
    if (uses.size() != kCount + 1)
      return false;
    size_t at = 0;
    bool areUses =
        (isUseOf(uses[at++], typeOf<Parameters>(),
                 std::is_const_v<std::remove_pointer_t<Parameters>>) &&
         ...);
    char result = uses[kCount];
    return areUses &&
           (std::is_pointer_v<Result> ? result == 'n' || result == 'b'
                                      : result == '-');
  }

  /// The parameters, then the result.
  static constexpr std::array<RuntimeParameter, kCount + 1>
  with(std::string_view uses) {
    std::array<RuntimeParameter, kCount + 1> all{
        RuntimeParameter{typeOf<Parameters>(), RuntimeUse::Value}...,
        RuntimeParameter{typeOf<Result>(), RuntimeUse::Value}};
    for (size_t at = 0; at <= kCount; ++at)
      all[at].use = RuntimeUse(uses[at]);
    return all;
  }
};

enum Facts : unsigned {
  CHIRT_PLAIN = 0,
  CHIRT_MAY_FAIL = 1,
  CHIRT_IN_TASKS = 2,
  CHIRT_COLD = 4,
  CHIRT_NO_RETURN = 8,
  CHIRT_LAUNCHES = 16
};
} // namespace

#undef CHIRT_NEVER
#define CHIRT_NEVER void

#define CHIRT_FUNCTION(Result, Name, Parameters, Uses, Facts)                  \
  static_assert(Signature<Result Parameters>::fits(Uses),                      \
                "api.def: the letters of " #Name);                             \
  static constexpr auto k_##Name = Signature<Result Parameters>::with(Uses);
#include "chirt/api.def"

template <size_t N>
static constexpr RuntimeFunction
describe(llvm::StringLiteral name,
         const std::array<RuntimeParameter, N> &parameters, unsigned facts) {
  return {name,
          llvm::ArrayRef(parameters.data(), N - 1),
          parameters[N - 1],
          (facts & CHIRT_MAY_FAIL) != 0,
          (facts & CHIRT_IN_TASKS) != 0,
          (facts & CHIRT_COLD) != 0,
          (facts & CHIRT_NO_RETURN) != 0,
          (facts & CHIRT_LAUNCHES) != 0};
}

static constexpr RuntimeFunction kFunctions[] = {
#define CHIRT_FUNCTION(Result, Name, Parameters, Uses, Facts)                  \
  describe(#Name, k_##Name, Facts),
#include "chirt/api.def"
};

const RuntimeFunction *chi::ir::findRuntimeFunction(llvm::StringRef name) {
  static const auto kByName = [] {
    llvm::StringMap<const RuntimeFunction *> table;
    for (const RuntimeFunction &function : kFunctions)
      table[function.name] = &function;
    return table;
  }();
  return kByName.lookup(name);
}

RuntimeType chi::ir::runtimeVariableType(llvm::StringRef name) {
#define CHIRT_VARIABLE(Type, Name)                                             \
  if (name == #Name)                                                           \
    return typeOf<Type>();
#include "chirt/api.def"
  return RuntimeType::Void;
}
