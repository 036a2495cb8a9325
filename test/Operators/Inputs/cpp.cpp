// Calls of all kinds by NAME.hpp: values, layouts, errors, lifetimes.
#include "libcpp.hpp"
#include "libcpp_other.hpp"

#include <cmath>
#include <cstdio>
#include <malloc.h>
#include <numeric>
#include <span>

namespace cpp = chi::cpp;
namespace cpp_other = chi::cpp_other;

static int failures = 0;
#define EXPECT(condition)                                                      \
  ((condition) ? void()                                                        \
               : void((++failures, std::printf("line %d: %s\n", __LINE__,      \
                                               #condition))))

template <typename F> static std::string errorOf(F &&call) {
  try {
    call();
  } catch (const chi::Error &error) {
    return error.what();
  }
  return "";
}

static std::vector<float> numbers(std::size_t count) {
  std::vector<float> made(count);
  std::iota(made.begin(), made.end(), 0.0f);
  return made;
}

static void testFields() {
  std::vector<float> x = numbers(6);
  chi::Field<float, 2> y = cpp::scale({x.data(), {2, 3}});
  EXPECT(y.shape() == (std::array<std::int64_t, 2>{2, 3}) && y.size() == 6);
  EXPECT(y.strides() == (std::array<std::int64_t, 2>{3, 1}));
  EXPECT(y(1, 2) == 5 * 0.25f && x[5] == 5);
  // A field is an argument, const or not, also a temporary one.
  cpp::mul(y, 4);
  const chi::Field<float, 2> z = cpp::scale(cpp::scale(y, 2, 1), 10, 1);
  EXPECT(z(1, 2) == 100 && z.view()(0, 1) == 20 && z.data()[1] == 20);
  EXPECT(cpp::scale(z, 1).view()(1, 0) == 60);
  // Strides: a transposed argument is read, and written, where it lies.
  chi::View<float, 2> turned(x.data(), {3, 2}, {1, 3});
  EXPECT(cpp::scale(turned, 1)(2, 1) == 5 && cpp::scale(turned, 1)(1, 0) == 1);
  cpp::mul(turned, -1);
  EXPECT(x[5] == -5 && x[1] == -1);
  // Every second column, from the last row up.
  std::vector<float> grid = numbers(12), out(4);
  chi::View<const float, 2> part(grid.data() + 9, {2, 2}, {-8, 2});
  cpp::combine(part, {grid.data() + 1, {2, 2}, {1, 0}}, {out.data(), 2, 2});
  EXPECT(out == (std::vector<float>{19, 21, 21, 23}));
  // No elements.
  EXPECT(cpp::scale({nullptr, {0, 3}}).size() == 0);
  chi::Field<float, 2> zeros({2, 2});
  cpp::combine({out.data(), 2, 2}, part, zeros);
  EXPECT(zeros(0, 0) == 19 + 90);
}

static void testSequences() {
  const std::vector<float> x = numbers(5);
  std::array<float, 3> out{};
  cpp::shift(x, 2, out);
  EXPECT(out[0] == 2 && out[2] == 4);
  cpp::shift(std::span<const float>(x).subspan(1), 0, std::span(out));
  EXPECT(out[0] == 1 && out[2] == 3);
  cpp::shift(numbers(4), 1, out);
  EXPECT(out[2] == 3);
}

static void testElements() {
  std::vector<chi::Vec<float, 2>> arrows = {{1, 0}, {0, 2}, {3, 3}};
  cpp::turn(arrows, {{{0, -1}, {1, 0}}}, {10, 20});
  EXPECT(arrows[0] == (chi::Vec<float, 2>{10, 21}));
  EXPECT(arrows[2] == (chi::Vec<float, 2>{7, 23}));
  float flat[] = {1, 2, 3, 4, 5, 6, 7, 8};
  auto every = chi::View<chi::Vec<float, 2>, 1>::ofNumbers(flat, {4});
  cpp::turn({every.data(), {2}, {2}}, {{{1, 0}, {0, 1}}}, {100, 100});
  EXPECT(flat[0] == 101 && flat[1] == 102 && flat[2] == 3 && flat[5] == 106);
  // An soa result: its elements lie together here.
  chi::Field<chi::Vec<float, 2>, 1> pairs = cpp::split(numbers(3));
  EXPECT(pairs(2)[0] == 2 && pairs(2)[1] == -2 && pairs.strides()[0] == 1);
  const bool flags[] = {true, false, true};
  EXPECT(cpp::count(flags, {false, true, false}) == 12);
  chi::Half halves[] = {1.0f, 2.5f, -3.0f};
  EXPECT(cpp::half(halves) == 2 && halves[2] == -2.5f);
  EXPECT(cpp::half({halves, 2}, 0.25f) == 5);
  chi::BFloat brains[] = {1.0f, 2.5f, -3.0f};
  EXPECT(cpp::brain(brains) == 0.125f && cpp::brain(brains, 2.0f) == 1);
  std::uint64_t stored = 0;
  cpp::store(chi::View<std::uint64_t, 0>(&stored), ~std::uint64_t(0));
  EXPECT(stored == ~std::uint64_t(0));
}

static void testHalves() {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    chi::Half half;
    half.bits = static_cast<std::uint16_t>(bits);
    if (!std::isnan(static_cast<float>(half)))
      EXPECT(chi::Half(static_cast<float>(half)).bits == bits);
  }
  EXPECT(chi::Half(1.0f).bits == 0x3c00 && chi::Half(65519.0f) == 65504.0f);
  EXPECT(chi::Half(65520.0f).bits == 0x7c00 && chi::Half(0x1p-25f).bits == 0);
  EXPECT(chi::Half(0x1.8p-25f).bits == 1 && chi::Half(-0x1p-24f) == -0x1p-24f);
  EXPECT(chi::Half(2049.0f) == 2048 && chi::Half(2051.0f) == 2052);
  EXPECT(std::isnan(static_cast<float>(chi::Half(NAN))));
}

static void testBFloats() {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    chi::BFloat number;
    number.bits = static_cast<std::uint16_t>(bits);
    if (!std::isnan(static_cast<float>(number)))
      EXPECT(chi::BFloat(static_cast<float>(number)).bits == bits);
  }
  EXPECT(chi::BFloat(1.00390625f).bits == 0x3f80); // halfway: the even one
  EXPECT(chi::BFloat(1.01171875f).bits == 0x3f82);
  EXPECT(chi::BFloat(3.4e38f).bits == 0x7f80);
  EXPECT(std::isnan(static_cast<float>(chi::BFloat(NAN))));
}

static void testResults() {
  const std::int32_t x[] = {4, 5};
  auto [n, real, flag, v, m, field, text] = cpp::many(x, true);
  EXPECT(n == 2 && real == 2.5 && !flag && text == "2 numbers");
  EXPECT(v == (chi::Vec<float, 3>{1, 2, 3}) && m[1][2] == 6 && m[0][1] == 2);
  EXPECT(field(0) == 4 && field(1) == 5);
  EXPECT(cpp::greet(std::string_view("worldly").substr(0, 5), 3) ==
         "hello world 3");
  EXPECT(cpp::double_(2, 1) == 5);
  auto [a, b, c, d] = cpp::wide(~std::uint64_t(0) - 1);
  EXPECT(a == ~std::uint64_t(0) && b == INT64_MIN && c == 0.1 && d);
}

static void testProducts() {
  std::vector<float> x = {1, 2};
  std::vector<double> y = {10, 20}, seedOfB = {1, 100};
  std::vector<float> seedOfA = {1, 1};
  auto [ofX, ofY] = cpp::product_vjp(x, y, 0, seedOfA, seedOfB);
  EXPECT(ofX(0) == 12 && ofX(1) == 2004 && ofY(0) == 1 && ofY(1) == 200);
  std::string text =
      errorOf([&] { cpp::product_vjp(x, y, 0, numbers(3), seedOfB); });
  EXPECT(text == "product_vjp: the adjoint of result 0 has the extent 3 along "
                 "axis 0, expected 2");
}

static void testErrors() {
  std::vector<float> x = numbers(4), out(3);
  std::string text = errorOf([&] { cpp::shift(x, 2, out); });
  std::printf("%s\n", text.c_str());
  EXPECT(errorOf([&] { cpp::expects(x); }).find("x has 4 elements") !=
         std::string::npos);
  EXPECT(errorOf([&] { cpp::leave(3); }) ==
         "leave: the program called exit(3)");
  std::printf("%s\n", errorOf([&] { cpp::greet({"a\0b", 3}, 1); }).c_str());
  std::printf("%s\n",
              errorOf([&] { cpp::scale({x.data(), {-1, 2}}); }).c_str());
  std::printf("%s\n", errorOf([&] {
                        cpp::combine({x.data(), 2, 2}, {x.data(), 2, 2},
                                     {x.data(), 2, 2});
                      }).c_str());
  std::printf("%s\n", errorOf([&] { cpp::tops(); }).c_str());
  std::printf("%s\n", errorOf([&] { cpp::field<float, 2>("top"); }).c_str());
  cpp::shift(x, 1, out);
  EXPECT(out[2] == 3);
}

static void testScript() {
  cpp::run({"--factor", "7"});
  chi::View<float, 2> top = cpp::field<float, 2>("top");
  EXPECT(top.shape() == (std::array<std::int64_t, 2>{2, 3}) && top(1, 2) == 7);
  top(1, 2) = 8;
  chi::Field<float, 2> copy = cpp::tops();
  EXPECT(copy(1, 2) == 8 && copy(0, 0) == 7 && copy.data() != top.data());
  EXPECT((cpp::field<chi::Vec<float, 2>, 1>("arrows")(3)[1] == 30));
  using Arrows = chi::Vec<float, 2>;
  for (const char *name : {"none", "top", "apart"})
    std::printf("%s\n",
                errorOf([&] { cpp::field<Arrows, 1>(name); }).c_str());
  // A param that is refused, after another failure.
  EXPECT(errorOf([] { cpp::run({"--nope", "1"}); }).find("`--nope`") !=
         std::string::npos);
  // Libraries do not share their fields or functions.
  cpp_other::run();
  EXPECT(cpp_other::tops()(1) == 9 && cpp::tops()(1, 1) == 7);
  cpp_other::mul(copy, 2);
  EXPECT(copy(0, 0) == 9);
  cpp::mul(copy, 2);
  EXPECT(copy(0, 0) == 18);
}

/// Fields are released once: when they are destroyed, wherever they were moved.
static void testLifetimes() {
  std::vector<float> x = numbers(6), out(3);
  auto calls = [&](int count) {
    std::vector<chi::Field<float, 2>> kept;
    for (int k = 0; k < count; ++k) {
      chi::Field<float, 2> made = cpp::scale({x.data(), 2, 3});
      chi::Field<float, 2> moved = std::move(made);
      EXPECT(made.data() == nullptr && made.size() == 0);
      made = std::move(moved);
      moved = cpp::scale(made);
      if (k % 10 == 0)
        kept.push_back(std::move(moved));
      auto results = cpp::many(std::array<std::int32_t, 2>{1, 2}, true);
      EXPECT(std::get<5>(results)(1) == 2);
      EXPECT(!errorOf([&] { cpp::shift(x, 9, out); }).empty());
      cpp::scale_vjp(made, 2, 1, made);
    }
  };
  calls(1000);
  const std::size_t before = mallinfo2().uordblks;
  calls(1000);
  const std::size_t after = mallinfo2().uordblks;
  if (after > before + 4096)
    std::printf("%zu bytes more\n", after - before), ++failures;
}

int main() {
  testFields();
  testSequences();
  testElements();
  testHalves();
  testBFloats();
  testResults();
  testProducts();
  testErrors();
  testScript();
  testLifetimes();
  std::printf("%d failures\n", failures);
  return failures != 0;
}
