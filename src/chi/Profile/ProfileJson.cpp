//===- ProfileJson.cpp - A profile as JSON --------------------------------===//
#include "chi/Profile/Report.h"

#include "llvm/Support/JSON.h"

using namespace chi::profile;

static llvm::StringRef nameOf(Quality quality) {
  switch (quality) {
  case Quality::Exact:
    return "exact";
  case Quality::Estimated:
    return "estimated";
  case Quality::Unknown:
    break;
  }
  return "unknown";
}

/// The members of a kernel. A count that is not known is null.
static void writeKernel(const Row &row, const Report &report,
                        llvm::json::OStream &json) {
  const LaunchWork &work = row.work;
  auto count = [&](llvm::StringRef name, double number, Quality quality) {
    if (quality == Quality::Unknown)
      json.attribute(name, nullptr);
    else
      json.attribute(name, number);
  };
  json.object([&] {
    json.attribute("name", row.name);
    json.attribute("kernel", row.kernel);
    json.attribute("file", row.file);
    json.attribute("line", row.line);
    json.attribute("adjoint", row.isAdjoint);
    json.attribute("launches", row.calls);
    json.attribute("seconds", row.seconds);
    json.attribute("least_seconds", row.least);
    json.attribute("most_seconds", row.most);
    count("bytes_read", work.bytesRead, work.byteQuality);
    count("bytes_written", work.bytesWritten, work.byteQuality);
    json.attribute("bytes_are", nameOf(work.byteQuality));
    count("flops_f32", work.flops32, work.flopQuality);
    count("flops_f64", work.flops64, work.flopQuality);
    count("function_calls", work.functions, work.flopQuality);
    json.attribute("flops_are", nameOf(work.flopQuality));
    json.attribute("bandwidth_part",
                   report.roofline.partOfBandwidth(work.bytes(), row.seconds));
    json.attribute("peak_part", report.roofline.partOfPeak(
                                    work.flops32, work.flops64, row.seconds));
  });
}

void chi::profile::writeJson(const Report &report, llvm::raw_ostream &out) {
  llvm::json::OStream json(out, 2);
  json.object([&] {
    json.attribute("format", "chi profile 1");
    json.attribute("program", report.program);
    json.attribute("device", report.device);
    json.attribute("seconds", report.wall);
    json.attribute("kernel_seconds", report.profile.seconds());
    json.attributeObject("limits", [&] {
      json.attribute("bandwidth", report.roofline.bandwidth);
      json.attribute("peak_f32", report.roofline.peak32);
      json.attribute("peak_f64", report.roofline.peak64);
    });
    json.attributeArray("kernels", [&] {
      for (const Row &row : report.profile.rows())
        writeKernel(row, report, json);
    });
  });
  out << "\n";
}
