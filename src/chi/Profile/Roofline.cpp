//===- Roofline.cpp - What a machine can do -------------------------------===//
#include "chi/Profile/Roofline.h"

#include "chi/Profile/LaunchProfile.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cstdio>

using namespace chi::profile;

double Roofline::partOfBandwidth(double bytes, double seconds) const {
  return bandwidth > 0 && seconds > 0 ? bytes / seconds / bandwidth : 0;
}

double Roofline::partOfPeak(double flops32, double flops64,
                            double seconds) const {
  bool isKnown = seconds > 0 && (flops32 == 0 || peak32 > 0) &&
                 (flops64 == 0 || peak64 > 0);
  if (!isKnown)
    return 0;
  double ideal = (flops32 > 0 ? flops32 / peak32 : 0) +
                 (flops64 > 0 ? flops64 / peak64 : 0);
  return ideal / seconds;
}

/// Eight independent chains of multiply-adds: enough for the latency of two
/// units. `fma` is never rearranged, as sums and products under --float=fast
/// are.
static std::string peakKernel(llvm::StringRef type) {
  std::string text =
      llvm::formatv("@kernel\ndef peak_{0}(x: field({0}, 1), factors: "
                    "field({0}, 1)):\n    for i in x:\n        p = "
                    "factors[0]\n        q = factors[1]\n        v = x[i]\n",
                    type);
  for (int k = 0; k < 8; ++k)
    text += llvm::formatv("        s{0} = v + {0}.0\n", k);
  text += "        for k in static(range(32)):\n";
  for (int k = 0; k < 8; ++k)
    text += llvm::formatv("            s{0} = fma(s{0}, p, q)\n", k);
  text += "        x[i] = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))\n";
  // The fields are of a function, so that they go when it returns.
  text += llvm::formatv(R"(def measure_{0}():
    x = field({0}, shape=1048576)
    factors = field({0}, shape=2)
    factors[0] = 0.9
    factors[1] = 0.1
    for k in range(8):
        peak_{0}(x, factors)
)",
                        type);
  return text;
}

std::string chi::profile::rooflineProgram(int64_t lastCache, bool isDouble) {
  int64_t bytes =
      std::clamp<int64_t>(4 * lastCache, 64 << 20, int64_t(256) << 20);
  std::string text = llvm::formatv(R"(@kernel
def fill_arrays(a: field(f32, 1), b: field(f32, 1), c: field(f32, 1)):
    for i in a:
        a[i] = 0.0
        b[i] = 1.0
        c[i] = 2.0
@kernel
def triad(a: field(f32, 1), b: field(f32, 1), c: field(f32, 1), s: f32):
    for i in a:
        a[i] = b[i] + s * c[i]
def measure_triad():
    a = field(f32, shape={0})
    b = field(f32, shape={0})
    c = field(f32, shape={0})
    fill_arrays(a, b, c)
    for k in range(8):
        triad(a, b, c, 0.5)
)",
                                   bytes / 4);
  text += peakKernel("f32");
  if (isDouble)
    text += peakKernel("f64");
  text += "measure_triad()\nmeasure_f32()\n";
  if (isDouble)
    text += "measure_f64()\n";
  return text;
}

Roofline chi::profile::rooflineOf(const LaunchProfile &profile) {
  Roofline roofline;
  for (const Row &row : profile.rows()) {
    if (row.calls == 0 || row.least <= 0)
      continue;
    double calls = double(row.calls);
    if (row.kernel == "triad")
      roofline.bandwidth = row.work.bytes() / calls / row.least;
    if (row.kernel == "peak_f32")
      roofline.peak32 = row.work.flops32 / calls / row.least;
    if (row.kernel == "peak_f64")
      roofline.peak64 = row.work.flops64 / calls / row.least;
  }
  return roofline;
}

std::string chi::profile::textOf(const Roofline &roofline) {
  return llvm::formatv("chi roofline 1 {0:e17} {1:e17} {2:e17}\n",
                       roofline.bandwidth, roofline.peak32, roofline.peak64);
}

std::optional<Roofline> chi::profile::readRoofline(std::string_view text) {
  Roofline roofline;
  std::string copy(text);
  if (std::sscanf(copy.c_str(), "chi roofline 1 %lf %lf %lf",
                  &roofline.bandwidth, &roofline.peak32, &roofline.peak64) != 3)
    return std::nullopt;
  bool isSound = roofline.bandwidth > 0 && roofline.peak32 > 0;
  return isSound ? std::optional(roofline) : std::nullopt;
}
