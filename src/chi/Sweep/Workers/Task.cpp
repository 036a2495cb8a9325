//===- Task.cpp - What a worker runs --------------------------------------===//
#include "chi/Sweep/Workers/Task.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace chi;
using namespace chi::sweep;

std::string sweep::textOf(const Task &task) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::json::OStream json(out);
  auto list = [&](llvm::StringRef name, const std::vector<std::string> &texts) {
    json.attributeArray(name, [&] {
      for (const std::string &each : texts)
        json.value(llvm::json::fixUTF8(each));
    });
  };
  json.object([&] {
    json.attribute(task.isCompilation ? "compile" : "point", task.point);
    json.attribute("attempt", task.attempt);
    if (task.continues)
      json.attribute("continues", true);
    json.attribute("folder", llvm::json::fixUTF8(task.folder));
    list("command", task.command);
    if (!task.continuation.empty())
      list("continuation", task.continuation);
    if (!task.inputs.empty())
      list("inputs", task.inputs);
  });
  out << "\n";
  return text;
}

static void readTexts(const llvm::json::Object &object, llvm::StringRef name,
                      std::vector<std::string> &texts) {
  if (auto *array = object.getArray(name))
    for (const llvm::json::Value &each : *array)
      texts.push_back(each.getAsString().value_or("").str());
}

std::optional<Task> sweep::readTask(llvm::StringRef text) {
  auto value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  auto *object = value->getAsObject();
  if (!object)
    return std::nullopt;
  auto point = object->getInteger("point"),
       compile = object->getInteger("compile");
  if (!point && !compile)
    return std::nullopt;
  Task task;
  task.isCompilation = compile.has_value();
  task.point = compile ? *compile : *point;
  task.attempt = int(object->getInteger("attempt").value_or(1));
  task.continues = object->getBoolean("continues").value_or(false);
  task.folder = object->getString("folder").value_or("").str();
  readTexts(*object, "command", task.command);
  readTexts(*object, "continuation", task.continuation);
  readTexts(*object, "inputs", task.inputs);
  if (task.command.empty())
    return std::nullopt;
  return task;
}
