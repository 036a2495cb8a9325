//===- Roofline.h - What a machine can do -----------------------*- C++ -*-===//
// The roofline model of Williams, Waterman and Patterson (CACM 52(4), 2009):
// a kernel is limited by the bandwidth of memory or by the peak of arithmetic.
// Both are measured by a Chi program, so that they are those of code that chic
// generates, on the device and the threads that a profile is about. The
// bandwidth is that of STREAM's triad (McCalpin, 1995), a[i] = b[i] + s * c[i],
// which moves three words per iteration.
//===----------------------------------------------------------------------===//
#ifndef CHI_PROFILE_ROOFLINE_H
#define CHI_PROFILE_ROOFLINE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace chi::profile {

class LaunchProfile;

/// Measured limits; 0: not known.
struct Roofline {
  double bandwidth = 0;          ///< bytes a second
  double peak32 = 0, peak64 = 0; ///< flops a second

  /// Part of the bandwidth that these bytes in that time are; 0: not known.
  double partOfBandwidth(double bytes, double seconds) const;
  /// Part of the peaks that these flops in that time are; 0: not known.
  double partOfPeak(double flops32, double flops64, double seconds) const;
};

/// The program that measures. `lastCache`: bytes of the last cache; each array
/// has four times as many, but at least 64 MiB and at most 256 MiB. `isDouble`:
/// whether the device has f64.
std::string rooflineProgram(int64_t lastCache, bool isDouble);
/// Takes the limits from a profile of that program: of the fastest launches.
Roofline rooflineOf(const LaunchProfile &profile);

/// One line of text, to be kept.
std::string textOf(const Roofline &roofline);
/// Reads that line; none if it is damaged.
std::optional<Roofline> readRoofline(std::string_view text);

} // namespace chi::profile
#endif // CHI_PROFILE_ROOFLINE_H
