//===- Gen.h - Inside of IRGen ----------------------------------*- C++ -*-===//
#ifndef CHI_IRGEN_GEN_H
#define CHI_IRGEN_GEN_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/IRGen/IRGen.h"
#include "chi/IRGen/ProgramValue.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace chi::ir {
enum class RuntimeType : uint8_t;
} // namespace chi::ir

namespace chi::irgen {

class ModuleGen;
class Elimination;

/// Generates the body of one function, kernel or the script.
class FunctionGen {
public:
  /// `isPassive`: no derivative goes through it (Note [Passive functions]).
  FunctionGen(ModuleGen &module, const sema::Function *function, bool isDevice,
              bool isPassive = false);

  /// Host function, or function called from kernels.
  void genFunction(mlir::func::FuncOp op);
  /// Generates the body of a kernel.
  void genKernel(ir::KernelOp op);
  /// A host function without a sema::Function whose body is given.
  void genWith(mlir::func::FuncOp op, llvm::function_ref<void()> body);

  // Statements (GenStmt.cpp, GenLoop.cpp).
  /// Generates the statements of a block.
  void genBody(const sema::Body &body);
  /// Generates one statement.
  void genStmt(const sema::Stmt *stmt);
  /// Stores the scalars of a param's value to its globals, in their order.
  void storeParam(llvm::ArrayRef<std::string> globals,
                  const ProgramValue &value);

  // Expressions.
  /// Generates an expression. The statement that contains it owns new handles.
  ProgramValue genExpr(const sema::Expr *expr);

private:
  friend class ModuleGen;
  friend class Elimination;
  struct SavedFrame;

  // GenFunction.cpp
  void bindParameters(mlir::Block &entry);
  ProgramValue boundParameter(sema::TypeRef type, mlir::Block &entry,
                              unsigned &next);
  /// Leaves the function with `value`; results in memory are stored where the
  /// caller requested.
  void finishWith(const ProgramValue &value);
  void finish(llvm::ArrayRef<mlir::Value> results);
  void finishUnreached(mlir::TypeRange types);
  void collectCells(const sema::Body &body);
  mlir::Location loc(SourceRange range);
  bool isTerminated();

  // Owned fields and strs (GenHandle.cpp).
  /// The same value with the extents of `type` in the types of its fields.
  ProgramValue castFields(ProgramValue value, sema::TypeRef type);
  /// Retains each field and str in `value`, for its new owner.
  void own(const ProgramValue &value);
  /// Gives up a reference to each field and str among `parts`.
  void release(llvm::ArrayRef<mlir::Value> parts);
  /// At each `return` of `op`: what its slots hold.
  void releaseHandles(mlir::func::FuncOp op);
  void releaseTemporaries();
  /// A value of `type` computed in a region of its own, which owns its handles.
  ProgramValue inBranch(sema::TypeRef type,
                        llvm::function_ref<ProgramValue()> make);

  // Variables (GenVariable.cpp).
  struct Storage {
    /// For each leaf of the value, its array or the slots of its scalars; for
    /// an array in a tuple that a kernel takes, the field of its scalars. Null
    /// for a field in a kernel, which is in `bound` instead, at the same place:
    /// its variable is assigned in one place.
    llvm::SmallVector<mlir::Value, 4> slots, bound;
    mlir::Value cell; ///< kernel-level: a hidden field
    /// The cell has an axis, along which the scalars lie: for a component that
    /// is found at run time.
    bool isFlat = false;
  };
  Storage &storage(const sema::Variable *variable);
  void addSlots(Storage &stored, const sema::Variable *variable,
                sema::TypeRef leaf);
  /// What the slots from `next` on hold of a value of `type`.
  ProgramValue readSlots(const Storage &stored, sema::TypeRef type,
                         unsigned &next);
  /// Stores a value to its array, unless it is there already.
  void writeArray(mlir::Value slot, const ProgramValue &value);
  ProgramValue readVariable(const sema::Variable *variable);
  void writeVariable(const sema::Variable *variable, const ProgramValue &value);
  ProgramValue readGlobal(const sema::Global *global);
  ProgramValue readGlobals(const sema::Global *global, sema::TypeRef type,
                           llvm::ArrayRef<std::string> &names);
  void writeGlobal(const sema::Global *global, const ProgramValue &value);
  void writeGlobals(const sema::Global *global, const ProgramValue &fitting,
                    size_t first);
  /// The fields of the top-level variables that live in memory.
  void makeGlobals();
  /// Stores a value, or a member whose slots begin at `next`.
  void writeSlots(Storage &stored, const ProgramValue &value, size_t next = 0);
  llvm::SmallVector<ProgramValue, 1>
  leavesFor(llvm::ArrayRef<mlir::Value> slots, const ProgramValue &value,
            size_t next);
  mlir::Value makeSlot(llvm::StringRef name, mlir::Type type,
                       llvm::ArrayRef<int64_t> shape = {});
  void genAssign(const sema::AssignStmt &stmt);
  void genAccumulate(const sema::AccumulateStmt &stmt);
  ProgramValue readInner(const sema::LValue &lvalue, const Inner &inner);
  void writeInner(const sema::LValue &lvalue, const Inner &inner,
                  const ProgramValue &value);
  /// Scalars of `lvalue` from `first`, `count` of them.
  void writeComponents(const sema::LValue &lvalue, Index first, int64_t count,
                       const ProgramValue &value);

  // Statements.
  void genIf(const sema::IfStmt &stmt);
  void genWhile(const sema::WhileStmt &stmt);
  void genFor(const sema::ForStmt &stmt);
  /// The step of a range, which must not be zero.
  mlir::Value genStep(const sema::Expr *expr);
  void genParallel(const sema::ForStmt &stmt);
  void genParallelBody(const sema::ForStmt &stmt, ir::ParallelOp op);
  void genNest(const sema::ForStmt &stmt, unsigned axis,
               llvm::ArrayRef<std::array<mlir::Value, 3>> ranges,
               mlir::Value brokenFlag);
  void genUnrolled(const sema::UnrolledStmt &stmt);
  void genReturn(const sema::ReturnStmt &stmt);
  void genAssert(const sema::AssertStmt &stmt);
  void genPrint(const sema::PrintStmt &stmt);
  void genBreak();
  void genLoopExitIf(mlir::Value flagSlot);

  // Expressions (GenExpr.cpp, GenOperator.cpp).
  ProgramValue genLiteral(const sema::LiteralExpr &expr);
  ProgramValue genText(const sema::StringLiteralExpr &expr);
  ProgramValue readParam(const sema::ParamExpr &expr);
  ProgramValue genDim(const sema::DimExpr &expr);
  ProgramValue genUnary(const sema::UnaryExpr &expr);
  ProgramValue genBinary(const sema::BinaryExpr &expr);
  ProgramValue genPow(const sema::BinaryExpr &expr);
  ProgramValue genMatMul(const sema::BinaryExpr &expr);
  ProgramValue genCompare(const sema::CompareExpr &expr);
  ProgramValue genLogical(const sema::LogicalExpr &expr);
  ProgramValue genSelect(const sema::SelectExpr &expr);
  /// `a` if the condition holds, else `c`, leaf by leaf.
  ProgramValue select(mlir::Location at, mlir::Value condition,
                      const ProgramValue &a, const ProgramValue &c);
  ProgramValue genCast(const sema::CastExpr &expr);
  ProgramValue genSplat(const sema::SplatExpr &expr);
  ProgramValue genConstruct(const sema::ConstructExpr &expr);
  ProgramValue genExtract(const sema::ExtractExpr &expr);
  ProgramValue genCall(const sema::CallExpr &expr);
  void passArgument(const ProgramValue &value,
                    llvm::SmallVectorImpl<mlir::Value> &args);
  void passToKernel(const ProgramValue &value,
                    llvm::SmallVectorImpl<mlir::Value> &args);
  mlir::Value depthOf(const sema::CallExpr &expr);
  ProgramValue callFunction(const sema::CallExpr &expr,
                            llvm::SmallVectorImpl<mlir::Value> &args);
  ProgramValue callKernel(const sema::CallExpr &expr,
                          llvm::ArrayRef<mlir::Value> args);
  ProgramValue genBuiltin(const sema::BuiltinExpr &expr);
  ProgramValue genFormat(const sema::FormatExpr &expr);
  ProgramValue genIfValue(mlir::Value condition, sema::TypeRef type,
                          llvm::function_ref<ProgramValue()> thenValue,
                          llvm::function_ref<ProgramValue()> elseValue);
  mlir::Value genScalarBinary(sema::BinaryOp op, sema::TypeRef type,
                              mlir::Value lhs, mlir::Value rhs);
  mlir::Value genFloatBinary(sema::BinaryOp op, mlir::Value lhs,
                             mlir::Value rhs);
  mlir::Value genShift(sema::BinaryOp op, sema::TypeRef type, mlir::Value lhs,
                       mlir::Value rhs);
  mlir::Value genScalarCompare(sema::CompareOp op, sema::TypeRef type,
                               mlir::Value lhs, mlir::Value rhs);
  mlir::Value genScalarCast(mlir::Value value, sema::TypeRef from,
                            sema::TypeRef to);
  mlir::Value intPower(mlir::Value base, int64_t exponent, sema::TypeRef type);

  // Builtins (GenBuiltin.cpp, GenMatrix.cpp).
  mlir::Value genMath(sema::Builtin op, sema::TypeRef scalar,
                      llvm::ArrayRef<mlir::Value> args);
  mlir::Value genPlainMath(sema::Builtin op, sema::TypeRef scalar,
                           llvm::ArrayRef<mlir::Value> args);
  mlir::Value genMinMax(bool isMax, sema::TypeRef scalar, mlir::Value a,
                        mlir::Value b);
  mlir::Value genSign(sema::TypeRef scalar, mlir::Value x);
  mlir::Value genSmoothStep(sema::TypeRef scalar, mlir::Value low,
                            mlir::Value high, mlir::Value x);
  // Powers of two (GenExponent.cpp).
  mlir::Value powerOfTwo(mlir::Type type, mlir::Value exponent);
  mlir::Value genLdexp(mlir::Value x, mlir::Value exponent);
  mlir::Value genExponent(mlir::Value x);
  ProgramValue genElementwise(const sema::BuiltinExpr &expr);
  mlir::Value genReduce(sema::Builtin op, const ProgramValue &value);
  mlir::Value genDot(const ProgramValue &a, const ProgramValue &b);
  ProgramValue genCross(const ProgramValue &a, const ProgramValue &b,
                        sema::TypeRef type);
  mlir::Value genDeterminant(const ProgramValue &m);
  ProgramValue genInverse(const ProgramValue &m);
  // Larger ones (GenElimination.cpp).
  mlir::Value eliminatedDeterminant(const ProgramValue &m);
  ProgramValue eliminatedInverse(const ProgramValue &m);
  /// A loop over i32 numbers, up or down, with `step`.
  void loopOver(mlir::Value begin, mlir::Value end, int64_t step,
                llvm::function_ref<void(mlir::Value)> body);
  ProgramValue genMatrixBuiltin(const sema::BuiltinExpr &expr);

  // Fields (GenField.cpp).
  struct Access {
    mlir::Value field;
    llvm::SmallVector<mlir::Value, 4> indices;
    Index first;       ///< first scalar of the element that is meant
    int64_t count = 1; ///< how many
    mlir::StringAttr name;
    bool isFlat = false;      ///< the scalar's number is the index
    int64_t unsignedAxes = 0; ///< bits of axes with an index of type u64
    /// Of an element of a class: the fields of its leaves, in place of `field`.
    llvm::SmallVector<mlir::Value, 0> leaves = {};
  };
  /// Calls `visit` for each leaf of an element of a class, or for an element of
  /// `type` itself.
  void
  eachMember(const Access &access, sema::TypeRef type,
             llvm::function_ref<void(const Access &, sema::TypeRef)> visit);
  ProgramValue loadElement(const Access &access, sema::TypeRef type);
  /// The operands of an access op that select one scalar.
  struct Element {
    llvm::SmallVector<mlir::Value, 4> indices;
    mlir::Value component;
    mlir::IntegerAttr constant;
    mlir::UnitAttr inbounds;
  };
  /// All scalars of a leaf, which lie in a field of one axis.
  static Access flatAccess(mlir::Value field, sema::TypeRef leaf);
  mlir::Value widenIndex(mlir::Value value, sema::TypeRef scalar);
  void nameAccess(ir::FieldAccessOpInterface op, const Access &access);
  Element elementOf(const Access &access, Index which);
  /// `count` scalars from `first` of a variable that is a cell.
  Access cellAccess(const sema::Variable *variable, Index first, int64_t count);
  /// The same of a top-level variable that lives in memory, or of a leaf of
  /// one: `symbol` holds the field of the scalars of `leaf`.
  Access globalAccess(const sema::Global *global, llvm::StringRef symbol,
                      sema::TypeRef leaf, Index first, int64_t count);
  Access globalAccess(const sema::Global *global, Index first, int64_t count) {
    return globalAccess(global, global->name, global->type, first, count);
  }
  /// A place to assign to, once its indices are evaluated.
  struct Target {
    Access access; ///< of an element
    Index first;   ///< first scalar of a component of a variable
  };
  Target genTarget(const sema::LValue &lvalue);
  /// Where the component lies, if it is one of a variable, or of a member of
  /// one, whose scalars are in a field of one axis.
  std::optional<Access> genFieldAccess(const sema::ExtractExpr &expr);
  /// A member of a tuple.
  ProgramValue genMember(const sema::ExtractExpr &expr);
  ProgramValue readTarget(const sema::LValue &lvalue, const Target &target);
  /// `isAdded`: the value is the sum of the old value and another one.
  void writeTarget(const sema::LValue &lvalue, const Target &target,
                   const ProgramValue &value, bool isAdded = false);
  void storeElement(const sema::LValue &lvalue, const Access &access,
                    const ProgramValue &value, bool isAdded);
  Access genAccess(const sema::Expr *field,
                   llvm::ArrayRef<sema::Expr *> indices,
                   llvm::ArrayRef<sema::PathStep> path, sema::TypeRef type);
  ProgramValue genLoad(const sema::LoadExpr &expr);
  ProgramValue loadFrom(const Access &access, sema::TypeRef type);
  void storeTo(const Access &access, const ProgramValue &value);
  void accumTo(const Access &access, ir::AccumKind kind,
               const ProgramValue &value);
  ProgramValue genAtomic(const sema::AtomicExpr &expr);
  mlir::Value genAtomicProduct(sema::TypeRef scalar, const Access &access,
                               Index which, mlir::Value factor);
  mlir::Value zeroOf(sema::TypeRef type);
  ProgramValue genHostAtomic(const sema::AtomicExpr &expr, const Access &access,
                             const ProgramValue &value,
                             const ProgramValue &expected);
  ProgramValue genRandom(const sema::RandomExpr &expr);
  mlir::Value drawBits();
  ProgramValue genRandomBetween(const sema::RandomExpr &expr);
  mlir::Value genRandomInteger(sema::TypeRef scalar, mlir::Value low,
                               mlir::Value high);
  /// Flat number of the scalar that a path names in a value of `type`, with
  /// bounds checks of run-time indices.
  Index pathIndex(sema::TypeRef type, llvm::ArrayRef<sema::PathStep> path,
                  mlir::Location at, llvm::StringRef what);

  // Differentiation (GenTape.cpp).
  void genTape(const sema::TapeStmt &stmt);
  void beginTape(const sema::TapeStmt &stmt);
  void beginForward(const sema::TapeStmt &stmt);
  mlir::Value tapeFlags(const sema::TapeStmt &stmt);
  /// Ends the open tapes, except for the outer `keep`.
  void endTapes(unsigned keep);
  void beginKept(llvm::StringRef kernel);
  /// The adjoint of the call that the record of a function keeps.
  void genBackward(const sema::Function &recorded);
  // Calls with an adjoint of their own (GenCallAdjoint.cpp).
  /// Is the call one entry of a tape, if there is one here?
  bool isEntry(const sema::CallExpr &expr) const;
  mlir::Value asWord(mlir::Value scalar);
  mlir::Value fromWord(mlir::Value word, mlir::Type type);
  void beginEntry(const sema::CallExpr &expr,
                  llvm::ArrayRef<ProgramValue> given);
  void genCallAdjoints(mlir::Value first);
  void genCallAdjoint(const sema::Function &adjoint);
  ProgramValue givenArgument(sema::TypeRef type, int64_t &next);
  /// Runs the adjoints that the end of a tape requests, by their number.
  void runCallAdjoints(mlir::Value number);
  /// Tells a tape that host code is about to store to an element.
  void noteHostStore(const Access &access, sema::TypeRef element, bool isAdded);
  /// Is this host code that a tape may see?
  bool mayBeTaped() const;
  /// Tell tapes that a loop of host code begins, and each of its turns.
  void noteLoop(llvm::ArrayRef<std::array<mlir::Value, 3>> ranges);
  void noteTurn(const sema::Stmt &loop);
  ProgramValue genCompanion(const sema::CompanionExpr &expr);
  /// The value without its derivative.
  ProgramValue stopped(const ProgramValue &value);
  /// The same of what leaves a passive function; else the value as it is.
  ProgramValue passive(const ProgramValue &value) {
    return isPassive ? stopped(value) : value;
  }

  // Host (GenHost.cpp).
  ProgramValue genHostOp(const sema::HostOpExpr &expr);
  ProgramValue genMakeField(const sema::HostOpExpr &expr);
  ProgramValue genView(const sema::HostOpExpr &expr);
  /// A field of one axis for the scalars of a value that lives in memory.
  mlir::Value makeMemoryField(sema::TypeRef type);
  ProgramValue genFieldReduction(const sema::HostOpExpr &expr);
  // Objects (GenObject.cpp).
  ProgramValue genObjectOp(const sema::HostOpExpr &expr);
  ProgramValue genRun(const sema::HostOpExpr &expr);
  ProgramValue genMakeObject(const sema::HostOpExpr &expr);
  ProgramValue genMakeRecord(const sema::HostOpExpr &expr);
  ProgramValue genMemberOp(const sema::HostOpExpr &expr);
  void putMember(mlir::Value object, sema::TypeRef type, unsigned number,
                 const ProgramValue &value);
  void nameMember(sema::TypeRef type, unsigned number,
                  llvm::function_ref<void()> access);
  ProgramValue genListElement(const sema::HostOpExpr &expr);
  ProgramValue genListChange(const sema::HostOpExpr &expr);
  ProgramValue genDictOp(const sema::HostOpExpr &expr);
  ProgramValue genBlock(const sema::BlockExpr &expr);
  /// Note [Values as words].
  mlir::Value wordOf(mlir::Value part, sema::TypeRef type);
  llvm::SmallVector<mlir::Value> wordsOf(const ProgramValue &value);
  ProgramValue fromWords(sema::TypeRef type,
                         llvm::function_ref<mlir::Value()> nextWord);
  void passWords(const ProgramValue &value);
  mlir::Value passedAs(const ProgramValue &value, ir::RuntimeType parameter);
  mlir::Value returnedAs(mlir::Value result, sema::TypeRef type);
  mlir::Value entryOf(llvm::StringRef function, mlir::Value dict,
                      const ProgramValue &key, bool mayRaise);
  ProgramValue readEntry(llvm::StringRef function, mlir::Value dict,
                         mlir::Value entry, sema::TypeRef type);
  void putEntry(mlir::Value dict, const ProgramValue &key,
                const ProgramValue *value);
  // Files (GenFiles.cpp).
  ProgramValue genFileOp(const sema::HostOpExpr &expr);
  ProgramValue genLoadFile(const sema::HostOpExpr &expr);
  ProgramValue genEnvValue(const sema::HostOpExpr &expr);
  ProgramValue valueIn(mlir::Value slot, sema::TypeRef type);
  mlir::Value madeText(llvm::StringRef function,
                       llvm::ArrayRef<mlir::Value> args, llvm::StringRef site);
  void nameValues(const sema::HostOpExpr &expr,
                  llvm::ArrayRef<ProgramValue> values);
  void gatherText(llvm::ArrayRef<sema::FormatPart> parts);
  ProgramValue memoryOf(const ProgramValue &value, mlir::Type scalar);
  mlir::Value rt(mlir::Location at, llvm::StringRef name, mlir::Type result,
                 llvm::ArrayRef<mlir::Value> args, llvm::StringRef site = {});
  mlir::ArrayAttr formatParts(llvm::ArrayRef<sema::FormatPart> parts,
                              llvm::SmallVectorImpl<mlir::Value> &values);

  // Scalars of values (GenExpr.cpp).
  mlir::Value get(const ProgramValue &value, Index index);
  ProgramValue map(sema::TypeRef type,
                   llvm::function_ref<mlir::Value(Index)> scalar);
  /// ((f(0) + f(1)) + …) by `combine`.
  using Term = llvm::function_ref<mlir::Value(Index)>;
  using Combine = llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)>;
  mlir::Value fold(int64_t n, sema::TypeRef scalar, Term term, Combine combine);
  void forEach(int64_t n, llvm::function_ref<void(Index)> body);
  Index affine(Index i, int64_t factor, Index j);
  ProgramValue copyToMemory(const ProgramValue &value);
  ProgramValue flat(sema::TypeRef type, llvm::ArrayRef<mlir::Value> parts);
  llvm::SmallVector<mlir::Value> flatten(const ProgramValue &value);
  /// A value of `type` from the arrays of its leaves in memory and the parts of
  /// its other leaves, which are taken off the front.
  ProgramValue assembled(sema::TypeRef type, llvm::ArrayRef<mlir::Value> &slots,
                         llvm::ArrayRef<mlir::Value> &parts);
  mlir::Value constInt(mlir::Type type, int64_t value);
  mlir::Value constFloat(mlir::Type type, double value);
  mlir::Value constOf(sema::TypeRef scalar, double value);
  mlir::Value asI32(Index index);
  void check(mlir::Location at, ir::CheckKind kind, mlir::Value ok,
             llvm::ArrayRef<mlir::Value> values, llvm::StringRef what,
             int64_t axis = 0, bool isUnsigned = false);
  bool isCheap(const sema::Expr *expr, int &budget);

  // --check=nan and --check=overflow (GenInstrument.cpp).
  bool instrumentsNaN(mlir::Type type) const;
  /// Is overflow of this type an error here?
  bool instrumentsOverflow(sema::TypeRef scalar) const;
  /// Under --check=nan: marks operations whose `result` is checked to be finite
  /// if the operands are. Returns `result`.
  mlir::Value instrument(mlir::Value result, llvm::StringRef what,
                         llvm::ArrayRef<mlir::Value> operands);
  void instrumentOverflow(ir::OverflowKind kind, mlir::Value lhs,
                          mlir::Value rhs);
  /// Is this a statement of the script, in no loop?
  bool runsOnce();
  /// The arithmetic operation and, where overflow is an error, its check.
  mlir::Value genArith(ir::OverflowKind kind, sema::TypeRef scalar,
                       mlir::Value lhs, mlir::Value rhs);
  void instrumentQuotient(mlir::Value lhs, mlir::Value rhs);
  void instrumentPower(mlir::Value base, mlir::Value exponent);
  /// Stops at the least value of a type, which has no opposite.
  void instrumentLeast(mlir::Value x, llvm::StringRef what);
  void instrumentAccum(ir::AccumOp accum, sema::TypeRef scalar);
  bool isInstrumenting =
      true; ///< not within operations that are watched as one

  ModuleGen &module;
  const sema::Function *function;
  bool isDevice; ///< in a kernel, or called from one
  bool isPassive;
  mlir::OpBuilder b;
  mlir::Location here;
  mlir::Block *frame = nullptr; ///< where slots are made
  mlir::Value depth;            ///< Note [Depth]; null if not recursive
  bool inParallel = false;
  llvm::DenseMap<const sema::Variable *, Storage> variables;
  llvm::DenseSet<const sema::Variable *> cells;
  /// Where results go that live in memory, in their order.
  llvm::SmallVector<mlir::Value> resultSlots;
  /// Slots of this host function that own their handles.
  llvm::SmallVector<mlir::Value> ownedHandles;
  /// Owned handles of the current statement.
  llvm::SmallVector<mlir::Value> temporaries;
  mlir::Attribute member; ///< of an object, which is read or set now
  /// An enclosing loop.
  struct Loop {
    mlir::Value brokenFlag; ///< the flag that a `break` sets, or null
    unsigned numTapes = 0;  ///< that stood open where it began
  };
  llvm::SmallVector<Loop> loops;
  unsigned numTapes = 0; ///< that are open here, `with Forward()` included
  llvm::SmallVector<bool, 2>
      areForward; ///< which of these are `with Forward()`
};

/// Generates a program.
class ModuleGen {
public:
  ModuleGen(mlir::MLIRContext &context, const sema::Program &program,
            const SourceFiles &sources, const Options &options);
  /// Generates the module of the program: script, kernels, functions, params.
  mlir::OwningOpRef<mlir::ModuleOp> generate();
  /// Generates a module of the scalar functions named like `exp_f32`, which
  /// become `exp.f32`: the library of elementary functions.
  mlir::OwningOpRef<mlir::ModuleOp> generateLibrary();

  /// The IR type of a scalar; integers are signless.
  mlir::Type scalarType(sema::TypeRef type);
  /// The element of a field type.
  mlir::Type elementType(sema::TypeRef type);
  /// Type of a field or str value.
  mlir::Type handleType(sema::TypeRef type);
  /// Types of the globals of a top-level variable: a field of one axis for each
  /// leaf in memory, else one for each scalar and handle.
  llvm::SmallVector<mlir::Type> globalTypes(sema::TypeRef type);
  /// Appends the types of the scalars and handles that a value consists of.
  void flattenTypes(sema::TypeRef type, llvm::SmallVectorImpl<mlir::Type> &to,
                    bool isDevice = false);
  /// The type of a function's host or device form, with flattened values.
  mlir::FunctionType functionType(const sema::Function &function,
                                  bool isDevice = false);
  /// Does a parameter of a kernel go to it in a field? For C its numbers do.
  bool goesInField(sema::TypeRef type) const;
  /// A local array of one axis for the scalars of a vec, mat or array.
  ir::LocalType memoryType(sema::TypeRef type);
  /// A field of one axis for the scalars of a vec, mat or array.
  ir::FieldType memoryFieldType(sema::TypeRef type);
  /// The number of a text: the representation of a str in a kernel (Note [Texts
  /// by number]).
  int32_t numberOfText(llvm::StringRef text);
  /// The range of the source as a location.
  mlir::Location location(SourceRange range);
  /// Symbols of the globals of a variable, as `globalTypes` says.
  llvm::ArrayRef<std::string> globalNames(const sema::Global *global) {
    return globals[global];
  }
  /// Symbols of the globals of a param, one for each scalar.
  llvm::ArrayRef<std::string> paramNames(unsigned index) {
    return params[index];
  }
  /// The symbol of a function's host or device form, generated on demand.
  std::string require(const sema::Function *function, bool isDevice,
                      bool isPassive = false);

  /// How many calls of recursive functions may be open (Note [Depth]).
  int64_t mostOpenCalls();

  mlir::MLIRContext &context;
  const sema::Program &program;
  const SourceFiles &sources;
  const Options &options;
  /// The adjoints that `@adjoint_of` defines for calls of kernels and host
  /// functions.
  llvm::SetVector<const sema::Function *> callAdjoints;

private:
  mlir::FunctionType kernelType(const sema::Function &function);
  void genGlobals();
  void genParams();
  void genTests();
  void genCallAdjoints();
  void genRecord(const sema::Function &function);
  void genPending();
  void nameTexts();
  llvm::SmallVector<std::string>
  addGlobals(llvm::StringRef name, llvm::ArrayRef<mlir::Type> types,
             SourceRange range, int64_t param,
             llvm::ArrayRef<std::string> given = {});
  void genParam(unsigned index);
  /// The function that stores a default; null if the param has none.
  mlir::FlatSymbolRefAttr genParamDefault(unsigned index);

  mlir::OpBuilder b;
  mlir::ModuleOp module;
  llvm::DenseMap<const sema::Global *, llvm::SmallVector<std::string>> globals;
  std::vector<llvm::SmallVector<std::string>> params;
  llvm::DenseMap<std::pair<const sema::Function *, unsigned>, std::string>
      symbols;
  struct Pending {
    const sema::Function *function;
    bool isDevice, isPassive;
    std::string symbol;
  };
  std::vector<Pending> pending;
  llvm::MapVector<llvm::StringRef, int32_t> texts;
  int64_t mostOpen = 0;
};

} // namespace chi::irgen
#endif // CHI_IRGEN_GEN_H
