//===- Result.cpp - What `chic bench` measured ----------------------------===//
#include "chi/Bench/Result.h"

#include "llvm/Support/JSON.h"

using namespace chi::bench;
namespace json = llvm::json;

static constexpr llvm::StringLiteral kFormat = "chi bench 1";

//===--- Writing ----------------------------------------------------------===//

static void writeSeries(const Series &series, json::OStream &out) {
  Median median = medianOf(series.runs);
  out.object([&] {
    out.attribute("arch", series.arch);
    out.attribute("device", series.device);
    out.attribute("compile_seconds", series.compileSeconds);
    out.attribute("median_seconds", median.value);
    out.attributeArray("interval_seconds", [&] {
      out.value(median.low);
      out.value(median.high);
    });
    out.attributeArray("runs_seconds", [&] {
      for (double seconds : series.runs)
        out.value(seconds);
    });
    out.attributeArray("kernels", [&] {
      for (const KernelTime &kernel : series.kernels)
        out.object([&] {
          out.attribute("name", kernel.name);
          out.attribute("launches", kernel.launches);
          out.attribute("seconds", kernel.seconds);
        });
    });
  });
}

void chi::bench::writeJson(const Result &result, llvm::raw_ostream &out) {
  json::OStream json(out, 2);
  json.object([&] {
    json.attribute("format", kFormat);
    json.attribute("program", result.program);
    json.attributeArray("arguments", [&] {
      for (const std::string &argument : result.arguments)
        json.value(argument);
    });
    json.attribute("version", result.version);
    json.attributeObject("machine", [&] {
      json.attribute("processor", result.machine.processor);
      json.attribute("cores", result.machine.cores);
      json.attribute("system", result.machine.system);
      json.attribute("host", result.machine.host);
    });
    json.attributeArray("series", [&] {
      for (const Series &series : result.series)
        writeSeries(series, json);
    });
  });
  out << "\n";
}

//===--- Reading ----------------------------------------------------------===//

static std::string textOf(const json::Object &object, llvm::StringRef name) {
  return object.getString(name).value_or("").str();
}

static llvm::Error failure(const char *sentence) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), sentence);
}

static llvm::Expected<Series> readSeries(const json::Object &object) {
  Series series;
  series.arch = textOf(object, "arch");
  series.device = textOf(object, "device");
  series.compileSeconds = object.getNumber("compile_seconds").value_or(0);
  const json::Array *runs = object.getArray("runs_seconds");
  if (series.arch.empty() || !runs || runs->empty())
    return failure("has a series without an arch or without runs");
  for (const json::Value &run : *runs) {
    auto seconds = run.getAsNumber();
    if (!seconds || !(*seconds >= 0))
      return failure("has a run that is no time");
    series.runs.push_back(*seconds);
  }
  if (const json::Array *kernels = object.getArray("kernels"))
    for (const json::Value &each : *kernels)
      if (const json::Object *kernel = each.getAsObject())
        series.kernels.push_back({textOf(*kernel, "name"),
                                  kernel->getInteger("launches").value_or(0),
                                  kernel->getNumber("seconds").value_or(0)});
  return series;
}

llvm::Expected<Result> chi::bench::readJson(llvm::StringRef text) {
  auto value = json::parse(text);
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  if (!object || object->getString("format") != kFormat)
    return failure("is no result of chic bench");
  Result result;
  result.program = textOf(*object, "program");
  result.version = textOf(*object, "version");
  if (const json::Array *arguments = object->getArray("arguments"))
    for (const json::Value &each : *arguments)
      result.arguments.push_back(each.getAsString().value_or("").str());
  if (const json::Object *machine = object->getObject("machine")) {
    result.machine = {textOf(*machine, "processor"), textOf(*machine, "system"),
                      textOf(*machine, "host"),
                      int(machine->getInteger("cores").value_or(0))};
  }
  const json::Array *all = object->getArray("series");
  if (!all)
    return failure("has no series");
  for (const json::Value &each : *all) {
    const json::Object *one = each.getAsObject();
    if (!one)
      return failure("has a series that is no object");
    auto series = readSeries(*one);
    if (!series)
      return series.takeError();
    result.series.push_back(std::move(*series));
  }
  return result;
}

//===--- Comparing --------------------------------------------------------===//

static constexpr double kSignificance = 0.01;

static Comparison compareSeries(const Series &before, const Series &after,
                                double tolerance) {
  Comparison verdict;
  verdict.arch = after.arch;
  verdict.before = medianOf(before.runs).value;
  verdict.after = medianOf(after.runs).value;
  std::vector<double> allowed;
  for (double seconds : before.runs)
    allowed.push_back(seconds * (1 + tolerance));
  verdict.probability = probabilityOfNoIncrease(allowed, after.runs);
  verdict.isRegression = verdict.after > verdict.before * (1 + tolerance) &&
                         verdict.probability < kSignificance;
  return verdict;
}

std::vector<Comparison> chi::bench::compare(const Result &before,
                                            const Result &after,
                                            double tolerance) {
  std::vector<Comparison> verdicts;
  for (const Series &later : after.series)
    for (const Series &earlier : before.series)
      if (earlier.arch == later.arch)
        verdicts.push_back(compareSeries(earlier, later, tolerance));
  return verdicts;
}
