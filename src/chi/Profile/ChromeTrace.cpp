//===- ChromeTrace.cpp - A profile in Chrome's trace event format ---------===//
// The format of chrome://tracing and of Perfetto: complete events ("X") with
// times in microseconds.
//===----------------------------------------------------------------------===//
#include "chi/Profile/Report.h"

#include "llvm/Support/JSON.h"

using namespace chi::profile;

static void writeEvent(const Event &event, const Report &report,
                       llvm::json::OStream &json) {
  const Row &row = report.profile.rows()[event.row];
  json.object([&] {
    json.attribute("name", row.name);
    json.attribute("cat", row.isAdjoint ? "adjoint" : "kernel");
    json.attribute("ph", "X");
    json.attribute("ts", event.begin * 1e6);
    json.attribute("dur", event.seconds * 1e6);
    json.attribute("pid", 1);
    json.attribute("tid", 1);
    json.attributeObject("args", [&] {
      if (event.work.byteQuality != Quality::Unknown)
        json.attribute("bytes", event.work.bytes());
      if (event.work.flopQuality != Quality::Unknown)
        json.attribute("flops", event.work.flops());
      json.attribute("line", row.line);
    });
  });
}

void chi::profile::writeTrace(const Report &report, llvm::raw_ostream &out) {
  llvm::json::OStream json(out);
  auto nameThread = [&](llvm::StringRef what, llvm::StringRef name) {
    json.object([&] {
      json.attribute("name", what);
      json.attribute("ph", "M");
      json.attribute("pid", 1);
      json.attribute("tid", 1);
      json.attributeObject("args", [&] { json.attribute("name", name); });
    });
  };
  json.object([&] {
    json.attribute("displayTimeUnit", "ms");
    json.attributeObject("otherData", [&] {
      json.attribute("program", report.program);
      json.attribute("dropped_launches", int64_t(report.profile.numDropped()));
    });
    json.attributeArray("traceEvents", [&] {
      nameThread("process_name", report.program);
      nameThread("thread_name", report.device);
      for (const Event &event : report.profile.events())
        writeEvent(event, report, json);
    });
  });
  out << "\n";
}
