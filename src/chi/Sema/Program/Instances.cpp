//===- Instances.cpp - Functions for lists of argument types --------------===//
#include "chi/Sema/Program/ProgramChecker.h"
#include "chi/Sema/Stmts/BodyChecker.h"
#include "llvm/ADT/StringExtras.h"

using namespace chi;
using namespace chi::sema;

const AssignCounts &ProgramChecker::countsOf(ast::Body body) {
  auto &slot = counts[body.data()];
  if (!slot)
    slot = std::make_unique<AssignCounts>(countAssignments(body));
  return *slot;
}

std::string ProgramChecker::uniqueName(llvm::StringRef wanted) {
  unsigned &count = usedNames[wanted];
  ++count;
  if (count == 1)
    return wanted.str();
  return wanted.str() + "." + std::to_string(count);
}

/// Text of a constant, so that equal ones give one instance.
static void constantKey(const Expr *value, llvm::raw_ostream &out) {
  out << static_cast<const void *>(value->type) << ':';
  if (auto *literal = llvm::dyn_cast<LiteralExpr>(value)) {
    auto *exact = static_cast<const ExactLiteral *>(literal);
    if (value->type->isFloat())
      out << llvm::utohexstr(llvm::bit_cast<uint64_t>(exact->exactReal));
    else
      out << intText(exact->exact);
  } else if (auto *text = llvm::dyn_cast<StringLiteralExpr>(value)) {
    out << '"' << text->value << '"';
  } else {
    forEachOperand(const_cast<Expr *>(value),
                   [&](Expr *&operand) { constantKey(operand, out); });
  }
  out << ';';
}

static void addKey(const ArgBinding &arg, llvm::raw_ostream &out) {
  out << '|' << static_cast<const void *>(arg.type);
  if (arg.self != ArgBinding::ByValue)
    out << "self" << int(arg.self);
  for (TypeRef index : arg.indexTypes)
    out << ',' << static_cast<const void *>(index);
  if (arg.constant)
    constantKey(arg.constant, out);
  if (arg.meaning.kind != Meaning::Nothing)
    out << int(arg.meaning.kind) << ','
        << static_cast<const void *>(arg.meaning.function) << ','
        << static_cast<const void *>(arg.meaning.type) << ','
        << int(arg.meaning.builtin);
  if (arg.captured.empty())
    return;
  out << '(';
  for (const ArgBinding &each : arg.captured)
    addKey(each, out);
  out << ')';
}

static std::string keyOf(const FunctionDecl &decl,
                         llvm::ArrayRef<ArgBinding> args) {
  std::string key;
  llvm::raw_string_ostream out(key);
  out << static_cast<const void *>(&decl);
  for (const ArgBinding &arg : args)
    addKey(arg, out);
  return key;
}

/// The name of a type, cut to what fits in a sentence.
static std::string shortText(TypeRef type) {
  constexpr size_t kLongest = 60;
  std::string text = type->str();
  if (text.size() > kLongest)
    text = text.substr(0, kLongest) + "…";
  return text;
}

static std::string displayName(const FunctionDecl &decl,
                               llvm::ArrayRef<ArgBinding> args) {
  std::string text = decl.ast->name.str() + "(";
  if (decl.klass) { // "Ray.at(f32)"
    TypeRef self = args[0].type;
    text = shortText(self->isField() ? self->element : self) + "." + text;
    args = args.drop_front();
  }
  args = args.drop_back(decl.captures.size());
  for (auto [k, arg] : llvm::enumerate(args)) {
    if (k)
      text += ", ";
    if (arg.meaning.kind == Meaning::Function)
      text += arg.meaning.function->ast->name;
    else if (arg.meaning.kind == Meaning::Builtin)
      text += builtinText(arg.meaning.builtin);
    else if (arg.meaning.type)
      text += shortText(arg.meaning.type);
    else if (auto known =
                 arg.constant ? constantInt(arg.constant) : std::nullopt)
      text += std::to_string(*known);
    else
      text += shortText(arg.type);
  }
  return text + ")";
}

/// As walkExprs, with the bodies of nested functions.
static void walkAllExprs(ast::Body body,
                         llvm::function_ref<void(const ast::Expr *)> visit) {
  walkExprs(body, visit);
  walkStmts(body, [&](const ast::Stmt *stmt) {
    if (auto *nested = llvm::dyn_cast<ast::FunctionStmt>(stmt))
      walkAllExprs(nested->body, visit);
  });
}

/// Parameters that stand in a shape or in a type of the body, or without a type
/// in `static`, or are passed on to such a parameter.
void ProgramChecker::findConstantParams(FunctionDecl &decl) {
  if (decl.isScanned)
    return;
  decl.isScanned = true;
  auto isParam = [&](llvm::StringRef name, bool mayHaveType = true) {
    return llvm::any_of(decl.ast->params, [&](const ast::Parameter &p) {
      return p.name == name && (mayHaveType || !p.type);
    });
  };
  auto addAll = [&](const ast::Expr *expr, bool mayHaveType = true) {
    walkExpr(expr, [&](const ast::Expr *each) {
      auto *name = llvm::dyn_cast<ast::NameExpr>(each);
      if (name && isParam(name->name, mayHaveType))
        decl.constantParams.insert(name->name);
    });
  };
  if (decl.ast->returnType)
    addAll(decl.ast->returnType);
  for (const ast::Parameter &parameter : decl.ast->params)
    if (parameter.type)
      addAll(parameter.type);
  const std::set<llvm::StringRef> inTypes = decl.constantParams;
  walkAllExprs(decl.ast->body, [&](const ast::Expr *expr) {
    auto *call = llvm::dyn_cast<ast::CallExpr>(expr);
    auto *callee = call ? llvm::dyn_cast<ast::NameExpr>(call->callee) : nullptr;
    if (!callee)
      return;
    auto found = decl.module->names.find(callee->name);
    bool isFunction = found != decl.module->names.end() &&
                      found->second.kind == Meaning::Function;
    if (isFunction) {
      FunctionDecl &other = *found->second.function;
      findConstantParams(other);
      for (auto [k, arg] : llvm::enumerate(call->args)) {
        auto *name = llvm::dyn_cast<ast::NameExpr>(arg.value);
        llvm::StringRef parameter = arg.keyword;
        if (parameter.empty() && k < other.ast->params.size())
          parameter = other.ast->params[k].name;
        if (name && isParam(name->name, /*mayHaveType=*/false) &&
            other.constantParams.count(parameter))
          decl.constantParams.insert(name->name);
      }
      return;
    }
    auto word = findBuiltin(callee->name);
    if (!word)
      return;
    switch (*word) {
    case BuiltinName::Static:
      // What has a type is a value of each call, whatever one call gives.
      for (const ast::Argument &arg : call->args)
        addAll(arg.value, /*mayHaveType=*/false);
      return;
    case BuiltinName::VecOf:
    case BuiltinName::MatOf:
    case BuiltinName::ArrayOf:
    case BuiltinName::Identity:
      for (const ast::Argument &arg : call->args)
        addAll(arg.value);
      return;
    default:
      return;
    }
  });
  // One that the body assigns is a variable that starts with the argument.
  const AssignCounts &counts = countsOf(decl.ast->body);
  for (const ast::Parameter &parameter : decl.ast->params)
    if (counts.all.count(parameter.name) && !inTypes.count(parameter.name))
      decl.constantParams.erase(parameter.name);
}

/// What a cycle of calls hides while it is checked: a function that calls one
/// whose body is not done does not see that it is host only, nor what it reads.
static void
closeCycles(const std::map<std::string, std::unique_ptr<Instance>> &instances) {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[key, instance] : instances) {
      if (instance->state != Instance::Done || !instance->function ||
          instance->function->isKernel)
        continue;
      for (auto &[callee, range] : instance->calls) {
        for (auto &[variable, at] : callee->reads)
          changed |= instance->reads.insert({variable, range}).second;
        if (!callee->hostCause || instance->hostCause)
          continue;
        instance->hostCause = HostCause{
            range, "the call of `" + callee->decl->ast->name.str() + "`",
            callee};
        changed = instance->function->isHostOnly = true;
      }
    }
  }
}

Instance &ProgramChecker::instantiate(FunctionDecl &decl,
                                      std::vector<ArgBinding> args,
                                      SourceRange call,
                                      const TypeNames &typeNames) {
  // A kernel sees no references (Note [Host objects]).
  for (ArgBinding &arg : args)
    if (decl.isKernel && arg.type && arg.type->isRef())
      arg.type = viewOf(arg.type);
  std::unique_ptr<Instance> &slot = instances[keyOf(decl, args)];
  if (slot)
    return *slot;
  slot = std::make_unique<Instance>();
  Instance &instance = *slot;
  ++decl.numInstances;
  instance.decl = &decl;
  instance.args = std::move(args);
  madeFunctions.push_back(std::make_unique<Function>());
  Function &function = *madeFunctions.back();
  instance.function = &function;
  function.name = uniqueName(decl.fullName());
  function.display = displayName(decl, instance.args);
  function.range = decl.ast->nameRange;
  function.isKernel = decl.isKernel;
  function.isStrict = decl.isStrict;
  function.isPassive = decl.isPassive;
  function.lanes = decl.lanes;
  function.block = decl.block;
  function.result = types.voidTy;
  unsigned number = usedNames[decl.fullName()];
  checkInstance(instance, typeNames);
  if (instance.calledBusy.isValid()) {
    closeCycles(instances);
    // Others have called it as if it did not (Note [Self]).
    if (instance.writesSelf && instance.args[0].self == ArgBinding::ByValue) {
      diags.report(instance.calledBusy, diag::RecursionOfChange, decl.ast->name)
          .note(decl.ast->nameRange, diag::DeclaredHere, decl.ast->name)
          .send();
      instance.isBroken = true;
    }
  }
  // Another one takes its place (Note [Self] in ClassChecker.h).
  bool isForm =
      instance.writesSelf && instance.args[0].self == ArgBinding::ByValue;
  if (isForm && usedNames[decl.fullName()] == number)
    usedNames[decl.fullName()] = number - 1;
  return instance;
}

void ProgramChecker::checkInstance(Instance &instance,
                                   const TypeNames &typeNames) {
  FunctionDecl &decl = *instance.decl;
  // A function that calls itself with ever other types would never end.
  constexpr unsigned kMostBusy = 32;
  if (decl.numBusy == kMostBusy) {
    instance.isEndless = instance.isBroken = true;
    instance.state = Instance::Done;
    return;
  }
  ++decl.numBusy;
  instance.state = Instance::Busy;
  size_t mark = diags.mark();
  BodyChecker checker(*this, *decl.module,
                      decl.isKernel ? Where::Kernel : Where::Function,
                      &instance);
  checker.typeNames = typeNames;
  if (decl.isKernel)
    for (auto [k, parameter] : llvm::enumerate(decl.ast->params))
      if (TypeRef type = instance.args[k].type;
          type && (type->holdsStr() || type->holdsObject())) {
        diags
            .report(parameter.nameRange, diag::KernelParam, parameter.name,
                    type->str())
            .send();
        instance.isBroken = true;
      }
  if (!instance.isBroken)
    checker.checkFunction(decl.ast->body);
  instance.function->isHostOnly = instance.hostCause.has_value();
  llvm::ArrayRef<Diagnostic> all = diags.pending();
  instance.diagnostics.assign(all.begin() + mark, all.end());
  diags.discardSince(mark);
  for (const Diagnostic &known : instance.diagnostics)
    instance.isBroken |= known.severity == Severity::Error;
  instance.state = Instance::Done;
  --decl.numBusy;
  if (observer)
    observer->sawInstance(decl.ast, instance.function->display,
                          instance.givenResult ? instance.givenResult
                                               : instance.function->result);
}
