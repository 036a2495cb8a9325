//===- Gradients.cpp - What a whole program says of gradients -------------===//
#include "chi/Sema/Program/Gradients.h"
#include "chi/Sema/Program/ProgramChecker.h"

using namespace chi;
using namespace chi::sema;

//===----------------------------------------------------------------------===//
// Marks and calls
//===----------------------------------------------------------------------===//

/// Where `, grad=True` belongs in the text of a `field(…)`; none if that has a
/// `grad=` already. `name`: of the mark.
static std::optional<SourceRange> rangeOfMark(const SourceFiles &sources,
                                              const HostOpExpr *made,
                                              llvm::StringRef name) {
  llvm::StringRef text = sources.text(made->range);
  if (made->op != HostOp::MakeField || !text.ends_with(")") ||
      text.contains(name))
    return std::nullopt;
  SourceRange place = made->range;
  place.begin = --place.end;
  return place;
}

static void checkMark(const TapeProgram &all, const CompanionExpr *companion) {
  if (companion->field->type->isFieldOfClass()) {
    std::string text = all.sources.text(companion->range).str();
    all.diags.report(companion->range, diag::WholeGradient)
        .note({}, diag::NameMember,
              text + "[i]." + companion->type->memberNames[0])
        .send();
    return;
  }
  OriginSet origins = all.origins.of(companion->field);
  bool isDual = companion->isDual;
  if (origins.empty() || llvm::any_of(origins, isDual ? hasDualMark : isMarked))
    return;
  llvm::StringRef text = all.sources.text(companion->range);
  llvm::StringRef name = isDual ? "dual" : "grad";
  text.consume_back(name);
  text = text.rtrim().drop_back().rtrim(); // the dot
  auto report =
      isDual ? all.diags.report(companion->range, diag::NoDual, text)
             : all.diags.report(companion->range, diag::NoGradient, text);
  for (Origin origin : origins) {
    if (origin.getInt()) {
      report.addNote({}, diag::Advice,
                     "a gradient or tangent has none of its own");
      return;
    }
    report.addNote(origin.getPointer()->range, diag::MadeHere);
    if (auto place = rangeOfMark(all.sources, origin.getPointer(), name))
      report.addFixIt(*place, (", " + name + "=True").str());
  }
}

void sema::checkMarks(const TapeProgram &all) {
  // While the adjoint of a call runs, each field has an adjoint.
  std::vector<Function *> roots;
  for (const auto &function : all.program.functions)
    if (function->callAdjoint)
      roots.push_back(function->callAdjoint);
  std::vector<Function *> adjoints = reachableFunctions(roots);
  for (const auto &function : all.program.functions)
    if (!llvm::is_contained(adjoints, function.get()))
      forEachInner(function->body, [&](Expr *expr) {
        if (auto *companion = llvm::dyn_cast<CompanionExpr>(expr))
          checkMark(all, companion);
      });
}

void sema::checkKernelsCalled(const TapeProgram &all) {
  llvm::StringMap<bool> isCalled;
  std::vector<const HostOpExpr *> uses;
  for (const auto &function : all.program.functions)
    forEachInner(function->body, [&](Expr *expr) {
      if (auto *call = llvm::dyn_cast<CallExpr>(expr))
        isCalled[call->callee->gradName] = true;
      auto *op = llvm::dyn_cast<HostOpExpr>(expr);
      if (op && op->op == HostOp::KernelGrad)
        uses.push_back(op);
    });
  for (const HostOpExpr *use : uses)
    if (!isCalled.count(use->text))
      all.diags.report(use->range, diag::KernelNeverCalled, use->text).send();
}

//===----------------------------------------------------------------------===//
// Warnings
//===----------------------------------------------------------------------===//

namespace {
/// Looks at what runs in tapes.
class TapeWarnings {
public:
  explicit TapeWarnings(const TapeProgram &all) : all(all) {}
  void run();

private:
  using Globals = llvm::DenseSet<const Global *>;
  /// The arguments of a kernel's call that are top-level variables.
  using Names = llvm::DenseMap<const Variable *, const Global *>;

  void findSeeds();
  void warnOfBindings(const Body &body);
  void warnOfOverwritten(const TapeStmt &tape);
  void touch(const Body &body, Globals &touched);
  void overwrite(const Expr *field, SourceRange place, const Names &names,
                 const Globals &touched);
  void launch(const CallExpr &call, Globals &touched);
  const Global *named(const Expr *field, const Names &names) const;

  const TapeProgram &all;
  /// Fields to whose gradients the program stores: they are for `k.grad()`.
  OriginSet seeded;
};
} // namespace

/// A name of a marked field that one of several statements binds, in a tape.
void TapeWarnings::warnOfBindings(const Body &body) {
  forEachStmt(body, [&](Stmt *stmt) {
    auto *set = llvm::dyn_cast<AssignStmt>(stmt);
    if (!set || set->lvalue.kind == LValue::Element ||
        !set->lvalue.type->isField())
      return;
    // A parameter that is bound again starts with its argument.
    auto *read = llvm::dyn_cast<VariableExpr>(set->value);
    if (read && read->variable->isParameter && read->range == set->lvalue.range)
      return;
    bool isTop = set->lvalue.kind == LValue::TopLevel;
    const void *entity = set->lvalue.variable;
    if (isTop)
      entity = set->lvalue.global;
    llvm::StringRef name =
        isTop ? set->lvalue.global->name : set->lvalue.variable->name;
    bool isBoundAnew = all.origins.numAssignments(entity) > 1;
    if (name.starts_with(".") || !isBoundAnew)
      return;
    for (Origin origin : all.origins.ofEntity(entity))
      if (isMarked(origin))
        return all.diags.report(set->lvalue.range, diag::RebindsInTape, name)
            .note(origin.getPointer()->range, diag::MadeHere)
            .send();
  });
}

const Global *TapeWarnings::named(const Expr *field, const Names &names) const {
  if (auto *global = llvm::dyn_cast<GlobalExpr>(field))
    return global->global;
  auto *variable = llvm::dyn_cast<VariableExpr>(field);
  return variable ? names.lookup(variable->variable) : nullptr;
}

/// The top-level fields that a body names, also in what it calls.
void TapeWarnings::touch(const Body &body, Globals &touched) {
  auto one = [&](Expr *expr) {
    if (auto *global = llvm::dyn_cast<GlobalExpr>(expr))
      touched.insert(global->global);
  };
  forEachInner(body, [&](Expr *expr) {
    one(expr);
    if (auto *call = llvm::dyn_cast<CallExpr>(expr))
      reachableFunctions({call->callee}, one);
  });
}

/// All of `field` gets other values at `place`.
void TapeWarnings::overwrite(const Expr *field, SourceRange place,
                             const Names &names, const Globals &touched) {
  const Global *global = named(field, names);
  if (!global || touched.contains(global) ||
      all.origins.numAssignments(global) != 1)
    return;
  OriginSet origins = all.origins.ofEntity(global);
  if (origins.size() == 1 && isMarked(origins[0]) &&
      !seeded.contains(origins[0]))
    all.diags.report(place, diag::OverwrittenInTape, global->name)
        .note(origins[0].getPointer()->range, diag::MadeHere)
        .send();
}

const AssignStmt *sema::wholeStore(const ForStmt &loop) {
  auto *over = loop.field;
  if (!over)
    return nullptr;
  auto isOver = [&](const Expr *expr) {
    auto *a = llvm::dyn_cast<GlobalExpr>(expr);
    auto *b = llvm::dyn_cast<VariableExpr>(expr);
    if (auto *global = llvm::dyn_cast<GlobalExpr>(over))
      return a && a->global == global->global;
    auto *variable = llvm::dyn_cast<VariableExpr>(over);
    return b && variable && b->variable == variable->variable;
  };
  for (Stmt *stmt : loop.body) {
    auto *set = llvm::dyn_cast<AssignStmt>(stmt);
    bool isStore = set && set->lvalue.kind == LValue::Element &&
                   set->lvalue.path.empty() && isOver(set->lvalue.field) &&
                   set->lvalue.indices.size() == loop.variables.size();
    for (size_t k = 0; isStore && k < loop.variables.size(); ++k) {
      auto *index = llvm::dyn_cast<VariableExpr>(set->lvalue.indices[k]);
      isStore = index && index->variable == loop.variables[k];
    }
    unsigned uses = 0;
    bool mayCall = false, mayLeave = false;
    forEachInner({stmt}, [&](Expr *expr) {
      uses += isOver(expr);
      mayCall |= llvm::isa<CallExpr>(expr);
    });
    forEachStmt({stmt}, [&](Stmt *inner) {
      mayLeave |= llvm::isa<ContinueStmt, BreakStmt>(inner);
    });
    if (isStore && uses == 1 && !mayCall)
      return set;
    if (uses || mayCall || mayLeave)
      return nullptr;
  }
  return nullptr;
}

/// The statements of a kernel, in their order.
void TapeWarnings::launch(const CallExpr &call, Globals &touched) {
  Names names;
  Globals given;
  for (auto [parameter, value] : llvm::zip(call.callee->params, call.args))
    if (auto *global = llvm::dyn_cast<GlobalExpr>(value)) {
      names[parameter] = global->global;
      given.insert(global->global);
    }
  for (Stmt *stmt : call.callee->body) {
    auto *loop = llvm::dyn_cast<ForStmt>(stmt);
    if (const AssignStmt *set = loop ? wholeStore(*loop) : nullptr)
      overwrite(set->lvalue.field, set->lvalue.range, names, touched);
    touch({stmt}, touched);
    forEachInner({stmt}, [&](Expr *expr) {
      if (const Global *global = named(expr, names))
        touched.insert(global);
    });
  }
  touched.insert(given.begin(), given.end());
}

void TapeWarnings::warnOfOverwritten(const TapeStmt &tape) {
  Globals touched;
  for (const Expr *each : tape.watched)
    if (const Global *global = named(each, Names()))
      touched.insert(global);
  if (const Global *loss = named(tape.loss, Names()))
    touched.insert(loss);
  for (Stmt *stmt : tape.body) {
    auto *plain = llvm::dyn_cast<ExprStmt>(stmt);
    auto *call = plain ? llvm::dyn_cast<CallExpr>(plain->value) : nullptr;
    if (call && call->callee->isKernel) {
      launch(*call, touched);
      continue;
    }
    auto *op = plain ? llvm::dyn_cast<HostOpExpr>(plain->value) : nullptr;
    if (op && (op->op == HostOp::FieldFill || op->op == HostOp::FieldCopy)) {
      ExprStmt given;
      given.value = op->args[1];
      touch({&given}, touched);
      overwrite(op->args[0], op->range, Names(), touched);
    }
    touch({stmt}, touched);
  }
}

void TapeWarnings::findSeeds() {
  for (const auto &function : all.program.functions)
    forEachStmt(function->body, [&](Stmt *stmt) {
      auto *set = llvm::dyn_cast<AssignStmt>(stmt);
      if (!set || set->lvalue.kind != LValue::Element)
        return;
      for (Origin origin : all.origins.of(set->lvalue.field))
        if (origin.getInt())
          seeded.insert(Origin(origin.getPointer(), false));
    });
}

void TapeWarnings::run() {
  findSeeds();
  for (const auto &function : all.program.functions) {
    if (function->isTaped)
      warnOfBindings(function->body);
    forEachStmt(function->body, [&](Stmt *stmt) {
      auto *tape = llvm::dyn_cast<TapeStmt>(stmt);
      if (!tape || tape->isForward)
        return;
      warnOfOverwritten(*tape);
      if (!function->isTaped)
        warnOfBindings(tape->body);
    });
  }
}

/// Notes the host functions that tapes call, and `with Forward()`.
static void markTaped(const Program &program) {
  std::vector<Function *> called;
  for (const auto &function : program.functions) {
    if (function->callAdjoint) // a tape undoes what it stores
      called.push_back(function->callAdjoint);
    if (function->isRecord)
      called.push_back(function.get());
    forEachStmt(function->body, [&](Stmt *stmt) {
      if (auto *tape = llvm::dyn_cast<TapeStmt>(stmt))
        forEachInner(tape->body, [&](Expr *expr) {
          if (auto *call = llvm::dyn_cast<CallExpr>(expr))
            called.push_back(call->callee);
        });
    });
  }
  for (Function *function : reachableFunctions(called))
    function->isTaped = !function->isKernel;
}

/// What tapes run is followed call by call; false after a report.
static bool refuseRecursion(const TapeProgram &all) {
  bool isFine = true;
  for (const auto &function : all.program.functions)
    if (function->isRecursive && (function->isTaped || function->record)) {
      all.diags
          .report(function->range, diag::RecursionInTape, function->display)
          .send();
      isFine = false;
    }
  return isFine;
}

void sema::warnInTapes(const TapeProgram &all) { TapeWarnings(all).run(); }

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

void ProgramChecker::checkGradients() {
  bool hasCompanions = false;
  for (const auto &function : program.functions) {
    forEachStmt(function->body, [&](Stmt *stmt) {
      program.hasTapes |= llvm::isa<TapeStmt>(stmt);
    });
    forEachInner(function->body, [&](Expr *expr) {
      hasCompanions |= llvm::isa<CompanionExpr>(expr);
      auto *op = llvm::dyn_cast<HostOpExpr>(expr);
      program.hasTapes |= op && op->op == HostOp::KernelGrad;
    });
  }
  if (!hasCompanions && !program.hasTapes && !options.recordsOperators)
    return;
  for (auto &[key, instance] : instances)
    if (instance->decl->usesGrad)
      instance->function->gradName = instance->decl->fullName();
  FieldOrigins origins(program.functions, !options.instantiateAll);
  TapeProgram all{program, sources, origins, diags};
  if (options.recordsOperators)
    addOperatorRecords(all, program);
  markTaped(program);
  if (!refuseRecursion(all))
    return;
  checkMarks(all);
  if (!options.instantiateAll)
    checkKernelsCalled(all);
  checkHostFloats(all);
  warnInTapes(all);
  warnOfTapeReads(all);
  findAdjointReads(all);
}
