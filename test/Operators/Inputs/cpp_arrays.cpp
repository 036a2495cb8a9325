// Views over arrays of other libraries: what they are known by, and what is no
// view.
#include "libcpp.hpp"

#include <cstdio>

namespace cpp = chi::cpp;

/// Knows its layout as matrices, vectors and blocks of Eigen do.
template <int Rank> struct Matrix {
  struct PlainObject;
  static constexpr bool IsVectorAtCompileTime = Rank == 1;

  float *first;
  std::ptrdiff_t height, width, down, right;
  float *data() { return first; }
  const float *data() const { return first; }
  std::ptrdiff_t rows() const { return height; }
  std::ptrdiff_t cols() const { return width; }
  std::ptrdiff_t size() const { return height * width; }
  std::ptrdiff_t rowStride() const { return down; }
  std::ptrdiff_t colStride() const { return right; }
};

/// As arrays of xtensor do, whose rank is known at run time.
struct Array {
  float *storage;
  std::vector<std::size_t> extents;
  std::vector<std::ptrdiff_t> steps;
  std::size_t start;
  float *data() { return storage; }
  const float *data() const { return storage; }
  const std::vector<std::size_t> &shape() const { return extents; }
  const std::vector<std::ptrdiff_t> &strides() const { return steps; }
  std::size_t data_offset() const { return start; }
};

static int failures = 0;
static void expect(bool isTrue, int line) {
  if (!isTrue)
    std::printf("line %d\n", line), ++failures;
}
#define EXPECT(condition) expect(condition, __LINE__)

static void testMatrices() {
  float x[] = {0, 1, 2, 3, 4, 5};
  // Columns lie together, as Eigen has it.
  const Matrix<2> columns{x, 2, 3, 1, 2};
  chi::Field<float, 2> y = cpp::scale(columns, 1);
  EXPECT(y(1, 0) == 1 && y(0, 2) == 4 && y(1, 2) == 5);
  // A row of it, written as a temporary block.
  float row[] = {7, 8, 9};
  cpp::shift(row, 0, Matrix<1>{x + 1, 1, 3, 1, 2});
  EXPECT(x[0] == 0 && x[1] == 7 && x[3] == 8 && x[5] == 9);
  Matrix<1> column{x + 2, 2, 1, 1, 2};
  cpp::shift(row, 1, column);
  EXPECT(x[2] == 8 && x[3] == 9 && x[4] == 4);
}

static void testArrays() {
  float x[] = {0, 1, 2, 3, 4, 5, 6, 7};
  Array part{x, {2, 2}, {-4, 2}, 5};
  cpp::mul(part, 10);
  EXPECT(x[5] == 50 && x[7] == 70 && x[1] == 10 && x[3] == 30 && x[4] == 4);
  const Array other{x, {2}, {1}, 0};
  try {
    cpp::scale(other);
    EXPECT(false);
  } catch (const chi::Error &error) {
    std::printf("%s\n", error.what());
  }
}

#ifdef WRONG
static void wrong(const std::vector<float> &x, chi::View<float, 2> square,
                  const chi::Field<float, 2> &field) {
  cpp::expects(std::vector<double>(3));
  cpp::expects(square);
  cpp::mul(chi::Field<float, 2>(), 1);
  cpp::shift(x, 0, x);
  cpp::mul(field, 1);
}
#endif

int main() {
  testMatrices();
  testArrays();
  std::printf("%d failures\n", failures);
  return failures != 0;
}
