//===- ProgramChecker.cpp - All of a program ------------------------------===//
#include "chi/Sema/Program/ProgramChecker.h"
#include "chi/Sema/Exprs/ExprCheckers.h"
#include "chi/Sema/Stmts/BodyChecker.h"
#include "llvm/ADT/SetVector.h"

using namespace chi;
using namespace chi::sema;

ProgramChecker::ProgramChecker(const SourceFiles &sources, TypeContext &types,
                               const Options &options, ModuleLoader &loader,
                               DiagnosticEngine &diags, Program &program)
    : ProgramScope(sources, types, options, diags, program), loader(loader),
      program(program) {}

void ProgramChecker::check(const ast::Module &main) {
  modules.push_back(std::make_unique<ModuleScope>());
  ModuleScope &scope = *modules.back();
  scope.ast = &main;
  scope.isInternal = sources.name(main.file).contains("stdlib/internal");
  importing.push_back({&scope, SourceRange{main.file, 0, 0}});
  declareNames(scope);
  importing.pop_back();
  for (ClassDecl &decl : classes)
    if (!decl.isGeneric())
      classType(decl, {}, decl.ast->nameRange);
  checkParams();
  for (ConstDecl &decl : consts)
    constantValue(decl, decl.ast->nameRange);
  checkScript();
  for (AliasDecl &decl : aliases)
    aliasType(decl, decl.ast->nameRange);
  checkUncalled();
  std::vector<Function *> exported = exportedInstances(*this);
  if (options.instantiateAll)
    llvm::append_range(kept, exported);
  checkTests();
  setUpTests();
  finish();
}

void ProgramChecker::startRound() {
  if (observer)
    observer->startRound();
  for (auto &[key, instance] : instances)
    oldInstances.push_back(std::move(instance));
  instances.clear();
  usedNames.clear();
  for (FunctionDecl &decl : functions)
    decl.numInstances = 0;
  for (TopLevelVariable &variable : topLevels) {
    if (variable.type && !variable.type->isError())
      variable.hint = variable.hasWideLiteral && isUntyped(variable.type)
                          ? types.i64
                          : build.defaulted(variable.type);
    variable.type = nullptr;
    variable.constant = nullptr;
    variable.isSeen = false;
    variable.isCopyOfElement = false;
    variable.partWritten = {};
    variable.numReads = 0;
  }
  needsAnotherRound = false;
}

bool ProgramChecker::needsRound() const {
  return needsAnotherRound ||
         llvm::any_of(topLevels, [](const TopLevelVariable &variable) {
           return variable.type && !variable.type->isError() &&
                  !variable.constant && isUntyped(variable.type);
         });
}

void ProgramChecker::checkScript() {
  extraInstances.push_back(std::make_unique<Instance>());
  Instance &script = *extraInstances.back();
  madeFunctions.push_back(std::make_unique<Function>());
  script.function = madeFunctions.back().get();
  script.function->name = "script";
  script.function->display = "the program";
  script.function->range = {modules.front()->ast->file, 0, 0};
  script.function->isHostOnly = true;
  BodyChecker checker(*this, *modules.front(), Where::Script, &script);
  checker.checkScript(moduleOrder);
  program.script = script.function;
}

/// Functions that nothing calls are checked for their own errors, if their
/// parameters have types; kernels of the main program are kept.
void ProgramChecker::checkUncalled() {
  for (FunctionDecl &decl : functions) {
    if (decl.module != modules.front().get() || decl.isBroken)
      continue;
    // C calls those of a library with fields of any extents.
    bool isForOthers = options.instantiateAll && !decl.hasUnannotated();
    if (decl.numInstances && !isForOthers)
      continue;
    if (decl.hasUnannotated()) {
      ExprCheckers declared(*this, *decl.module, Where::Constant, nullptr);
      for (const ast::Parameter &parameter : decl.givenParams())
        if (parameter.type)
          declared.isForeignlyTyped(decl, parameter);
      BodyChecker(*this, *decl.module, Where::Function, nullptr)
          .checkNamesOnly(decl);
      continue;
    }
    ExprCheckers declared(*this, *decl.module, Where::Constant, nullptr);
    std::vector<ArgBinding> args;
    bool ok = true;
    if (decl.klass) {
      args.emplace_back();
      args[0].type = classType(*decl.klass, {}, decl.ast->nameRange);
      ok &= !args[0].type->isError();
    }
    for (const ast::Parameter &parameter : decl.givenParams()) {
      ArgBinding binding;
      binding.type = declared.checkType(parameter.type);
      ok &= !binding.type->isError();
      args.push_back(binding);
    }
    if (!ok) {
      BodyChecker(*this, *decl.module, Where::Function, nullptr)
          .checkNamesOnly(decl);
      continue;
    }
    findConstantParams(decl);
    bool needsConstant =
        llvm::any_of(decl.ast->params, [&](const ast::Parameter &parameter) {
          return decl.constantParams.count(parameter.name) != 0;
        });
    if (needsConstant)
      continue; // its value is missing, not wrong
    Instance &instance = instantiate(decl, args, decl.ast->nameRange);
    for (const Diagnostic &known : instance.diagnostics)
      diags.add(known);
    if (decl.klass) // a library has no methods
      continue;
    if (decl.isKernel || options.instantiateAll)
      kept.push_back(instance.function);
  }
}

/// The first of the diagnostics if all of them are about constant indices out
/// of range; otherwise null.
static const Diagnostic *onlyIndexError(llvm::ArrayRef<Diagnostic> reported) {
  const Diagnostic *first = nullptr;
  for (const Diagnostic &each : reported) {
    if (each.severity != Severity::Error)
      continue;
    if (each.code != llvm::StringRef(diag::IndexOutOfRange.code))
      return nullptr;
    if (!first)
      first = &each;
  }
  return first;
}

/// Where the statement that has `range` in it begins. The range of a loop is
/// that of its first line.
static uint32_t beginOfStatement(llvm::ArrayRef<ast::Stmt *> body,
                                 const SourceRange &range) {
  uint32_t begin = 0;
  for (const ast::Stmt *stmt : body)
    if (stmt->range.begin <= range.begin)
      begin = stmt->range.begin;
  return begin;
}

/// A constant index that is out of range fails its test when that comes to it,
/// as an index that is known later does; the other tests of the file run.
static void failAtIndex(Builder &build, Program &program, Function &test,
                        llvm::ArrayRef<ast::Stmt *> body,
                        const Diagnostic &error) {
  Body kept;
  uint32_t begin = beginOfStatement(body, error.range);
  for (Stmt *stmt : test.body)
    if (stmt->range.file == error.range.file && stmt->range.begin < begin)
      kept.push_back(stmt);
  auto *fail = program.make<AssertStmt>();
  fail->range = error.range;
  fail->condition = build.boolLiteral(error.range, false);
  fail->message.push_back({error.message, nullptr, ""});
  kept.push_back(fail);
  test.body = std::move(kept);
}

void ProgramChecker::checkTests() {
  llvm::StringMap<SourceRange> known;
  for (const ast::TestStmt *stmt : modules.front()->tests) {
    auto [first, isNew] = known.try_emplace(stmt->name, stmt->nameRange);
    if (!isNew)
      diags.report(stmt->nameRange, diag::RepeatedTest, stmt->name)
          .note(first->second, diag::DeclaredHere, stmt->name)
          .send();
    extraInstances.push_back(std::make_unique<Instance>());
    Instance &test = *extraInstances.back();
    madeFunctions.push_back(std::make_unique<Function>());
    test.function = madeFunctions.back().get();
    test.function->name = "test." + std::to_string(program.tests.size());
    test.function->display = "test " + stmt->name.str();
    test.function->range = stmt->nameRange;
    test.function->isHostOnly = true;
    BodyChecker checker(*this, *modules.front(), Where::Test, &test);
    size_t mark = diags.mark();
    checker.checkFunction(stmt->body);
    test.function->result = types.voidTy;
    auto reported = llvm::ArrayRef(diags.pending()).drop_front(mark);
    if (const Diagnostic *found =
            options.collectTests ? onlyIndexError(reported) : nullptr) {
      Diagnostic error = *found;
      diags.discardSince(mark);
      failAtIndex(build, program, *test.function, stmt->body, error);
    }
    if (options.collectTests)
      program.tests.push_back({stmt->name.str(), test.function});
  }
}

//===----------------------------------------------------------------------===//
// What is reached
//===----------------------------------------------------------------------===//

/// As BodyState's, of top-level variables: functions may read them too.
static void warnOfLostCopies(const std::deque<TopLevelVariable> &topLevels,
                             DiagnosticEngine &diags) {
  for (const TopLevelVariable &variable : topLevels)
    if (variable.isCopyOfElement && !variable.numReads &&
        variable.partWritten.isValid())
      diags.report(variable.partWritten, diag::LostCopy, variable.name)
          .note(variable.range, diag::AssignedHere, variable.name)
          .send();
}

/// Adds to the result what can be reached, and the globals that are not
/// constants.
void ProgramChecker::finish() {
  for (TopLevelVariable &variable : topLevels)
    variable.global->type =
        variable.type ? build.defaulted(variable.type) : nullptr;
  std::vector<std::unique_ptr<Global>> globals;
  for (TopLevelVariable &variable : topLevels) {
    bool isRunTime = variable.global->type && !variable.constant &&
                     !variable.global->type->isError();
    if (!isRunTime)
      continue;
    for (std::unique_ptr<Global> &global : program.globals)
      if (global.get() == variable.global)
        globals.push_back(std::move(global));
  }
  program.globals = std::move(globals);
  if (diags.hasErrors())
    return;
  std::vector<Function *> roots = {program.script};
  llvm::append_range(roots, kept);
  for (TestBlock &test : program.tests)
    roots.push_back(test.function);
  std::vector<Function *> order = reachableFunctions(roots);
  for (Function *function : order)
    for (std::unique_ptr<Function> &made : madeFunctions)
      if (made.get() == function)
        program.functions.push_back(std::move(made));
  markRecursive(order);
  checkGradients();
  warnOfDefaultFloats();
  warnOfLostCopies(topLevels, diags);
}

std::unique_ptr<Program>
sema::check(const SourceFiles &sources, const ast::Module &main,
            TypeContext &types, const Options &options, ModuleLoader &loader,
            DiagnosticEngine &diags, CheckObserver *observer) {
  auto program = std::make_unique<Program>();
  bool failedBefore = diags.hasErrors();
  {
    ProgramChecker checker(sources, types, options, loader, diags, *program);
    checker.observer = observer;
    checker.check(main);
    if (observer)
      showDeclarations(checker, *observer);
  }
  if (diags.hasErrors() || failedBefore)
    return nullptr;
  return program;
}
