//===- Accuracy.cpp - How far off are the elementary functions? -----------===//
// chi-math-accuracy make FOLDER    writes arguments: x64 y64 x32 y32 (.npy)
// chi-math-accuracy check FOLDER   compares r64 and r32, which hold a row of
//                                  results for each function of the table, with
//                                  MPFR. Exit 1 if one is off by over 2 ulp.
// chi-math-accuracy check32 FOLDER ULP   the same of r32 alone, by so many.
// chi-math-accuracy same32 A B      are the numbers of two files the same bits,
// chi-math-accuracy same64 A B      every NaN being the same as another?
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <mpfr.h>
#include <string>
#include <vector>

namespace {

constexpr double kAllowed = 2;

using Unary = int (*)(mpfr_t, mpfr_srcptr, mpfr_rnd_t);
using Binary = int (*)(mpfr_t, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
struct Function {
  const char *name;
  Unary unary;
  Binary binary;
};
// In the order of the rows that Inputs/elementary.chi writes.
const Function kFunctions[] = {
    {"exp", mpfr_exp, nullptr},     {"exp2", mpfr_exp2, nullptr},
    {"expm1", mpfr_expm1, nullptr}, {"log", mpfr_log, nullptr},
    {"log2", mpfr_log2, nullptr},   {"log10", mpfr_log10, nullptr},
    {"log1p", mpfr_log1p, nullptr}, {"sin", mpfr_sin, nullptr},
    {"cos", mpfr_cos, nullptr},     {"tan", mpfr_tan, nullptr},
    {"asin", mpfr_asin, nullptr},   {"acos", mpfr_acos, nullptr},
    {"atan", mpfr_atan, nullptr},   {"sinh", mpfr_sinh, nullptr},
    {"cosh", mpfr_cosh, nullptr},   {"tanh", mpfr_tanh, nullptr},
    {"asinh", mpfr_asinh, nullptr}, {"acosh", mpfr_acosh, nullptr},
    {"atanh", mpfr_atanh, nullptr}, {"cbrt", mpfr_cbrt, nullptr},
    {"erf", mpfr_erf, nullptr},     {"erfc", mpfr_erfc, nullptr},
    {"atan2", nullptr, mpfr_atan2}, {"pow", nullptr, mpfr_pow},
    {"hypot", nullptr, mpfr_hypot}, {"fmod", nullptr, mpfr_fmod},
};

//===--- Files
//-------------------------------------------------------------===//

template <typename T>
void write(const std::string &path, const std::vector<T> &values) {
  std::string head = "{'descr': '<f" + std::to_string(sizeof(T)) +
                     "', 'fortran_order': False, 'shape': (" +
                     std::to_string(values.size()) + ",), }";
  head.resize((10 + head.size() + 64) / 64 * 64 - 10, ' ');
  head.back() = '\n';
  uint16_t length = uint16_t(head.size());
  std::ofstream file(path, std::ios::binary);
  file.write("\x93NUMPY\x01\x00", 8);
  file.write(reinterpret_cast<char *>(&length), 2);
  file << head;
  file.write(reinterpret_cast<const char *>(values.data()),
             std::streamsize(values.size() * sizeof(T)));
}

template <typename T> std::vector<T> read(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  uint16_t length = 0;
  if (text.size() < 10) {
    std::fprintf(stderr, "no numbers in %s\n", path.c_str());
    std::exit(1);
  }
  std::memcpy(&length, text.data() + 8, 2);
  std::vector<T> values((text.size() - 10 - length) / sizeof(T));
  std::memcpy(values.data(), text.data() + 10 + length,
              values.size() * sizeof(T));
  return values;
}

//===--- Arguments
//---------------------------------------------------------===//

struct Random {
  uint64_t state = 88172645463325252u;
  uint64_t bits() {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  }
  /// In (-1, 1).
  double number() { return double(int64_t(bits())) * 0x1p-63; }
};

template <typename T> std::vector<T> edges() {
  using Limits = std::numeric_limits<T>;
  T inf = Limits::infinity(), pi = T(M_PI);
  std::vector<T> all = {
      T(0), Limits::denorm_min(), Limits::min(), T(0.5), T(1), T(2), T(3), pi,
      pi / 2, Limits::max(), inf, Limits::epsilon(), std::nextafter(T(1), T(0)),
      std::nextafter(T(1), T(2)), T(88.72284), T(103.97), T(709.782712893384),
      T(710.475860073944), T(745.1332191019412), T(1024), T(1074), T(150),
      // where two ways meet, or sums cancel
      T(0.39139401892860359), T(0.519459367), T(1.0004000685106207),
      T(1.0255125916347), T(27.2), T(10.05), T(1e9), T(1e5), T(1e22),
      T(0x1.6ac5b262ca1ffp+849), T(0x1.f6a7a2955385ep+58)};
  for (size_t i = 0, n = all.size(); i < n; ++i)
    all.push_back(-all[i]);
  all.push_back(Limits::quiet_NaN());
  return all;
}

/// Arguments of every size, most of them where functions are not trivial.
template <typename T>
void makeArguments(size_t count, std::vector<T> &x, std::vector<T> &y) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  Random random;
  for (T a : edges<T>())
    for (T b : edges<T>()) {
      x.push_back(a);
      y.push_back(b);
    }
  static constexpr double kSpans[] = {20, 3, 1, 750, 1.2, 1e-3};
  while (x.size() < count) {
    T a = std::bit_cast<T>(Bits(random.bits())), b = T(20 * random.number());
    switch (x.size() % 8) {
    case 0:
      b = std::bit_cast<T>(Bits(random.bits()));
      break;
    case 1: // next to multiples of pi / 2
      a = T(std::floor(std::exp2(30 * std::fabs(random.number()))) * M_PI_2);
      break;
    case 2:
      a = T(1 + 0.01 * random.number());
      b = T(8000 * random.number());
      break;
    default:
      a = T(random.number() * kSpans[random.bits() % 6]);
    }
    x.push_back(a);
    y.push_back(b);
  }
}

//===--- Comparison
//----------------------------------------------------------===//

/// Result minus truth, in units in the last place of the truth.
template <typename T> double distance(T got, mpfr_t truth) {
  T rounded = sizeof(T) == 8 ? T(mpfr_get_d(truth, MPFR_RNDN))
                             : T(mpfr_get_flt(truth, MPFR_RNDN));
  if (std::isnan(rounded) || std::isnan(got))
    return std::isnan(rounded) && std::isnan(got) ? 0 : INFINITY;
  if (got == rounded)
    return got == 0 && std::signbit(got) != std::signbit(rounded) ? INFINITY
                                                                  : 0;
  // The largest number for infinity and the other way round: one step off.
  T largest = std::numeric_limits<T>::max();
  if (std::isinf(rounded) || std::isinf(got))
    return std::min(std::fabs(rounded), std::fabs(got)) == largest ? 1
                                                                   : INFINITY;
  int exponent = rounded == 0 ? -2000 : std::ilogb(rounded);
  int digits = std::numeric_limits<T>::digits;
  exponent = std::max(exponent - digits + 1,
                      std::numeric_limits<T>::min_exponent - digits);
  mpfr_t error;
  mpfr_init2(error, 256);
  mpfr_set_d(error, double(got), MPFR_RNDN);
  mpfr_sub(error, error, truth, MPFR_RNDN);
  mpfr_mul_2si(error, error, -exponent, MPFR_RNDN);
  double result = std::fabs(mpfr_get_d(error, MPFR_RNDN));
  mpfr_clear(error);
  return result;
}

template <typename T>
bool checkRows(const std::string &folder, const std::string &bits,
               double allowed = kAllowed) {
  std::vector<T> x = read<T>(folder + "/x" + bits + ".npy");
  std::vector<T> y = read<T>(folder + "/y" + bits + ".npy");
  std::vector<T> results = read<T>(folder + "/r" + bits + ".npy");
  if (results.size() != x.size() * std::size(kFunctions)) {
    std::printf("%zu results, expected %zu\n", results.size(),
                x.size() * std::size(kFunctions));
    return false;
  }
  mpfr_t a, b, truth;
  mpfr_inits2(53, a, b, nullptr);
  mpfr_init2(truth, 160);
  bool good = true;
  const T *got = results.data();
  for (const Function &f : kFunctions) {
    double worst = 0;
    size_t where = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      mpfr_set_d(a, double(x[i]), MPFR_RNDN);
      mpfr_set_d(b, double(y[i]), MPFR_RNDN);
      if (f.unary)
        f.unary(truth, a, MPFR_RNDN);
      else
        f.binary(truth, a, b, MPFR_RNDN);
      double error = distance(*got++, truth);
      if (error > worst) {
        worst = error;
        where = i;
      }
    }
    bool holds = worst <= allowed;
    good &= holds;
    std::printf("%s%s f%s %.3f ulp at %.17g, %.17g\n", holds ? "" : "BAD ",
                f.name, bits.c_str(), worst, double(x[where]),
                double(y[where]));
  }
  mpfr_clears(a, b, truth, nullptr);
  return good;
}

template <typename T>
bool isSame(const std::string &one, const std::string &other) {
  std::vector<T> a = read<T>(one), b = read<T>(other);
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (std::memcmp(&a[i], &b[i], sizeof(T)) != 0 &&
        !(std::isnan(a[i]) && std::isnan(b[i]))) {
      std::printf("number %zu: %.17g and %.17g\n", i, double(a[i]),
                  double(b[i]));
      return false;
    }
  return a.size() == b.size();
}

} // namespace

int main(int argc, char **argv) {
  std::string verb = argc == 3 ? argv[1] : "",
              folder = argc == 3 ? argv[2] : "";
  if (verb == "make") {
    std::vector<double> x64, y64;
    std::vector<float> x32, y32;
    makeArguments(12000, x64, y64);
    makeArguments(15000, x32, y32);
    write(folder + "/x64.npy", x64);
    write(folder + "/y64.npy", y64);
    write(folder + "/x32.npy", x32);
    write(folder + "/y32.npy", y32);
    return 0;
  }
  if (verb == "check") {
    bool good = checkRows<double>(folder, "64");
    good &= checkRows<float>(folder, "32");
    return good ? 0 : 1;
  }
  if (argc == 4 && std::string(argv[1]) == "check32")
    return checkRows<float>(argv[2], "32", std::atof(argv[3])) ? 0 : 1;
  if (argc == 4 && std::string(argv[1]) == "same64")
    return isSame<double>(argv[2], argv[3]) ? 0 : 1;
  if (argc == 4 && std::string(argv[1]) == "same32")
    return isSame<float>(argv[2], argv[3]) ? 0 : 1;
  std::fprintf(stderr, "usage: chi-math-accuracy make|check FOLDER\n");
  return 2;
}
