//===- Modules.cpp - Top-level names and imports --------------------------===//
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Exprs/CallChecker.h"
#include "chi/Sema/Program/ProgramChecker.h"
#include "llvm/ADT/StringExtras.h"

using namespace chi;
using namespace chi::sema;

bool ProgramChecker::declare(ModuleScope &module, llvm::StringRef name,
                             SourceRange range, Meaning meaning) {
  meaning.range = range;
  auto [it, isNew] = module.names.try_emplace(name.str(), meaning);
  if (isNew)
    return true;
  if (it->second.range == range)
    return true;
  diags.report(range, diag::DeclaredTwice, name)
      .note(it->second.range, diag::DeclaredHere, name)
      .send();
  return false;
}

/// `math` and `time` are made of words.
std::unique_ptr<ModuleScope>
ProgramChecker::makeBuiltinModule(llvm::StringRef path) {
  auto module = std::make_unique<ModuleScope>();
  module->path = path.str();
  module->isBuiltin = true;
  auto add = [&](llvm::StringRef name, BuiltinName word) {
    Meaning meaning;
    meaning.kind = Meaning::Builtin;
    meaning.builtin = word;
    module->names[name.str()] = meaning;
  };
  if (path == "time") {
    add("now", BuiltinName::TimeNow);
    add("unix", BuiltinName::TimeUnix);
    add("sleep", BuiltinName::TimeSleep);
    add("strftime", BuiltinName::TimeFormat);
    return module;
  }
#define CHI_MATH(Name, Text, Op, Arity) add(Text, BuiltinName::Name);
#define CHI_MATH_CONST(Name, Text, Value)                                      \
  add(llvm::StringRef(Text).drop_front(5), BuiltinName::Name);
#include "chi/Sema/Builtins/Builtins.def"
  for (BuiltinName word :
       {BuiltinName::Pow, BuiltinName::Radians, BuiltinName::Degrees,
        BuiltinName::Min, BuiltinName::Max, BuiltinName::Clamp,
        BuiltinName::Mix})
    add(builtinText(word), word);
  add("fabs", BuiltinName::Abs);
  return module;
}

/// Modules of the standard library that are still to come.
static bool isPlanned(llvm::StringRef path) {
  static constexpr llvm::StringRef kModules[] = {"gui", "testing"};
  return llvm::is_contained(kModules, path.split('.').first);
}

/// With what takes its place if it is of another language, else with the
/// folders that were searched.
void ProgramChecker::reportNoModule(llvm::StringRef path, SourceRange range,
                                    llvm::ArrayRef<std::string> folders) {
  auto report = isPlanned(path)
                    ? diags.report(range, diag::NotSupportedYet,
                                   ("the module `" + path + "`").str())
                    : diags.report(range, diag::ModuleNotFound, path);
  if (llvm::StringRef advice = foreignModule(path); !advice.empty())
    return report.addNote({}, diag::Advice, advice);
  if (isPlanned(path) || folders.empty())
    return;
  std::string list;
  for (const std::string &folder : folders)
    list += (list.empty() ? "`" : ", `") + folder + "`";
  report.addNote({}, diag::SearchedIn, list);
}

ModuleScope *ProgramChecker::importModule(llvm::StringRef path,
                                          SourceRange range,
                                          const ModuleScope &from) {
  bool isBuiltin = path == "math" || path == "time";
  std::string key = path.str();
  uint32_t fromFile = from.ast ? from.ast->file : 0;
  ModuleLoader::Result result = loader.load(path, fromFile);
  if (!result.found && isBuiltin) {
    ModuleScope *&known = modulesByFile["<" + key + ">"];
    if (!known) {
      modules.push_back(makeBuiltinModule(path));
      known = modules.back().get();
    }
    return known;
  }
  if (!result.found) {
    reportNoModule(path, range, result.searched);
    return nullptr;
  }
  if (result.hidesStandard || isBuiltin)
    diags.report(range, diag::HidesStandard, path).send();
  if (!result.module)
    return nullptr; // its own errors were reported
  std::string file = sources.name(result.module->file).str();
  auto nameOf = [&](const ModuleScope &module) {
    if (!module.path.empty())
      return module.path;
    llvm::StringRef name = sources.name(module.ast->file);
    return name.rsplit('/').second.empty()
               ? name.rsplit('.').first.str()
               : name.rsplit('/').second.rsplit('.').first.str();
  };
  for (auto [k, entry] : llvm::enumerate(importing)) {
    // The main program may have been read a second time, as a module.
    if (sources.name(entry.first->ast->file) != file)
      continue;
    std::string cycle;
    for (size_t j = k; j < importing.size(); ++j)
      cycle += nameOf(*importing[j].first) + " -> ";
    diags.report(range, diag::ImportCycle, cycle + nameOf(*entry.first)).send();
    return nullptr;
  }
  ModuleScope *&known = modulesByFile[file];
  if (known)
    return known;
  modules.push_back(std::make_unique<ModuleScope>());
  ModuleScope *module = modules.back().get();
  known = module;
  module->path = path.str();
  module->ast = result.module;
  module->isInternal = llvm::StringRef(file).contains("stdlib/internal");
  importing.push_back({module, range});
  declareNames(*module);
  importing.pop_back();
  return module;
}

void ProgramChecker::declareImport(ModuleScope &module,
                                   const ast::ImportStmt *stmt) {
  Meaning meaning;
  ModuleScope *imported = importModule(stmt->path, stmt->pathRange, module);
  meaning.kind = imported ? Meaning::Module : Meaning::Broken;
  meaning.module = imported;
  llvm::StringRef name = stmt->alias;
  if (name.empty())
    name = stmt->path.rsplit('.').second.empty()
               ? stmt->path
               : stmt->path.rsplit('.').second;
  declare(module, name, stmt->pathRange, meaning);
  // `import a.b` is used as `a.b.c`, too, as in Python.
  if (stmt->alias.empty())
    module.names.try_emplace(stmt->path.str(), meaning);
}

void ProgramChecker::declareFrom(ModuleScope &module,
                                 const ast::FromImportStmt *stmt) {
  ModuleScope *imported = importModule(stmt->path, stmt->pathRange, module);
  for (const ast::ImportedName &each : stmt->names) {
    llvm::StringRef name = each.alias.empty() ? each.name : each.alias;
    Meaning meaning;
    meaning.kind = Meaning::Broken;
    if (imported) {
      auto found = imported->names.find(each.name);
      SourceRange own = each.range; // without ` as s`
      own.end = own.begin + each.name.size();
      if (each.name.starts_with("_")) { // [Src.3]
        diags.report(own, diag::NoModuleMember, stmt->path, each.name)
            .note({}, diag::Advice,
                  "names that begin with `_` are private: only their own "
                  "module has them")
            .send();
      } else if (found != imported->names.end() &&
                 found->second.kind != Meaning::Module) {
        meaning = found->second;
      } else {
        std::vector<llvm::StringRef> candidates;
        for (auto &[known, other] : imported->names)
          candidates.push_back(known);
        std::string best = nearest(each.name, candidates);
        if (best.empty())
          diags.report(own, diag::NoModuleMember, stmt->path, each.name).send();
        else
          diags
              .report(own, diag::NoModuleMemberNear, stmt->path, each.name,
                      best)
              .fixIt(own, best)
              .send();
      }
    }
    declare(module, name, each.range, meaning);
  }
}

/// `range` to the end of its line, if nothing else stands in that.
static SourceRange wholeLine(const SourceFiles &sources, SourceRange range) {
  llvm::StringRef all = sources.text(range.file);
  size_t lineEnd = all.find('\n', range.end);
  bool isAlone = lineEnd != llvm::StringRef::npos &&
                 all.slice(range.end, lineEnd).trim().empty();
  return isAlone ? SourceRange{range.file, range.begin, uint32_t(lineEnd + 1)}
                 : range;
}

/// A decorator of another system. The function is checked as what it is meant
/// to be.
void ProgramChecker::refuseDecorator(FunctionDecl &decl,
                                     const ast::Expr *decorator) {
  auto *call = llvm::dyn_cast<ast::CallExpr>(decorator);
  llvm::StringRef text =
      sources.text(call ? call->callee->range : decorator->range);
  ForeignDecorator kind = foreignDecorator(
      text.rsplit('.').second.empty() ? text : text.rsplit('.').second);
  bool isDevice =
      call && llvm::any_of(call->args, [](const ast::Argument &arg) {
        return arg.keyword == "device";
      });
  bool isCuda = text == "cuda.jit" && !isDevice;
  bool isKernel = kind == ForeignDecorator::Kernel || isCuda;
  bool isPlain = kind == ForeignDecorator::Function || isDevice;
  llvm::StringRef hint = isKernel  ? "write `@kernel`"
                         : isPlain ? "a kernel can call a plain `def`"
                         : kind == ForeignDecorator::Compiler
                             ? "every `def` is compiled; `@kernel` marks "
                               "functions that run in parallel"
                             : "`@kernel` marks functions that run in "
                               "parallel; other functions have no decorator";
  llvm::StringRef all = sources.text(decorator->range.file);
  SourceRange whole = decorator->range;
  whole.begin = uint32_t(all.take_front(whole.begin).rfind('@'));
  auto report = diags.report(whole, diag::NotInLanguage,
                             ("the decorator `@" + text + "`").str(), hint);
  decl.isKernel |= isKernel;
  if (isKernel)
    return report.addFixIt(whole, "@kernel");
  llvm::StringRef last =
      text.rsplit('.').second.empty() ? text : text.rsplit('.').second;
  bool isParallel =
      call && llvm::any_of(call->args, [](const ast::Argument &arg) {
        return arg.keyword == "parallel" || arg.keyword == "target";
      });
  // The others change what the function does.
  bool isIdle = (last == "jit" || last == "njit" || last == "compile" ||
                 last == "script") &&
                !isParallel;
  SourceRange line = wholeLine(sources, whole);
  if (line != whole && (isPlain || isIdle))
    report.addFixIt(line, "");
}

/// A decorator with its `@`.
static SourceRange withSign(const SourceFiles &sources,
                            const ast::Expr *decorator) {
  llvm::StringRef all = sources.text(decorator->range.file);
  SourceRange whole = decorator->range;
  whole.begin = uint32_t(all.take_front(whole.begin).rfind('@'));
  return whole;
}

/// A second `@kernel` of one function.
static void refuseRepeated(const SourceFiles &sources, DiagnosticEngine &diags,
                           const ast::Expr *decorator) {
  SourceRange whole = withSign(sources, decorator);
  auto report = diags.report(whole, diag::ArgTwice, sources.text(whole));
  if (llvm::isa<ast::NameExpr>(decorator)) // options would be lost
    report.addFixIt(wholeLine(sources, whole), "");
}

/// `@kernel`, `@kernel(float="strict", block=256, lanes=1)`.
void ProgramChecker::readDecorators(FunctionDecl &decl) {
  bool hasKernel = false;
  for (const ast::Expr *decorator : decl.ast->decorators) {
    auto *call = llvm::dyn_cast<ast::CallExpr>(decorator);
    auto *name = llvm::dyn_cast<ast::NameExpr>(call ? call->callee : decorator);
    llvm::StringRef word = name ? name->name : "";
    if (word == "nograd" && !call) {
      decl.isPassive = true;
      continue;
    }
    if (word == "adjoint_of") {
      bool isPlain =
          call && call->args.size() == 1 && call->args[0].keyword.empty();
      if (isPlain)
        decl.adjointOf = call->args[0].value;
      else
        diags.report(withSign(sources, decorator), diag::AdjointTarget).send();
      continue;
    }
    if (word != "kernel") {
      refuseDecorator(decl, decorator);
      continue;
    }
    if (std::exchange(hasKernel, true))
      refuseRepeated(sources, diags, decorator);
    decl.isKernel = true;
    if (!call)
      continue;
    for (const ast::Argument &arg : call->args) {
      auto *number = llvm::dyn_cast<ast::IntExpr>(arg.value);
      auto *text = llvm::dyn_cast<ast::StringExpr>(arg.value);
      if (arg.keyword == "float" && text &&
          (text->value == "strict" || text->value == "fast"))
        decl.isStrict = text->value == "strict";
      else if (arg.keyword == "block" && number && number->value > 0)
        decl.block = number->value;
      else if (arg.keyword == "lanes" && number && number->value > 0 &&
               number->value <= 64)
        decl.lanes = number->value;
      else
        diags.report(arg.value->range, diag::BadKernelOption).send();
    }
  }
}

FunctionDecl &ProgramChecker::makeFunction(ModuleScope &module,
                                           const ast::FunctionStmt *stmt) {
  functions.emplace_back();
  FunctionDecl &decl = functions.back();
  decl.ast = stmt;
  decl.module = &module;
  readDecorators(decl);
  std::set<llvm::StringRef> seen;
  for (const ast::Parameter &parameter : stmt->params) {
    if (!seen.insert(parameter.name).second) {
      diags.report(parameter.nameRange, diag::DeclaredTwice, parameter.name)
          .send();
      decl.isBroken = true;
    }
  }
  return decl;
}

void ProgramChecker::declareFunction(ModuleScope &module,
                                     const ast::FunctionStmt *stmt) {
  Meaning meaning;
  meaning.kind = Meaning::Function;
  meaning.function = &makeFunction(module, stmt);
  declare(module, stmt->name, stmt->nameRange, meaning);
}

void ProgramChecker::declareParam(ModuleScope &module,
                                  const ast::ParamStmt *stmt) {
  Meaning meaning;
  meaning.kind = Meaning::Param;
  if (!module.path.empty()) {
    diags.report(stmt->range, diag::ModuleHolds, "a `param`").send();
    meaning.kind = Meaning::Broken;
  } else {
    params.emplace_back();
    ParamDecl &decl = params.back();
    decl.ast = stmt;
    decl.module = &module;
    decl.index = params.size() - 1;
    program.params.push_back(std::make_unique<Param>());
    decl.param = program.params.back().get();
    decl.param->name = stmt->name.str();
    decl.param->range = stmt->nameRange;
    decl.param->doc = stmt->doc.str();
    decl.param->type = types.error;
    if (stmt->value)
      decl.param->defaultText = sources.text(stmt->value->range).str();
    meaning.param = &decl;
  }
  declare(module, stmt->name, stmt->nameRange, meaning);
}

void ProgramChecker::declareStmt(ModuleScope &module, const ast::Stmt *stmt) {
  Meaning meaning;
  switch (stmt->kind) {
  case ast::StmtKind::Function:
    return declareFunction(module, llvm::cast<ast::FunctionStmt>(stmt));
  case ast::StmtKind::Class:
    return declareClass(*this, module, llvm::cast<ast::ClassStmt>(stmt));
  case ast::StmtKind::Const: {
    auto *decl = llvm::cast<ast::ConstStmt>(stmt);
    consts.push_back({});
    consts.back().ast = decl;
    consts.back().module = &module;
    meaning.kind = Meaning::Const;
    meaning.constDecl = &consts.back();
    declare(module, decl->name, decl->nameRange, meaning);
    return;
  }
  case ast::StmtKind::TypeAlias: {
    auto *decl = llvm::cast<ast::TypeAliasStmt>(stmt);
    aliases.push_back({});
    aliases.back().ast = decl;
    aliases.back().module = &module;
    meaning.kind = Meaning::Alias;
    meaning.alias = &aliases.back();
    declare(module, decl->name, decl->nameRange, meaning);
    return;
  }
  case ast::StmtKind::Param:
    return declareParam(module, llvm::cast<ast::ParamStmt>(stmt));
  case ast::StmtKind::Import:
    return declareImport(module, llvm::cast<ast::ImportStmt>(stmt));
  case ast::StmtKind::FromImport:
    return declareFrom(module, llvm::cast<ast::FromImportStmt>(stmt));
  case ast::StmtKind::Test:
    module.tests.push_back(llvm::cast<ast::TestStmt>(stmt));
    return;
  case ast::StmtKind::Export: // those of the main program count
    return;
  default:
    break;
  }
  // A module only declares; the main program runs.
  bool isDocstring =
      llvm::isa<ast::ExprStmt>(stmt) &&
      llvm::isa<ast::StringExpr>(llvm::cast<ast::ExprStmt>(stmt)->value);
  bool isPlain = llvm::isa<ast::AssignStmt, ast::AnnAssignStmt, ast::PassStmt,
                           ast::UnsupportedStmt>(stmt);
  if (!module.path.empty() && !isPlain && !isDocstring)
    diags.report(stmt->range, diag::ModuleHolds, "this statement").send();
}

/// Variables assigned at top level, outside of its loops.
/// The function that a top-level name stands for, if its only assignment gives
/// it one: `g = f`, `square = lambda x: x * x`; else Nothing.
static Meaning functionNamed(ProgramChecker &program, ModuleScope &module,
                             llvm::StringRef name) {
  const AssignCounts &counted = program.countsOf(module.ast->body);
  if (counted.all.lookup(name) != 1)
    return {};
  for (const ast::Stmt *stmt : module.ast->body) {
    auto *assign = llvm::dyn_cast<ast::AssignStmt>(stmt);
    auto *target = assign && assign->targets.size() == 1
                       ? llvm::dyn_cast<ast::NameExpr>(assign->targets[0])
                       : nullptr;
    if (!target || target->name != name)
      continue;
    Meaning meaning;
    meaning.range = target->range;
    if (auto *lambda = llvm::dyn_cast<ast::LambdaExpr>(assign->value)) {
      meaning.kind = Meaning::Function;
      meaning.function = &program.made.nested(module, lambda->function, [] {
        return std::vector<const ast::NameExpr *>();
      });
      return meaning;
    }
    auto *other = llvm::dyn_cast<ast::NameExpr>(assign->value);
    auto known = other ? module.names.find(other->name) : module.names.end();
    if (known != module.names.end() &&
        known->second.kind == Meaning::Function) {
      meaning.kind = Meaning::Function;
      meaning.function = known->second.function;
      return meaning;
    }
    auto word = other && known == module.names.end() ? findBuiltin(other->name)
                                                     : std::nullopt;
    bool isImported =
        known != module.names.end() && known->second.kind == Meaning::Builtin;
    if (isImported)
      word = known->second.builtin;
    if (word && CallChecker::isPassable(*word)) {
      meaning.kind = Meaning::Builtin;
      meaning.builtin = *word;
      return meaning;
    }
  }
  return {};
}

void ProgramChecker::declareVariables(ModuleScope &module) {
  const AssignCounts &counted = countsOf(module.ast->body);
  std::vector<std::pair<SourceRange, llvm::StringRef>> ordered;
  for (auto &entry : counted.own)
    ordered.push_back({counted.first.lookup(entry.first()), entry.first()});
  llvm::sort(ordered,
             [](auto &a, auto &b) { return a.first.begin < b.first.begin; });
  for (auto &[range, name] : ordered) {
    if (name == "_") // takes anything, and keeps nothing
      continue;
    auto known = module.names.find(name);
    if (known != module.names.end()) {
      Meaning::Kind kind = known->second.kind;
      // Assigning a const or a param has its own report in the script.
      if (kind != Meaning::Const && kind != Meaning::Param &&
          kind != Meaning::Broken)
        diags.report(range, diag::DeclaredTwice, name)
            .note(known->second.range, diag::DeclaredHere, name)
            .send();
      continue;
    }
    if (Meaning function = functionNamed(*this, module, name);
        function.kind != Meaning::Nothing) {
      declare(module, name, range, function);
      continue;
    }
    topLevels.emplace_back();
    TopLevelVariable &variable = topLevels.back();
    variable.name = name.str();
    variable.module = &module;
    variable.range = range;
    variable.numAssignments =
        counted.all.lookup(name) + counted.parts.lookup(name);
    program.globals.push_back(std::make_unique<Global>());
    variable.global = program.globals.back().get();
    variable.global->name =
        module.path.empty() ? name.str() : module.path + "." + name.str();
    variable.global->range = range;
    Meaning meaning;
    meaning.kind = Meaning::TopLevel;
    meaning.topLevel = &variable;
    declare(module, name, range, meaning);
  }
}

/// What a module's variables start with comes from constants: it runs nothing.
static void refuseCalls(DiagnosticEngine &diags, const ModuleScope &module,
                        const ast::Expr *value) {
  walkExpr(value, [&](const ast::Expr *expr) {
    auto *call = llvm::dyn_cast<ast::CallExpr>(expr);
    auto *name = call ? llvm::dyn_cast<ast::NameExpr>(call->callee) : nullptr;
    if (!name)
      return;
    auto own = module.names.find(name->name);
    bool isOwn = own != module.names.end();
    auto word = isOwn ? std::nullopt : findBuiltin(name->name);
    bool runs = isOwn ? own->second.kind == Meaning::Function
                      : word == BuiltinName::Random ||
                            word == BuiltinName::Randn ||
                            word == BuiltinName::Load;
    if (runs)
      diags
          .report(call->range, diag::ModuleHolds,
                  ("what `" + name->name + "` returns").str())
          .send();
  });
}

/// Whether a text may have complex numbers in it: their words, or digits before
/// a `j`. More texts than those are no harm.
static bool mayHaveComplex(llvm::StringRef text) {
  if (text.contains("complex") || text.contains("cmath"))
    return true;
  for (size_t at = text.find_first_of("jJ", 1); at != llvm::StringRef::npos;
       at = text.find_first_of("jJ", at + 1))
    if (llvm::isDigit(text[at - 1]) || text[at - 1] == '.')
      return true;
  return false;
}

/// Loads the class of the complex numbers if a module may have such numbers.
static void declareComplex(ProgramChecker &program, ModuleScope &module) {
  constexpr llvm::StringRef kPath = "internal.complex";
  uint32_t file = module.ast->file;
  if (program.complexClass || module.path == kPath ||
      !mayHaveComplex(program.sources.text(file)))
    return;
  ModuleScope *loaded = program.importModule(kPath, {file, 0, 0}, module);
  auto found = loaded ? loaded->names.find("Complex") : module.names.end();
  if (!loaded || found == loaded->names.end())
    return;
  TypeContext &types = program.types;
  ClassDecl &decl = *found->second.klass;
  program.complexClass = &decl;
  for (TypeRef scalar : {types.untypedFloat, types.f32, types.f64}) {
    TypeNames typeNames;
    typeNames["T"].kind = Meaning::Type;
    typeNames["T"].type = scalar;
    program.classType(decl, typeNames, decl.ast->nameRange);
  }
}

void ProgramChecker::declareNames(ModuleScope &module) {
  declareComplex(*this, module);
  for (const ast::Stmt *stmt : module.ast->body)
    declareStmt(module, stmt);
  declareVariables(module);
  for (const ast::Stmt *stmt : module.ast->body) {
    auto *assign = llvm::dyn_cast<ast::AssignStmt>(stmt);
    auto *annotated = llvm::dyn_cast<ast::AnnAssignStmt>(stmt);
    if (!module.path.empty() && (assign || annotated))
      refuseCalls(diags, module, assign ? assign->value : annotated->value);
  }
  for (FunctionDecl &decl : functions)
    if (decl.module == &module && decl.adjointOf)
      linkAdjoint(module, decl);
  moduleOrder.push_back(&module);
}
