//===- ViewTest.cpp - Fields over elements of other fields ----------------===//
#include "Support.h"
#include "chirt/dlpack.h"
#include "chirt/field/Field.h"
#include "chirt/support/Settings.h"
#include <filesystem>
#include <numeric>
#include <vector>

using namespace chirt;

namespace {

/// As `begin:end:step` of Python, and an index alone.
chirt_slice range(int64_t begin, int64_t end, int64_t step = 1) {
  return {begin, step, (end - begin + step - 1) / step};
}
chirt_slice at(int64_t index) { return {index, 1, -1}; }

chirt_field *view(chirt_field *field, std::vector<chirt_slice> slices) {
  return chirt_field_view(nullptr, field, slices.data());
}

/// Numbers that count from 0 in memory.
chirt_field *counting(const char *desc, std::initializer_list<int64_t> shape) {
  chirt_field *made = makeField(desc, shape);
  auto *data = static_cast<float *>(made->data);
  std::iota(data, data + made->elements * componentsOf(made), 0.0f);
  return made;
}

void release(std::initializer_list<chirt_field *> fields) {
  for (chirt_field *field : fields)
    chirt_field_release(field);
}

TEST(Views, OfAVector) {
  chirt_field *x = counting("f32", {8});
  chirt_field *middle = view(x, {range(2, 5)}),
              *even = view(x, {range(0, 8, 2)});
  EXPECT_EQ(textOf(middle), "[2.0, 3.0, 4.0]");
  EXPECT_EQ(middle->is_strided, 0);
  EXPECT_EQ(textOf(even), "[0.0, 2.0, 4.0, 6.0]");
  EXPECT_EQ(even->is_strided, 1);
  static_cast<float *>(x->data)[4] = 9;
  EXPECT_EQ(textOf(middle), "[2.0, 3.0, 9.0]");
  release({middle, even, x});
}

TEST(Views, DropAxes) {
  chirt_field *x = counting("f32", {3, 4});
  chirt_field *row = view(x, {at(1), range(0, 4)}),
              *column = view(x, {range(0, 3), at(1)}),
              *one = view(x, {at(2), at(3)});
  EXPECT_EQ(textOf(row), "[4.0, 5.0, 6.0, 7.0]");
  EXPECT_EQ(row->is_strided, 0);
  EXPECT_EQ(textOf(column), "[1.0, 5.0, 9.0]");
  EXPECT_EQ(textOf(one), "11.0");
  EXPECT_EQ(one->rank, 0);
  release({row, column, one, x});
}

TEST(Views, OfViews) {
  chirt_field *x = counting("f32", {6, 6});
  chirt_field *inner = view(x, {range(1, 6, 2), range(0, 6, 2)});
  chirt_field *corner = view(inner, {range(1, 3), at(2)});
  EXPECT_EQ(textOf(inner), "[[6.0, 8.0, 10.0],\n [18.0, 20.0, 22.0],\n "
                           "[30.0, 32.0, 34.0]]");
  EXPECT_EQ(textOf(corner), "[22.0, 34.0]");
  EXPECT_EQ(corner->base, x);
  // Each keeps the memory.
  release({x, inner});
  EXPECT_EQ(textOf(corner), "[22.0, 34.0]");
  release({corner});
}

TEST(Views, OfEachLayout) {
  for (const char *desc : {"f32:2", "f32:2;soa", "f32:2;order=1,0",
                           "f32:2;soa;order=1,0", "f32:2x2;soa"}) {
    chirt_field *x = makeField(desc, {3, 4});
    // What an element holds depends on its indices alone.
    for (int64_t i = 0; i < 12; ++i) {
      LogicalWalk walk(x, i);
      for (int c = 0; c < componentsOf(x); ++c) {
        float value = float(10 * i + c);
        memcpy(static_cast<char *>(x->data) +
                   scalarOffset(x, walk.storage(), c),
               &value, sizeof(value));
      }
    }
    chirt_field *part = view(x, {range(0, 3, 2), at(1)});
    EXPECT_EQ(textOf(part), componentsOf(x) == 2
                                ? "[[10.0, 11.0], [90.0, 91.0]]"
                                : "[[[10.0, 11.0], [12.0, 13.0]], "
                                  "[[90.0, 91.0], [92.0, 93.0]]]")
        << desc;
    release({part, x});
  }
}

TEST(Views, WithoutElements) {
  chirt_field *x = counting("f32", {4});
  chirt_field *none = view(x, {{4, 1, 0}});
  EXPECT_EQ(none->elements, 0);
  EXPECT_EQ(textOf(none), "[]");
  float seven = 7;
  chirt_field_fill(none, &seven);
  EXPECT_EQ(textOf(x), "[0.0, 1.0, 2.0, 3.0]");
  release({none, x});
}

TEST(Views, OutsideOfTheFieldRaise) {
  chirt_field *x = makeField("f32", {5, 2});
  auto message = [&](std::vector<chirt_slice> slices) {
    Ran ran = guarded([&] { view(x, slices); });
    EXPECT_EQ(ran.status, 1);
    return ran.err;
  };
  EXPECT_EQ(message({range(2, 6), at(0)}),
            "error: a view of the elements 2 to 5 of axis 0, which has 5\n");
  EXPECT_EQ(message({range(0, 5), at(2)}),
            "error: index 2 is out of bounds for axis 1 with size 2\n");
  EXPECT_EQ(message({at(-1), at(0)}),
            "error: index -1 is out of bounds for axis 0 with size 5\n");
  EXPECT_EQ(message({{0, 0, 3}, at(0)}),
            "error: a view cannot have the step 0 (axis 0)\n");
  EXPECT_EQ(message({{0, INT64_MAX, 3}, at(0)}),
            "error: a view of the elements 0 to 9223372036854775807 of axis 0, "
            "which has 5\n");
  EXPECT_EQ(x->refcount, 1);
  release({x});
}

TEST(Views, FillAndCopyChangeTheirElementsOnly) {
  chirt_field *x = makeField("f32:2", {2, 3}), *y = makeField("f32:2", {2});
  chirt_field *column = view(x, {range(0, 2), at(1)});
  float value[] = {1, 2};
  chirt_field_fill(column, value);
  EXPECT_EQ(textOf(x), "[[[0.0, 0.0], [1.0, 2.0], [0.0, 0.0]],\n "
                       "[[0.0, 0.0], [1.0, 2.0], [0.0, 0.0]]]");
  static_cast<float *>(y->data)[3] = 5;
  chirt_field_copy(nullptr, column, y);
  EXPECT_EQ(textOf(x), "[[[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]],\n "
                       "[[0.0, 0.0], [0.0, 5.0], [0.0, 0.0]]]");
  chirt_field_copy(nullptr, y, column);
  EXPECT_EQ(textOf(y), "[[0.0, 0.0], [0.0, 5.0]]");
  release({column, x, y});
}

TEST(Views, MayOverlapInACopy) {
  chirt_field *x = counting("f32", {8});
  chirt_field *low = view(x, {range(0, 4)}), *next = view(x, {range(1, 5)}),
              *even = view(x, {range(0, 8, 2)});
  chirt_field_copy(nullptr, next, low);
  EXPECT_EQ(textOf(x), "[0.0, 0.0, 1.0, 2.0, 3.0, 5.0, 6.0, 7.0]");
  chirt_field_copy(nullptr, even, low);
  EXPECT_EQ(textOf(x), "[0.0, 0.0, 0.0, 2.0, 1.0, 5.0, 2.0, 7.0]");
  release({low, next, even, x});
}

TEST(Views, Reductions) {
  chirt_field *x = counting("f32", {100, 7}), *y = counting("f32", {100});
  chirt_field *column = view(x, {range(0, 100), at(3)});
  double sum = 0;
  chirt_field_sum(column, &sum);
  EXPECT_EQ(sum, 7 * 4950 + 300);
  float least = 0, greatest = 0;
  chirt_field_min(nullptr, column, &least);
  chirt_field_max(nullptr, column, &greatest);
  EXPECT_EQ(least, 3);
  EXPECT_EQ(greatest, 696);
  static_cast<float *>(x->data)[7 * 42 + 3] = 1e6f;
  int64_t where[8] = {};
  chirt_field_argmax(nullptr, column, where);
  EXPECT_EQ(where[0], 42);
  double expected = 0;
  for (int i = 0; i < 100; ++i)
    expected += double(i) * (i == 42 ? 1e6 : 7 * i + 3);
  EXPECT_EQ(chirt_field_dot(nullptr, column, y), expected);
  EXPECT_EQ(chirt_field_dot(nullptr, y, column), expected);

  chirt_field *n = makeField("i32", {4});
  int32_t five = 5;
  chirt_field_fill(n, &five);
  chirt_field *half = view(n, {range(0, 4, 2)});
  double wide = 0;
  chirt_field_sum_wide(half, &wide);
  EXPECT_EQ(wide, 10);
  release({column, x, y, half, n});
}

TEST(Views, AreSavedAsTheyAre) {
  std::string path = std::filesystem::temp_directory_path() /
                     ("chi-view-" + std::to_string(getpid()) + ".npy");
  chirt_field *x = counting("f32", {3, 4});
  chirt_field *part = view(x, {range(0, 3, 2), range(1, 4, 2)});
  chirt_save(nullptr, path.c_str(), part, 0);
  chirt_field *back = chirt_load(nullptr, path.c_str(), "f32", 2);
  EXPECT_EQ(textOf(back), "[[1.0, 3.0],\n [9.0, 11.0]]");
  std::filesystem::remove(path);
  release({part, back, x});
}

TEST(Views, GoOutWithTheirStrides) {
  chirt_field *x = counting("f32:2x3;soa", {4});
  chirt_field *odd = view(x, {range(1, 4, 2)});
  DLManagedTensorVersioned *out = chirt_field_export(odd);
  release({odd, x});
  const DLTensor &tensor = out->dl_tensor;
  EXPECT_EQ(std::vector(tensor.shape, tensor.shape + 3),
            (std::vector<int64_t>{2, 2, 3}));
  EXPECT_EQ(std::vector(tensor.strides, tensor.strides + 3),
            (std::vector<int64_t>{2, 12, 4}));
  EXPECT_EQ(static_cast<float *>(tensor.data)[0], 1.0f);
  // Which a copy of it takes.
  chirt_field *back =
      chirt_field_import(nullptr, "f32:2x3", 1, out, CHIRT_IMPORT_COPY);
  EXPECT_EQ(textOf(back), "[[[1.0, 5.0, 9.0], [13.0, 17.0, 21.0]], "
                          "[[3.0, 7.0, 11.0], [15.0, 19.0, 23.0]]]");
  release({back});
}

TEST(Views, AGradientIsAViewOfTheGradient) {
  chirt_field *x = makeField("f32;order=1,0;grad", {3, 4});
  chirt_field *row = view(x, {at(1), range(0, 4)});
  chirt_field *grad = chirt_field_grad(nullptr, row);
  EXPECT_EQ(grad->base, x->grad);
  EXPECT_EQ(chirt_field_grad(nullptr, row), grad);
  float two = 2;
  chirt_field_fill(grad, &two);
  EXPECT_EQ(textOf(x->grad), "[[0.0, 0.0, 0.0, 0.0],\n [2.0, 2.0, 2.0, 2.0],\n "
                             "[0.0, 0.0, 0.0, 0.0]]");
  release({x, row});

  chirt_field *plain = makeField("f32", {3});
  chirt_field *part = view(plain, {range(0, 2)});
  EXPECT_EQ(guarded([&] { chirt_field_grad(nullptr, part); }).status, 1);
  release({part, plain});
}

TEST(Views, OverlapIfTheirBytesMay) {
  chirt_field *x = makeField("f32", {4, 4}), *y = makeField("f32", {4, 4});
  chirt_field *low = view(x, {range(0, 2), range(0, 4)}),
              *high = view(x, {range(2, 4), range(0, 4)}),
              *column = view(x, {range(0, 4), at(0)}),
              *none = view(x, {range(0, 0), at(0)});
  EXPECT_NE(chirt_fields_overlap(x, x), 0);
  EXPECT_EQ(chirt_fields_overlap(x, y), 0);
  EXPECT_EQ(chirt_fields_overlap(low, high), 0);
  EXPECT_NE(chirt_fields_overlap(x, high), 0);
  EXPECT_NE(chirt_fields_overlap(column, high), 0);
  EXPECT_EQ(chirt_fields_overlap(none, x), 0);
  release({low, high, column, none, x, y});
}

/// As programs write them.
TEST(Views, OfSlices) {
  chirt_field *x = counting("f32", {5, 2});
  auto slice = [&](std::vector<int64_t> words) {
    chirt_field *made = chirt_field_slice(nullptr, x, words.data());
    std::string text = textOf(made);
    chirt_field_release(made);
    return text;
  };
  constexpr int64_t kIndex = CHIRT_SLICE_INDEX, kBegin = CHIRT_SLICE_BEGIN,
                    kEnd = CHIRT_SLICE_END;
  EXPECT_EQ(slice({0, 0, 0, 1, kIndex, 1, 0, 1}), "[1.0, 3.0, 5.0, 7.0, 9.0]");
  EXPECT_EQ(slice({kBegin | kEnd, -4, -1, 2, kIndex, 0, 0, 1}), "[2.0, 6.0]");
  EXPECT_EQ(slice({kBegin | kEnd, 3, 2, 1, kIndex, 0, 0, 1}), "[]");
  EXPECT_EQ(slice({kEnd, 0, 5, 4, kIndex, 0, 0, 1}), "[0.0, 8.0]");
  auto message = [&](std::vector<int64_t> words) {
    return guarded([&] { chirt_field_slice(nullptr, x, words.data()); }).err;
  };
  EXPECT_EQ(message({kEnd, 0, 6, 1, 0, 0, 0, 1}),
            "error: a slice has the bound 6 on axis 0, which has 5 elements\n");
  EXPECT_EQ(message({kBegin, -6, 0, 1, 0, 0, 0, 1}),
            "error: a slice has the bound -6 on axis 0, which has 5 "
            "elements\n");
  EXPECT_EQ(message({0, 0, 0, -1, 0, 0, 0, 1}),
            "error: a view cannot have the step -1 (axis 0)\n");
  EXPECT_EQ(message({0, 0, 0, 1, kIndex, 2, 0, 1}),
            "error: index 2 is out of bounds for axis 1 with size 2\n");
  release({x});
}

/// Of a device with memory of its own, whose pages host code cannot touch.
TEST(Views, HaveTheCopiesOfTheirField) {
  settings().device = &mirrorDevice;
  chirt_field *x = makeField("f32", {2000});
  chirt_field *part = view(x, {range(1, 2000, 2)}),
              *head = view(x, {range(0, 3)});
  chirt_field_acquire(part, CHIRT_AT_DEVICE, CHIRT_TO_OVERWRITE);
  EXPECT_EQ(x->current, CHIRT_AT_DEVICE);
  EXPECT_EQ(head->current, CHIRT_AT_DEVICE);
  EXPECT_EQ(part->buffer, x->buffer + 4);
  mirrorDevice.fill(x->buffer, 0x40000000, x->bytes);
  EXPECT_EQ(textOf(head), "[2.0, 2.0, 2.0]");
  EXPECT_EQ(part->current, CHIRT_AT_HOST | CHIRT_AT_DEVICE);
  double sum = 0;
  chirt_field_sum(part, &sum);
  EXPECT_EQ(sum, 2000);
  float seven = 7;
  chirt_field_fill(head, &seven);
  EXPECT_EQ(x->current, CHIRT_AT_HOST);
  EXPECT_EQ(static_cast<float *>(x->data)[3], 2.0f);
  chirt_field_element(part, 0, CHIRT_TO_READ);
  // One more of the field than of its views.
  release({x});
  EXPECT_EQ(textOf(head), "[7.0, 7.0, 7.0]");
  release({head, part});
  settings().device = &cpuDevice;
}

} // namespace
