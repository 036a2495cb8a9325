//===- Line.cpp - What workers write --------------------------------------===//
#include "chi/Sweep/Store/Line.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace chi;
using namespace chi::sweep;

static constexpr llvm::StringLiteral kKinds[] = {"start", "end", "ready",
                                                 "replaces"};

std::string sweep::textOf(const Line &line) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::json::OStream json(out);
  json.object([&] {
    json.attribute(kKinds[line.kind], line.point);
    if (line.kind == Line::Replaces) {
      json.attribute("file", llvm::json::fixUTF8(line.file));
      json.attribute("bytes", line.bytes);
      return;
    }
    json.attribute("attempt", line.attempt);
    json.attribute("time", line.time);
    if (line.kind == Line::Start) {
      json.attribute("host", llvm::json::fixUTF8(line.host));
      json.attribute("pid", line.pid);
      return;
    }
    json.attribute("seconds", line.seconds);
    json.attribute("exit", line.exit);
    if (line.signal)
      json.attribute("signal", line.signal);
    if (line.isStopped)
      json.attribute("stopped", true);
    if (!line.report.empty())
      json.attribute("report", llvm::json::fixUTF8(line.report));
    if (!line.error.empty())
      json.attribute("error", llvm::json::fixUTF8(line.error));
  });
  out << "\n";
  return text;
}

std::optional<Line> sweep::readLine(llvm::StringRef text) {
  auto value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  auto *object = value->getAsObject();
  auto kind = object ? llvm::find_if(kKinds,
                                     [&](llvm::StringRef name) {
                                       return object->getInteger(name);
                                     })
                     : std::end(kKinds);
  if (kind == std::end(kKinds))
    return std::nullopt;
  auto integer = [&](llvm::StringRef name) {
    return object->getInteger(name).value_or(0);
  };
  auto string = [&](llvm::StringRef name) {
    return object->getString(name).value_or("").str();
  };
  Line line;
  line.kind = Line::Kind(kind - std::begin(kKinds));
  line.point = integer(*kind);
  line.attempt = int(integer("attempt"));
  line.time = object->getNumber("time").value_or(0);
  line.host = string("host");
  line.pid = integer("pid");
  line.seconds = object->getNumber("seconds").value_or(0);
  line.exit = int(integer("exit"));
  line.signal = int(integer("signal"));
  line.isStopped = object->getBoolean("stopped").value_or(false);
  line.report = string("report");
  line.error = string("error");
  line.file = string("file");
  line.bytes = integer("bytes");
  return line;
}

std::string sweep::joinReports(llvm::StringRef text) {
  llvm::json::Object joined;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    auto value = llvm::json::parse(line);
    if (!value) { // the end of a killed program's file
      llvm::consumeError(value.takeError());
      continue;
    }
    auto *object = value->getAsObject();
    auto *report = object ? object->getObject("report") : nullptr;
    if (report)
      for (auto &[name, reported] : *report)
        joined[name] = std::move(reported);
  }
  if (joined.empty())
    return "";
  std::string out;
  llvm::raw_string_ostream(out) << llvm::json::Value(std::move(joined));
  return out;
}
