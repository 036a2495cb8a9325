//===- Interp.cpp - The program's table -----------------------------------===//

#include "chi/Interp/Interp.h"
#include "chi/Interp/Code.h"
#include <array>
#include <utility>

using namespace mlir;
using namespace chi;
using namespace chi::interp;

// The table of chirt.h holds plain C functions, so that the machine that runs
// and the number of the function are found by a trampoline each.
static Machine *running = nullptr;
static constexpr size_t kMaxFunctions = 512;

template <size_t K> static void setDefault() {
  running->runFunction(running->setDefaults[K]);
}
template <size_t K> static void runTest() {
  running->runFunction(running->testFunctions[K]);
}
static void runScript() { running->runFunction(ir::kScriptName); }

using Trampoline = void (*)();
template <size_t... K>
static constexpr std::array<Trampoline, sizeof...(K)>
defaultTrampolines(std::index_sequence<K...>) {
  return {setDefault<K>...};
}
template <size_t... K>
static constexpr std::array<Trampoline, sizeof...(K)>
testTrampolines(std::index_sequence<K...>) {
  return {runTest<K>...};
}
static constexpr auto kDefaults =
    defaultTrampolines(std::make_index_sequence<kMaxFunctions>());
static constexpr auto kTests =
    testTrampolines(std::make_index_sequence<kMaxFunctions>());

void Machine::runFunction(StringRef name) {
  top = 0; // an earlier one may have been left by a failure
  trees = nullptr;
  Frame none{nullptr, this};
  if (Function *callee = function(name))
    call(*callee, none, {}, {});
}

static StringRef text(DictionaryAttr dict, StringRef key) {
  auto attr = dict.getAs<StringAttr>(key);
  return attr ? attr.getValue() : StringRef();
}

static chirt_param makeParam(Machine &machine, DictionaryAttr dict) {
  chirt_param param{};
  param.name = machine.keep(text(dict, "name"));
  param.dtype = int32_t(dict.getAs<IntegerAttr>("dtype").getInt());
  auto globals = dict.getAs<ArrayAttr>("globals");
  param.components = int32_t(globals.size());
  auto &storage = machine.storages.emplace_back();
  for (Attribute global : globals)
    storage.push_back(
        machine.global(cast<FlatSymbolRefAttr>(global).getValue()));
  param.storage = storage.data();
  param.doc = machine.keep(text(dict, "doc"));
  param.default_text = machine.keep(text(dict, "default_text"));
  if (auto low = dict.getAs<FloatAttr>("low")) {
    param.has_range = 1;
    param.low = low.getValueAsDouble();
    param.high = dict.getAs<FloatAttr>("high").getValueAsDouble();
  }
  if (auto choices = dict.getAs<ArrayAttr>("choices")) {
    auto &list = machine.stringLists.emplace_back();
    for (Attribute choice : choices)
      list.push_back(machine.keep(cast<StringAttr>(choice).getValue()));
    list.push_back(nullptr);
    param.choices = list.data();
  }
  if (auto fixed = dict.getAs<StringAttr>("fixed_text"))
    param.fixed_text = machine.keep(fixed.getValue());
  return param;
}

void Machine::makeTable() {
  table.abi_version = CHIRT_ABI_VERSION;
  auto moduleText = [&](StringRef key) {
    auto attr = program->getAttrOfType<StringAttr>(key);
    return keep(attr ? attr.getValue() : StringRef());
  };
  table.file = moduleText("chi.file");
  table.doc = moduleText("chi.doc");
  auto list = [&](StringRef key) {
    auto attr = program->getAttrOfType<ArrayAttr>(key);
    return attr ? attr.getValue() : ArrayRef<Attribute>();
  };
  if (list("chi.params").size() > kMaxFunctions ||
      list("chi.tests").size() > kMaxFunctions) {
    error = "more than 512 params or tests";
    return;
  }
  for (Attribute attr : list("chi.params")) {
    auto dict = cast<DictionaryAttr>(attr);
    chirt_param param = makeParam(*this, dict);
    if (auto symbol = dict.getAs<FlatSymbolRefAttr>("set_default"))
      param.set_default = kDefaults[params.size()];
    auto symbol = dict.getAs<FlatSymbolRefAttr>("set_default");
    setDefaults.push_back(symbol ? symbol.getValue().str() : "");
    params.push_back(param);
  }
  for (Attribute attr : list("chi.tests")) {
    auto dict = cast<DictionaryAttr>(attr);
    tests.push_back({keep(text(dict, "name")), kTests[tests.size()]});
    testFunctions.push_back(
        dict.getAs<FlatSymbolRefAttr>("function").getValue().str());
  }
  table.params = params.data();
  table.num_params = int32_t(params.size());
  table.script = runScript;
  table.tests = tests.data();
  table.num_tests = int32_t(tests.size());
}

Interpreter::Interpreter(ModuleOp program, ModuleOp mathLibrary)
    : machine(std::make_unique<Machine>(program, mathLibrary)) {
  machine->translateAll();
  running = machine.get();
}

Interpreter::~Interpreter() {
  if (running == machine.get())
    running = nullptr;
  // What top-level variables still hold; of a compiled program that goes with
  // the process.
  for (auto global : machine->program.getOps<ir::GlobalOp>())
    if (isa<ir::FieldType>(global.getType()))
      if (uint64_t *held = machine->global(global.getSymName()))
        chirt_field_release(reinterpret_cast<chirt_field *>(*held));
}

bool Interpreter::isValid() const { return machine->error.empty(); }
const std::string &Interpreter::error() const { return machine->error; }
const chirt_program *Interpreter::program() const { return &machine->table; }
