//===- ParamClosure.cpp - Which params are compiled in --------------------===//
// [Src.6]: those that reach a shape, a `static`, a type or a kernel's loop
// bound, directly or through names computed from params alone. By names only:
// the caller (a command line) has only the syntax.
#include "chi/Sema/Program/ProgramChecker.h"

using namespace chi;
using namespace chi::sema;

namespace {
using Names = std::set<std::string>;

/// Words whose value a compiler computes from known operands.
bool isComputable(llvm::StringRef callee) {
  auto word = findBuiltin(callee);
  if (word)
    return mathFunction(*word) || *word == BuiltinName::Min ||
           *word == BuiltinName::Max || *word == BuiltinName::Clamp ||
           *word == BuiltinName::Pow || *word == BuiltinName::Static;
  return callee == "int" || callee == "float" || callee == "bool" ||
         (callee.size() <= 3 && !callee.empty() &&
          llvm::StringRef("iuf").contains(callee[0]));
}

/// The names in an expression; `isKnown` is false if it reads memory or calls
/// what the compiler does not compute.
void namesIn(const ast::Expr *expr, Names &names, bool &isKnown) {
  walkExpr(expr, [&](const ast::Expr *each) {
    if (auto *name = llvm::dyn_cast<ast::NameExpr>(each))
      names.insert(name->name.str());
    if (llvm::isa<ast::SubscriptExpr>(each))
      isKnown = false;
    if (auto *call = llvm::dyn_cast<ast::CallExpr>(each)) {
      auto *name = llvm::dyn_cast<ast::NameExpr>(call->callee);
      auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(call->callee);
      llvm::StringRef callee = name        ? name->name
                               : attribute ? attribute->name
                                           : "";
      isKnown &= isComputable(callee);
    }
  });
}

class ParamReach {
public:
  explicit ParamReach(const ast::Module &module) : module(module) {}
  std::set<std::string> run();

private:
  void define(llvm::StringRef name, const ast::Expr *value);
  void defineIn(ast::Body body);
  void sink(const ast::Expr *expr);
  void sinksOfExprs(ast::Body body);
  void sinksOfLoops(ast::Body body);
  void sinksOfFunctions(ast::Body body);
  void typeSinks(const ast::Expr *type);

  const ast::Module &module;
  std::map<std::string, Names> definitions;
  Names reached;
  std::set<std::string> params;
};
} // namespace

void ParamReach::define(llvm::StringRef name, const ast::Expr *value) {
  Names names;
  bool isKnown = true;
  namesIn(value, names, isKnown);
  if (isKnown)
    definitions[name.str()].insert(names.begin(), names.end());
}

void ParamReach::defineIn(ast::Body body) {
  walkStmts(body, [&](const ast::Stmt *stmt) {
    if (auto *assign = llvm::dyn_cast<ast::AssignStmt>(stmt)) {
      for (const ast::Expr *target : assign->targets) {
        if (auto *name = llvm::dyn_cast<ast::NameExpr>(target))
          define(name->name, assign->value);
        auto *targets = llvm::dyn_cast<ast::TupleExpr>(target);
        auto *values = llvm::dyn_cast<ast::TupleExpr>(assign->value);
        if (targets && values)
          for (auto [one, value] :
               llvm::zip(targets->elements, values->elements))
            if (auto *name = llvm::dyn_cast<ast::NameExpr>(one))
              define(name->name, value);
      }
    } else if (auto *assign = llvm::dyn_cast<ast::AnnAssignStmt>(stmt)) {
      if (auto *name = llvm::dyn_cast<ast::NameExpr>(assign->target))
        if (assign->value)
          define(name->name, assign->value);
    } else if (auto *decl = llvm::dyn_cast<ast::ConstStmt>(stmt)) {
      define(decl->name, decl->value);
    } else if (auto *decl = llvm::dyn_cast<ast::ParamStmt>(stmt)) {
      params.insert(decl->name.str());
      if (decl->value)
        define(decl->name, decl->value);
    }
  });
}

void ParamReach::sink(const ast::Expr *expr) {
  if (!expr)
    return;
  if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(expr)) {
    for (const ast::Expr *element : tuple->elements)
      sink(element);
    return;
  }
  Names names;
  bool isKnown = true;
  namesIn(expr, names, isKnown);
  if (isKnown)
    reached.insert(names.begin(), names.end());
}

/// Calls such as `field(…, shape)`, `static(…)` and `vec(n, T)`.
void ParamReach::sinksOfExprs(ast::Body body) {
  walkExprs(body, [&](const ast::Expr *expr) {
    auto *call = llvm::dyn_cast<ast::CallExpr>(expr);
    auto *name = call ? llvm::dyn_cast<ast::NameExpr>(call->callee) : nullptr;
    auto word = name ? findBuiltin(name->name) : std::nullopt;
    if (!word)
      return;
    for (auto [k, arg] : llvm::enumerate(call->args)) {
      bool isShape = *word == BuiltinName::Field &&
                     (arg.keyword == "shape" || arg.keyword == "offset" ||
                      (arg.keyword.empty() && k == 1));
      bool isConstant =
          *word == BuiltinName::VecOf || *word == BuiltinName::MatOf ||
          *word == BuiltinName::ArrayOf || *word == BuiltinName::Identity;
      if (isShape || isConstant)
        sink(arg.value);
      if (*word != BuiltinName::Static)
        continue;
      // `static(range(n))`: the bounds.
      if (auto *inner = llvm::dyn_cast<ast::CallExpr>(arg.value))
        for (const ast::Argument &bound : inner->args)
          sink(bound.value);
      else
        sink(arg.value);
    }
  });
}

void ParamReach::sinksOfLoops(ast::Body body) {
  walkStmts(body, [&](const ast::Stmt *stmt) {
    auto *loop = llvm::dyn_cast<ast::ForStmt>(stmt);
    const ast::Expr *iterable = loop ? loop->iterable : nullptr;
    while (auto *call = llvm::dyn_cast_or_null<ast::CallExpr>(iterable)) {
      auto *name = llvm::dyn_cast<ast::NameExpr>(call->callee);
      auto word = name ? findBuiltin(name->name) : std::nullopt;
      if (!word)
        return;
      if (*word == BuiltinName::Range || *word == BuiltinName::NdRange) {
        for (const ast::Argument &arg : call->args)
          sink(arg.value);
        return;
      }
      iterable = call->args.empty() ? nullptr : call->args[0].value;
    }
  });
}

void ParamReach::typeSinks(const ast::Expr *type) {
  if (!type)
    return;
  walkExpr(type, [&](const ast::Expr *each) {
    if (auto *name = llvm::dyn_cast<ast::NameExpr>(each))
      reached.insert(name->name.str());
  });
}

/// Of the functions in a body, and of those in them.
void ParamReach::sinksOfFunctions(ast::Body body) {
  walkStmts(body, [&](const ast::Stmt *stmt) {
    auto *function = llvm::dyn_cast<ast::FunctionStmt>(stmt);
    if (!function)
      return;
    bool isKernel = false;
    for (const ast::Expr *decorator : function->decorators) {
      auto *call = llvm::dyn_cast<ast::CallExpr>(decorator);
      auto *name =
          llvm::dyn_cast<ast::NameExpr>(call ? call->callee : decorator);
      isKernel |= name && name->name == "kernel";
    }
    defineIn(function->body);
    sinksOfExprs(function->body);
    if (isKernel)
      sinksOfLoops(function->body);
    for (const ast::Parameter &parameter : function->params)
      typeSinks(parameter.type);
    sinksOfFunctions(function->body);
  });
}

std::set<std::string> ParamReach::run() {
  defineIn(module.body);
  sinksOfExprs(module.body);
  for (const ast::Stmt *stmt : module.body) {
    if (auto *alias = llvm::dyn_cast<ast::TypeAliasStmt>(stmt))
      typeSinks(alias->value);
    if (auto *constant = llvm::dyn_cast<ast::ConstStmt>(stmt))
      sink(constant->value);
  }
  sinksOfFunctions(module.body);
  std::vector<std::string> work(reached.begin(), reached.end());
  while (!work.empty()) {
    std::string name = work.back();
    work.pop_back();
    for (const std::string &next : definitions[name])
      if (reached.insert(next).second)
        work.push_back(next);
  }
  std::set<std::string> result;
  for (const std::string &name : params)
    if (reached.count(name))
      result.insert(name);
  return result;
}

std::set<std::string> sema::specializedParams(const ast::Module &module) {
  return ParamReach(module).run();
}
