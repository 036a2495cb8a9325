//===- Code.h - What the interpreter runs -----------------------*- C++ -*-===//
// Regions are translated to lists of instructions over registers, one 8-byte
// register an SSA value: integers zero-extended, f32 and f16 as their bits in
// the low part, fields and strs as pointers. Structured operations hold the
// blocks inside them.
#ifndef CHI_INTERP_CODE_H
#define CHI_INTERP_CODE_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Dialect/Chi/MemoryOrder.h"
#include "chi/Dialect/Chi/RuntimeFunctions.h"
#include "chi/Dialect/Chi/Schedule.h"
#include "chi/Interp/Interp.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>

namespace chi::interp {

using ir::byteSize;
using Register = uint32_t;
class Machine;
struct Function;
struct Task;

/// The activation of a function or task.
struct Frame {
  uint64_t *r;
  Machine *machine;
  const Task *task = nullptr;         ///< null in host code
  const int64_t *iteration = nullptr; ///< of the task
  int64_t linear = 0;                 ///< flattened number of the iteration
  int64_t numCells = 0;               ///< made so far, freed at the end
};

struct Instr;
using Handler = void (*)(Frame &, const Instr &);

/// One instruction. What the fields mean is the handler's business.
struct Instr {
  Handler run = nullptr;
  Register dst = 0, a = 0, b = 0, c = 0;
  uint64_t imm = 0;
  const void *extra = nullptr;
};

/// A block: its code, its arguments, and the values that its terminator passes
/// on.
struct Code {
  std::vector<Instr> instrs;
  std::vector<Register> args, yields;
  Register condition = 0; ///< of scf.condition

  /// Executes the instructions in order. A failure leaves by longjmp.
  void run(Frame &frame) const {
    for (const Instr &instr : instrs)
      instr.run(frame, instr);
  }
};

struct Function {
  std::string name;
  Code code;
  uint32_t numRegisters = 0;
  size_t mostActive = 1;
  bool draws = false; ///< random numbers
};

/// The state of a task's `reduction` accumulation.
struct ReductionTarget {
  ir::AccumKind kind = ir::AccumKind::add;
  mlir::Type scalar;
};

/// The descriptor that the run time launches, and its task.
struct TaskDescriptor : chirt_task {
  const Task *task;
  Machine *machine;
};

struct Task : Function {
  unsigned rank = 0, numCaptured = 0;
  std::string kernel, axes;
  std::vector<ReductionTarget> reductions;
  std::vector<unsigned> indexBits; ///< of the index variables' types
  std::vector<chirt_argument> arguments;
  TaskDescriptor descriptor = {};
  bool isInstrumented = false; ///< --check=races marks accesses of it
};

/// The entry of all tasks: evaluates the task of the descriptor.
void runTask(const chirt_task *descriptor, const int64_t *words,
             const chirt_domain *over);

/// Partial results of one reduction target during a launch (language.md,
/// Num.5).
struct ReductionState {
  uint64_t lanes[16];
  char *target = nullptr; ///< null: no iteration has added yet
  std::vector<uint64_t> blocks;
};

/// The program and its memory.
class Machine {
public:
  Machine(mlir::ModuleOp program, mlir::ModuleOp mathLibrary);

  // Translation (Translate.cpp).
  /// Translates all functions and tasks. False if an operation has no
  /// translation; `error` then names it.
  bool translateAll();
  /// A function of the program, or null.
  Function *function(llvm::StringRef name);
  /// A task of the program, or null.
  Task *task(llvm::StringRef name);
  /// A function of the math library, or null.
  Function *mathFunction(llvm::StringRef name);
  /// The storage of a global, or null.
  uint64_t *global(llvm::StringRef name);

  // Evaluation. A failure leaves by longjmp, past every destructor: running
  // code owns no memory.
  /// Takes arguments from registers of the caller and writes results there.
  void call(const Function &callee, Frame &caller,
            llvm::ArrayRef<Register> args, llvm::ArrayRef<Register> results);
  /// Runs a host function without arguments and results.
  void runFunction(llvm::StringRef name);
  /// Leaves the running launch after a failure.
  [[noreturn]] void leaveLaunch() { longjmp(launchExit, 1); }

  mlir::ModuleOp program, mathLibrary;
  std::string error;
  chirt_program table{};
  std::vector<chirt_param> params;
  std::vector<chirt_test> tests;
  std::vector<std::string> setDefaults, testFunctions;
  std::deque<std::string> strings;
  std::deque<std::vector<const char *>> stringLists;
  std::deque<std::vector<void *>> storages;
  std::deque<chirt_site> sites;
  std::deque<std::vector<uint8_t>> bytes;
  std::vector<std::shared_ptr<void>> extras; ///< of instructions
  jmp_buf launchExit;
  std::vector<ReductionState> *reductions = nullptr; ///< of the running launch
  std::vector<char> packed;   ///< values in the run time's form, for a call
  std::vector<int64_t> words; ///< arguments of a launch

  /// Keeps a text for the lifetime of the machine.
  const char *keep(llvm::StringRef text) {
    return strings.emplace_back(text.str()).c_str();
  }
  /// Registers of a new activation; given back by `pop`.
  uint64_t *push(uint32_t count);
  /// Returns the registers of the latest activation.
  void pop(uint32_t count) { top -= count; }

private:
  friend class Translator;
  void makeTable();
  void makeStack();
  llvm::StringMap<std::unique_ptr<Function>> functions, mathFunctions;
  llvm::StringMap<std::unique_ptr<Task>> tasks;
  llvm::StringMap<uint64_t> globals;
  struct FreeMemory {
    void operator()(uint64_t *memory) const { std::free(memory); }
  };
  std::unique_ptr<uint64_t[], FreeMemory> stack;
  size_t stackSize = 0, top = 0;
};

/// Translates the body of one function or task.
class Translator {
public:
  Translator(Machine &machine, Function &function, Task *task)
      : machine(machine), function(function), task(task) {}

  /// Appends the translation of a block to `code`.
  void translate(mlir::Block &block, Code &code);
  /// Fills the descriptor of the task, which is translated.
  void describeTask(ir::TaskOp op);
  /// The register of a value; assigned on first use.
  Register reg(mlir::Value value);
  /// Appends an instruction.
  Instr &emit(Code &code, Handler handler);
  /// Remembers the first operation that has no translation.
  void fail(mlir::Operation *op);

  Machine &machine;
  Function &function;
  Task *task;

private:
  bool translateArith(mlir::Operation *op, Code &code);
  bool translateMath(mlir::Operation *op, Code &code);
  bool translateStructure(mlir::Operation *op, Code &code);
  bool translateField(mlir::Operation *op, Code &code);
  bool translateTask(mlir::Operation *op, Code &code);
  bool translateLaunch(mlir::Operation *op, Code &code);
  bool translateHost(mlir::Operation *op, Code &code);
  llvm::DenseMap<mlir::Value, Register> registers;

public:
  ir::ReductionNumbers reductions; ///< of the task
  /// Extras of instructions live as long as the machine.
  template <typename T, typename... Args> T *extra(Args &&...args) {
    auto made = std::make_shared<T>(T{std::forward<Args>(args)...});
    machine.extras.push_back(made);
    return made.get();
  }
};

/// The site of an operation, for messages of the run time.
const chirt_site *makeSite(Translator &translator, mlir::Location loc,
                           int32_t kind, llvm::StringRef what, int32_t axis,
                           llvm::ArrayRef<uint8_t> types);

//===----------------------------------------------------------------------===//
// Bits and numbers
//===----------------------------------------------------------------------===//

/// A mask of the `bits` lowest bits.
inline uint64_t maskOf(unsigned bits) {
  return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}
/// Interprets the `bits` lowest bits as a signed integer.
inline int64_t signExtend(uint64_t value, unsigned bits) {
  return bits >= 64 ? int64_t(value)
                    : int64_t(value << (64 - bits)) >> (64 - bits);
}
/// The value whose object representation begins with the low bytes of `bits`.
template <typename T> T fromBits(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}
/// The object representation of `value` in the low bytes; the others are 0.
template <typename T> uint64_t toBits(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}
/// The lesser float; a NaN is ignored, and -0 is less than +0.
template <typename T> T leastOf(T x, T y) {
  if (x != x || y != y)
    return x != x ? y : x;
  // Only zeros are equal and differ, by the sign.
  return x == y ? ((toBits(x) >> (8 * sizeof(T) - 1)) ? x : y) : x < y ? x : y;
}
/// The greater float; a NaN is ignored, and -0 is less than +0.
template <typename T> T greatestOf(T x, T y) { return -leastOf(T(-x), T(-y)); }
/// The host's copy of a field's elements, current.
inline char *elementsOf(chirt_field *field, bool isWritten) {
  if (isWritten ? field->current != CHIRT_AT_HOST
                : !(field->current & CHIRT_AT_HOST))
    chirt_field_acquire(field, CHIRT_AT_HOST,
                        isWritten ? CHIRT_TO_UPDATE : CHIRT_TO_READ);
  return static_cast<char *>(field->data);
}
/// dtype of chirt.h; integers count as signed unless said.
/// a combined with b as an accumulation of `kind` does.
uint64_t combine(ir::AccumKind kind, mlir::Type scalar, uint64_t a, uint64_t b);
/// The neutral element of an accumulation of `kind`, as bits.
uint64_t neutral(ir::AccumKind kind, mlir::Type scalar);

} // namespace chi::interp
#endif // CHI_INTERP_CODE_H
