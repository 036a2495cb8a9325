//===- Translate.cpp - Regions to instructions ----------------------------===//

#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "chi/Interp/Code.h"

using namespace mlir;
using namespace chi;
using namespace chi::interp;

Register Translator::reg(Value value) {
  auto [it, isNew] = registers.try_emplace(value, function.numRegisters);
  if (isNew)
    ++function.numRegisters;
  return it->second;
}

Instr &Translator::emit(Code &code, Handler handler) {
  Instr &instr = code.instrs.emplace_back();
  instr.run = handler;
  return instr;
}

void Translator::fail(Operation *op) {
  if (machine.error.empty())
    machine.error = op->getName().getStringRef().str();
}

static bool isPlainTerminator(Operation *op) {
  return isa<scf::YieldOp, func::ReturnOp, ir::NextOp, ir::ReturnOp>(op);
}

void Translator::translate(Block &block, Code &code) {
  for (BlockArgument arg : block.getArguments())
    code.args.push_back(reg(arg));
  for (Operation &op : block) {
    if (auto condition = dyn_cast<scf::ConditionOp>(op)) {
      code.condition = reg(condition.getCondition());
      for (Value value : condition.getArgs())
        code.yields.push_back(reg(value));
      continue;
    }
    if (isPlainTerminator(&op)) {
      for (Value value : op.getOperands())
        code.yields.push_back(reg(value));
      continue;
    }
    if (!translateArith(&op, code) && !translateMath(&op, code) &&
        !translateStructure(&op, code) && !translateField(&op, code) &&
        !translateTask(&op, code) && !translateHost(&op, code))
      fail(&op);
  }
}

static std::string joinAxes(ArrayAttr axes) {
  std::string text;
  if (axes)
    for (Attribute axis : axes) {
      if (!text.empty())
        text += ", ";
      text += cast<StringAttr>(axis).getValue();
    }
  return text;
}

Machine::Machine(ModuleOp program, ModuleOp mathLibrary)
    : program(program), mathLibrary(mathLibrary) {}

/// Activations never move, and no function is active twice unless it is
/// recursive: all of them together are the most that is ever needed. What is
/// not used is no memory.
void Machine::makeStack() {
  constexpr size_t kForMathLibrary = 1 << 18;
  stackSize = kForMathLibrary;
  for (const auto &entry : functions)
    stackSize += entry.second->numRegisters * entry.second->mostActive;
  for (const auto &entry : tasks)
    stackSize += entry.second->numRegisters;
  stack.reset(
      static_cast<uint64_t *>(std::calloc(stackSize, sizeof(uint64_t))));
  if (!stack && error.empty())
    error = "no memory for the local arrays";
}

bool Machine::translateAll() {
  for (ir::GlobalOp op : program.getOps<ir::GlobalOp>())
    globals[op.getSymName()] = 0;
  // Addresses of map entries are stable from here on.
  for (ir::TaskOp op : program.getOps<ir::TaskOp>()) {
    auto made = std::make_unique<Task>();
    made->name = op.getSymName().str();
    made->rank = op.getRank();
    made->numCaptured = op.getNumCaptured();
    made->kernel = op.getKernel().str();
    if (op.getNumPrimal())
      made->kernel += ", backward pass";
    made->axes = joinAxes(op.getAxesAttr());
    tasks[op.getSymName()] = std::move(made);
  }
  for (func::FuncOp op : program.getOps<func::FuncOp>()) {
    auto made = std::make_unique<Function>();
    made->name = op.getSymName().str();
    if (auto most = op->getAttrOfType<IntegerAttr>(ir::kOpenCallsAttr))
      made->mostActive += most.getInt();
    functions[op.getSymName()] = std::move(made);
  }
  for (ir::TaskOp op : program.getOps<ir::TaskOp>()) {
    Task &made = *tasks[op.getSymName()];
    Translator translator(*this, made, &made);
    translator.translate(op.getBody().front(), made.code);
    translator.describeTask(op);
  }
  for (func::FuncOp op : program.getOps<func::FuncOp>())
    if (!op.isExternal()) {
      Function &made = *functions[op.getSymName()];
      Translator(*this, made, nullptr)
          .translate(op.getBody().front(), made.code);
    }
  makeTable();
  makeStack();
  return error.empty();
}

Function *Machine::function(StringRef name) {
  auto it = functions.find(name);
  return it == functions.end() ? nullptr : it->second.get();
}

Task *Machine::task(StringRef name) {
  auto it = tasks.find(name);
  return it == tasks.end() ? nullptr : it->second.get();
}

uint64_t *Machine::global(StringRef name) {
  auto it = globals.find(name);
  return it == globals.end() ? nullptr : &it->second;
}

Function *Machine::mathFunction(StringRef name) {
  if (!mathLibrary)
    return nullptr;
  auto it = mathFunctions.find(name);
  if (it != mathFunctions.end())
    return it->second.get();
  auto op = mathLibrary.lookupSymbol<func::FuncOp>(name);
  if (!op || op.isExternal())
    return nullptr;
  Function *made = (mathFunctions[name] = std::make_unique<Function>()).get();
  made->name = name.str();
  Translator(*this, *made, nullptr).translate(op.getBody().front(), made->code);
  return made;
}

uint64_t *Machine::push(uint32_t count) {
  assert(top + count <= stackSize && "the call depth is bounded");
  uint64_t *frame = stack.get() + top;
  top += count;
  return frame;
}
