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
  reductions = nullptr;
  Frame none{nullptr, this};
  if (Function *callee = function(name))
    call(*callee, none, {}, {});
}

static chirt_param makeParam(Machine &machine, ir::ParamOp op) {
  chirt_param param{};
  param.name = machine.keep(op.getName());
  param.dtype = *ir::dtypeNamed(op.getType());
  param.components = int32_t(op.getVariables().size());
  auto &storage = machine.storages.emplace_back();
  for (auto variable : op.getVariables().getAsRange<FlatSymbolRefAttr>())
    storage.push_back(machine.global(variable.getValue()));
  param.storage = storage.data();
  param.doc = machine.keep(op.getDoc().value_or(""));
  param.default_text = machine.keep(op.getDefaultText());
  if (std::optional<APFloat> low = op.getLow()) {
    param.has_range = 1;
    param.low = low->convertToDouble();
    param.high = op.getHigh()->convertToDouble();
  }
  if (std::optional<ArrayAttr> choices = op.getChoices()) {
    auto &list = machine.stringLists.emplace_back();
    for (Attribute choice : *choices)
      list.push_back(machine.keep(cast<StringAttr>(choice).getValue()));
    list.push_back(nullptr);
    param.choices = list.data();
  }
  if (std::optional<StringRef> fixed = op.getFixed())
    param.fixed_text = machine.keep(*fixed);
  return param;
}

void Machine::makeTable() {
  table.abi_version = CHIRT_ABI_VERSION;
  auto moduleText = [&](StringRef key) {
    auto attr = program->getAttrOfType<StringAttr>(key);
    return keep(attr ? attr.getValue() : StringRef());
  };
  table.file = moduleText(ir::kFileAttr);
  table.doc = moduleText(ir::kDocAttr);
  for (ir::ParamOp op : program.getOps<ir::ParamOp>()) {
    if (params.size() == kMaxFunctions)
      return void(error = "more than 512 params");
    params.push_back(makeParam(*this, op));
    if (op.getSetBy())
      params.back().set_default = kDefaults[params.size() - 1];
    setDefaults.push_back(op.getSetBy().value_or("").str());
  }
  for (ir::TestOp op : program.getOps<ir::TestOp>()) {
    if (tests.size() == kMaxFunctions)
      return void(error = "more than 512 tests");
    tests.push_back({keep(op.getName()), kTests[tests.size()]});
    testFunctions.push_back(op.getBody().str());
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
  // Handles that top-level variables still own; in a compiled program the end
  // of the process frees them.
  for (auto global : machine->program.getOps<ir::GlobalOp>())
    if (uint64_t *held = isa<ir::HandleTypeInterface>(global.getType())
                             ? machine->global(global.getSymName())
                             : nullptr) {
      if (isa<ir::FieldType>(global.getType()))
        chirt_field_release(reinterpret_cast<chirt_field *>(*held));
      else
        chirt_str_release(reinterpret_cast<const char *>(*held));
    }
}

bool Interpreter::isValid() const { return machine->error.empty(); }
const std::string &Interpreter::error() const { return machine->error; }
const chirt_program *Interpreter::program() const { return &machine->table; }
