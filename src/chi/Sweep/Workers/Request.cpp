//===- Request.cpp - How the points of a sweep are run --------------------===//
#include "chi/Sweep/Workers/Request.h"
#include "chi/Sweep/Points/Failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace chi;
using namespace chi::sweep;

using Texts = std::vector<std::string>;

namespace {
/// Writes the members of a request.
struct Writer {
  llvm::json::OStream &json;
  void operator()(const char *name, const std::string &text) {
    json.attribute(name, llvm::json::fixUTF8(text));
  }
  void operator()(const char *name, const Texts &texts) {
    json.attributeArray(name, [&] {
      for (const std::string &text : texts)
        json.value(llvm::json::fixUTF8(text));
    });
  }
  void operator()(const char *name, uint64_t value) {
    json.attribute(name, std::to_string(value)); // all 64 bits
  }
  void operator()(const char *name, bool value) { json.attribute(name, value); }
  void operator()(const char *name, int value) { json.attribute(name, value); }
  void operator()(const char *name, double value) {
    json.attribute(name, value);
  }
};

/// Reads them.
struct Reader {
  const llvm::json::Object &object;
  void operator()(const char *name, std::string &text) {
    text = object.getString(name).value_or("").str();
  }
  void operator()(const char *name, Texts &texts) {
    if (auto *array = object.getArray(name))
      for (const llvm::json::Value &each : *array)
        texts.push_back(each.getAsString().value_or("").str());
  }
  void operator()(const char *name, uint64_t &value) {
    (void)object.getString(name).value_or("0").getAsInteger(10, value);
  }
  void operator()(const char *name, bool &value) {
    value = object.getBoolean(name).value_or(value);
  }
  void operator()(const char *name, int &value) {
    value = int(object.getInteger(name).value_or(value));
  }
  void operator()(const char *name, double &value) {
    value = object.getNumber(name).value_or(value);
  }
};
} // namespace

template <typename R, typename Visit>
static void eachMember(R &request, Visit visit) {
  visit("program", request.program);
  visit("executable", request.isExecutable);
  visit("fixed", request.fixed);
  visit("hash", request.hash);
  visit("inputs", request.inputs);
  visit("specialized", request.specialized);
  visit("seed", request.seed);
  visit("same-seed", request.hasSameSeed);
  visit("checkpoints", request.hasCheckpoints);
  visit("every", request.every);
  visit("retries", request.retries);
  visit("jobs", request.jobs);
  visit("threads", request.threads);
  visit("gpus", request.gpus);
  visit("slurm", request.slurm.isUsed);
  visit("time", request.slurm.time);
  visit("partition", request.slurm.partition);
  visit("account", request.slurm.account);
  visit("gpus-per-task", request.slurm.gpus);
  visit("cpus-per-task", request.slurm.cpus);
  visit("sbatch", request.slurm.sbatch);
  visit("chunk-time", request.slurm.chunkTime);
  visit("chunk", request.slurm.chunk);
}

std::string sweep::textOf(const Request &request) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::json::OStream json(out, 2);
  json.object([&] { eachMember(request, Writer{json}); });
  return text;
}

llvm::Expected<Request> sweep::readRequest(llvm::StringRef text) {
  auto value = llvm::json::parse(text);
  if (!value)
    return value.takeError();
  auto *object = value->getAsObject();
  if (!object)
    return failure("the table has no request");
  Request request;
  eachMember(request, Reader{*object});
  return request;
}

Point sweep::pointOf(const Row &row) {
  Point point;
  auto value = llvm::json::parse(row.params);
  if (!value) {
    llvm::consumeError(value.takeError());
    return point;
  }
  if (auto *pairs = value->getAsArray())
    for (const llvm::json::Value &each : *pairs)
      if (auto *pair = each.getAsArray(); pair && pair->size() == 2)
        point.values.push_back({(*pair)[0].getAsString().value_or("").str(),
                                (*pair)[1].getAsString().value_or("").str()});
  return point;
}

Row sweep::rowOf(const Point &point, const Request &request) {
  Row row;
  llvm::raw_string_ostream out(row.params);
  llvm::json::OStream json(out);
  json.array([&] {
    for (const Point::Value &value : point.values)
      json.array([&] {
        json.value(llvm::json::fixUTF8(value.name));
        json.value(llvm::json::fixUTF8(value.text));
      });
  });
  row.seed = request.hasSameSeed ? request.seed : seedOf(point, request.seed);
  if (const std::string *seed = point.find("seed"))
    (void)llvm::StringRef(*seed).getAsInteger(10, row.seed);
  row.key = keyOf(point, row.seed);
  row.program = request.hash;
  return row;
}

std::string sweep::folderOf(const std::string &out, int64_t point) {
  std::string number = std::to_string(point);
  if (number.size() < 5)
    number.insert(0, 5 - number.size(), '0');
  return out + "/points/" + number;
}

/// Whether a flag is among the words for all points.
static bool isFixed(const Request &request, llvm::StringRef flag) {
  return llvm::any_of(request.fixed, [&](llvm::StringRef word) {
    return word.split('=').first == flag;
  });
}

Task sweep::taskOf(const Row &row, const Request &request,
                   const std::string &out, const std::string &chic, int threads,
                   const std::string &gpu) {
  Point point = pointOf(row);
  Task task;
  task.point = row.number;
  task.attempt = row.attempts;
  task.folder = folderOf(out, row.number);
  task.inputs = request.inputs;
  if (!request.isExecutable)
    task.command = {chic, "run"};
  task.command.push_back(request.program);
  llvm::append_range(task.command, request.fixed);
  auto add = [&](const std::string &name, const std::string &value) {
    if (!value.empty() && !point.find(name) && !isFixed(request, "--" + name))
      task.command.push_back("--" + name + "=" + value);
  };
  add("threads", std::to_string(threads));
  add("device", gpu);
  add("seed", std::to_string(row.seed));
  for (const Point::Value &value : point.values)
    task.command.push_back("--" + value.name + "=" + value.text);
  if (request.hasCheckpoints) {
    add("checkpoint", "state.ckpt");
    add("every", request.every);
    task.continuation = {"--resume=state.ckpt"};
  }
  task.continues = row.hasCheckpoint && request.hasCheckpoints;
  if (task.continues)
    llvm::append_range(task.command, std::exchange(task.continuation, {}));
  return task;
}

std::string sweep::compiledInto(const Row &row, const Request &request) {
  std::string text;
  for (const Point::Value &value : pointOf(row).values)
    if (llvm::is_contained(request.specialized, value.name))
      text += value.name + "=" + value.text + '\n';
  return text;
}
