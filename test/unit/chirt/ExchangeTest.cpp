//===- ExchangeTest.cpp - Fields over memory of other libraries -----------===//
#include "Support.h"
#include "chirt/dlpack.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Field.h"
#include "chirt/support/Settings.h"
#include <cstddef>
#include <numeric>
#include <vector>

using namespace chirt;

namespace {

// What the ABI promises, on machines of 64 bits.
static_assert(sizeof(DLTensor) == 48 && offsetof(DLTensor, ndim) == 16 &&
              offsetof(DLTensor, dtype) == 20 &&
              offsetof(DLTensor, shape) == 24 &&
              offsetof(DLTensor, byte_offset) == 40);
static_assert(sizeof(DLManagedTensor) == 64 &&
              offsetof(DLManagedTensor, deleter) == 56);
static_assert(offsetof(DLManagedTensorVersioned, manager_ctx) == 8 &&
              offsetof(DLManagedTensorVersioned, flags) == 24 &&
              offsetof(DLManagedTensorVersioned, dl_tensor) == 32);

constexpr DLDataType kF32 = {kDLFloat, 32, 1};

/// Memory of another library, which counts how often it was given back.
template <typename Managed> struct Lent {
  std::vector<float> memory;
  std::vector<int64_t> shape, strides;
  Managed managed = {};
  int deletions = 0;

  Lent(std::vector<int64_t> extents, DLDataType type = kF32)
      : shape(std::move(extents)) {
    int64_t count = 1;
    for (int64_t extent : shape)
      count *= extent;
    memory.resize(size_t(count < 0 ? 0 : count));
    std::iota(memory.begin(), memory.end(), 0.0f);
    managed.manager_ctx = this;
    managed.deleter = [](Managed *self) {
      ++static_cast<Lent *>(self->manager_ctx)->deletions;
    };
    tensor().data = memory.data();
    tensor().device = {kDLCPU, 0};
    tensor().ndim = int32_t(shape.size());
    tensor().dtype = type;
    tensor().shape = shape.data();
    if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>)
      managed.version = {1, 0};
  }
  DLTensor &tensor() { return managed.dl_tensor; }
  void setStrides(std::vector<int64_t> values) {
    strides = std::move(values);
    tensor().strides = strides.data();
  }
};
using Tensor = Lent<DLManagedTensorVersioned>;
using OldTensor = Lent<DLManagedTensor>;

chirt_field *import(Tensor &from, const char *desc, int64_t rank,
                    int32_t flags = 0) {
  return chirt_field_import(nullptr, desc, rank, &from.managed, flags);
}

/// The message of an import that fails; the tensor stays the caller's.
std::string refusal(Tensor &from, const char *desc, int64_t rank,
                    int32_t flags = 0) {
  Ran ran = guarded([&] { import(from, desc, rank, flags); });
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(from.deletions, 0);
  return ran.err;
}

TEST(Import, SharesMemoryAndGivesItBackOnce) {
  Tensor from({2, 3});
  chirt_field *x = import(from, "f32", 2);
  EXPECT_EQ(x->data, from.memory.data());
  EXPECT_EQ(textOf(x), "[[0.0, 1.0, 2.0],\n [3.0, 4.0, 5.0]]");
  float seven = 7;
  chirt_field_fill(x, &seven);
  EXPECT_EQ(from.memory, std::vector<float>(6, 7.0f));
  chirt_field_retain(x);
  chirt_field_release(x);
  EXPECT_EQ(from.deletions, 0);
  chirt_field_release(x);
  EXPECT_EQ(from.deletions, 1);
}

TEST(Import, OfATensorWithoutAVersion) {
  OldTensor from({4});
  chirt_field *x =
      chirt_field_import_unversioned(nullptr, "f32", 1, &from.managed, 0);
  EXPECT_EQ(textOf(x), "[0.0, 1.0, 2.0, 3.0]");
  chirt_field_release(x);
  EXPECT_EQ(from.deletions, 1);
}

TEST(Import, WithoutADeleter) {
  Tensor from({2});
  from.managed.deleter = nullptr;
  chirt_field *x = import(from, "f32", 1);
  EXPECT_EQ(textOf(x), "[0.0, 1.0]");
  chirt_field_release(x);
}

TEST(Import, BeginsBehindTheOffset) {
  Tensor from({2, 2});
  from.shape = {2};
  from.tensor().ndim = 1;
  from.tensor().byte_offset = 8;
  chirt_field *x = import(from, "f32", 1);
  EXPECT_EQ(textOf(x), "[2.0, 3.0]");
  chirt_field_release(x);
}

TEST(Import, OfElementsOfSeveralScalars) {
  Tensor from({2, 2, 3});
  chirt_field *m = import(from, "f32:2x3", 1);
  EXPECT_EQ(textOf(m), "[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], "
                       "[[6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]]");
  chirt_field_release(m);
  EXPECT_EQ(from.deletions, 1);

  Tensor parts({3, 2}); // as (2, 3) with the components apart
  parts.shape = {3, 2};
  parts.setStrides({1, 3});
  chirt_field *v = import(parts, "f32:2;soa", 1);
  EXPECT_EQ(textOf(v), "[[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]");
  chirt_field_release(v);
}

TEST(Import, InTheOrderThatTheFieldHas) {
  Tensor columns({2, 3});
  columns.setStrides({1, 2});
  chirt_field *x = import(columns, "f32;order=1,0", 2);
  EXPECT_EQ(textOf(x), "[[0.0, 2.0, 4.0],\n [1.0, 3.0, 5.0]]");
  chirt_field_release(x);
  EXPECT_EQ(columns.deletions, 1);
}

TEST(Import, StridesOfAxesOfOneElementDoNotMatter) {
  Tensor from({1, 3});
  from.setStrides({77, 1});
  chirt_field *x = import(from, "f32", 2);
  EXPECT_EQ(textOf(x), "[[0.0, 1.0, 2.0]]");
  chirt_field_release(x);
}

TEST(Import, OfNoElements) {
  Tensor from({0, 5});
  from.tensor().data = nullptr;
  chirt_field *x = import(from, "f32", 2);
  EXPECT_EQ(x->elements, 0);
  chirt_field_release(x);
  EXPECT_EQ(from.deletions, 1);

  Tensor scalar({});
  scalar.memory = {2.5f};
  scalar.tensor().data = scalar.memory.data();
  scalar.tensor().shape = nullptr;
  chirt_field *s = import(scalar, "f32", 0);
  EXPECT_EQ(textOf(s), "2.5");
  chirt_field_release(s);
}

TEST(Import, CopiesWhatIsStridedOnlyIfAskedTo) {
  Tensor from({4, 4});
  from.shape = {2, 2};
  from.setStrides({8, 3});
  EXPECT_EQ(refusal(from, "f32", 2),
            "error: import: axis 0 of the tensor has the stride 8, and that of "
            "the field is 2: import a copy (CHIRT_IMPORT_COPY), or a tensor "
            "without gaps in the order of the field's axes\n");
  chirt_field *x = import(from, "f32", 2, CHIRT_IMPORT_COPY);
  EXPECT_EQ(from.deletions, 1);
  EXPECT_EQ(textOf(x), "[[0.0, 3.0],\n [8.0, 11.0]]");
  chirt_field_release(x);
  EXPECT_EQ(from.deletions, 1);

  Tensor falling({3});
  falling.tensor().byte_offset = 8;
  falling.setStrides({-1});
  chirt_field *y = import(falling, "f32", 1, CHIRT_IMPORT_COPY);
  EXPECT_EQ(textOf(y), "[2.0, 1.0, 0.0]");
  chirt_field_release(y);
}

TEST(Import, ReadOnlyMemoryIsCopiedOnlyIfAskedTo) {
  Tensor from({2});
  from.managed.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  EXPECT_EQ(refusal(from, "f32", 1),
            "error: import: the tensor is read-only, and a field is not: "
            "import a copy (CHIRT_IMPORT_COPY)\n");
  chirt_field *x = import(from, "f32", 1, CHIRT_IMPORT_COPY);
  EXPECT_NE(x->data, from.memory.data());
  EXPECT_EQ(textOf(x), "[0.0, 1.0]");
  chirt_field_release(x);
}

TEST(Import, RefusesOtherTypes) {
  struct {
    DLDataType type;
    const char *desc, *message;
  } cases[] = {
      {{kDLFloat, 64, 1}, "f32", "the tensor holds f64, and the field f32"},
      {{kDLInt, 32, 1}, "u32", "the tensor holds i32, and the field u32"},
      {{kDLBfloat, 16, 1}, "f16", "the tensor holds bf16, and the field f16"},
      {{kDLComplex, 64, 1},
       "f64",
       "the tensor holds complex64, and the field f64"},
      {{kDLFloat, 32, 4}, "f32", "the tensor holds 4 x f32, and the field f32"},
      {{kDLUInt, 8, 1}, "bool", "the tensor holds u8, and the field bool"},
      {{kDLBool, 8, 1}, "u8", "the tensor holds bool, and the field u8"},
      {{17, 8, 1},
       "u8",
       "the tensor holds a type with the code 17, and the field u8"},
  };
  for (auto &each : cases) {
    Tensor from({2}, each.type);
    EXPECT_EQ(refusal(from, each.desc, 1),
              std::string("error: import: ") + each.message + "\n");
  }
}

TEST(Import, RefusesOtherShapes) {
  Tensor from({2, 3});
  EXPECT_EQ(refusal(from, "f32", 1),
            "error: import: the tensor has 2 axes, but a field of rank 1 with "
            "elements f32 has 1\n");
  EXPECT_EQ(refusal(from, "f32:2", 1),
            "error: import: axis 1 of the tensor has the extent 3, but the "
            "elements are vec(2, f32)\n");
  from.shape[0] = int64_t(1) << 31;
  EXPECT_EQ(refusal(from, "f32", 2),
            "error: import: axis 0 of the tensor has the extent 2147483648; it "
            "must be between 0 and 2147483647\n");
  EXPECT_EQ(refusal(from, "f31", 2),
            "error: `f31` of rank 2 is not a field type\n");
}

TEST(Import, RefusesOtherMemory) {
  Tensor from({2});
  from.tensor().device = {kDLCUDA, 1};
  EXPECT_EQ(refusal(from, "f32", 1),
            "error: import: the tensor lies on a device (DLPack's type 2, "
            "number 1): copy it to the host before\n");
  from.tensor().device = {kDLCPU, 0};
  from.tensor().byte_offset = 2;
  EXPECT_EQ(refusal(from, "f32", 1),
            "error: import: the tensor's memory is not aligned for f32\n");
  from.tensor().data = nullptr;
  EXPECT_EQ(refusal(from, "f32", 1),
            "error: import: the tensor has elements, but no memory\n");
  Tensor later({2});
  later.managed.version = {2, 3};
  EXPECT_EQ(refusal(later, "f32", 1),
            "error: import: the tensor is described as in version 2.3 of "
            "DLPack, which is not supported: version 1 is\n");
}

/// Where tasks run over memory of their own, the owner finds what they stored.
TEST(Import, GivesBackWhatADeviceHas) {
  settings().device = &mirrorDevice;
  Tensor from({4});
  chirt_field *x = import(from, "f32", 1);
  chirt_field_acquire(x, CHIRT_AT_DEVICE, CHIRT_TO_UPDATE);
  mirrorDevice.fill(x->buffer, 0x40000000, x->bytes);
  EXPECT_EQ(from.memory[3], 3.0f);
  chirt_field_release(x);
  EXPECT_EQ(from.memory, std::vector<float>(4, 2.0f));
  EXPECT_EQ(from.deletions, 1);
  settings().device = &cpuDevice;
}

TEST(Export, DescribesTheFieldAndKeepsIt) {
  chirt_field *x = makeField("f32:2;order=1,0", {2, 3});
  static_cast<float *>(x->data)[11] = 5;
  DLManagedTensorVersioned *out = chirt_field_export(x);
  EXPECT_EQ(out->version.major, 1u);
  EXPECT_EQ(out->flags, 0u);
  const DLTensor &tensor = out->dl_tensor;
  EXPECT_EQ(tensor.device.device_type, kDLCPU);
  EXPECT_EQ(tensor.dtype.code, kDLFloat);
  EXPECT_EQ(tensor.dtype.bits, 32);
  EXPECT_EQ(tensor.dtype.lanes, 1);
  ASSERT_EQ(tensor.ndim, 3);
  EXPECT_EQ(std::vector(tensor.shape, tensor.shape + 3),
            (std::vector<int64_t>{2, 3, 2}));
  EXPECT_EQ(std::vector(tensor.strides, tensor.strides + 3),
            (std::vector<int64_t>{2, 4, 1}));
  chirt_field_release(x);
  // Element (1, 2), component 1.
  EXPECT_EQ(static_cast<float *>(tensor.data)[2 + 8 + 1], 5);
  out->deleter(out);
}

TEST(Export, OfEachTypeComesBackAsItWas) {
  for (const char *desc : {"bool", "i8", "u16", "i32", "u64", "f16", "f64",
                           "f32:3;soa", "f64:2x2", "i32;order=1,0"}) {
    chirt_field *x = makeField(desc, {2, 3});
    DLManagedTensor *out = chirt_field_export_unversioned(x);
    chirt_field *back =
        chirt_field_import_unversioned(nullptr, desc, 2, out, 0);
    EXPECT_EQ(back->data, x->data) << desc;
    EXPECT_EQ(x->refcount, 2) << desc;
    chirt_field_release(back);
    EXPECT_EQ(x->refcount, 1) << desc;
    chirt_field_release(x);
  }
}

TEST(Export, MakesTheHostsCopyCurrent) {
  settings().device = &mirrorDevice;
  chirt_field *x = makeField("f32", {4});
  chirt_field_acquire(x, CHIRT_AT_DEVICE, CHIRT_TO_UPDATE);
  mirrorDevice.fill(x->buffer, 0x40000000, x->bytes);
  DLManagedTensorVersioned *out = chirt_field_export(x);
  EXPECT_EQ(x->current, CHIRT_AT_HOST);
  EXPECT_EQ(static_cast<float *>(out->dl_tensor.data)[3], 2.0f);
  out->deleter(out);
  chirt_field_release(x);
  settings().device = &cpuDevice;
}

} // namespace
