//===- Members.cpp - The names that a module shows ------------------------===//
#include "chi/Doc/Members.h"
#include "chi/AST/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace chi;
using namespace chi::doc;
using llvm::StringRef;

namespace {
/// Collects the names of one module and of those that it passes on.
class Collector {
public:
  Collector(StringRef moduleName, const SourceFiles &sources, Finder find,
            std::vector<uint32_t> &parts)
      : prefix(moduleName.str() + "."), sources(sources), find(find),
        parts(parts) {}

  void addAll(const ast::Module &module);
  std::vector<Member> members;

private:
  void addImported(const ast::Module &module, const ast::FromImportStmt &from,
                   const llvm::StringSet<> &used);
  std::optional<Member> lookUp(const ast::Module &module, StringRef name,
                               unsigned depth);

  bool isPart(const ast::FromImportStmt &from) const {
    return from.path.starts_with(prefix);
  }

  std::string prefix;
  const SourceFiles &sources;
  Finder find;
  std::vector<uint32_t> &parts;
};
} // namespace

/// Adds the names that occur in statements.
static void addNames(ast::Body body, llvm::StringSet<> &names) {
  for (const ast::Stmt *stmt : body) {
    ast::forEachExpr(stmt, [&](ast::Expr *expr) {
      ast::walk(expr, [&](ast::Expr *part) {
        if (auto *name = llvm::dyn_cast<ast::NameExpr>(part))
          names.insert(name->name);
      });
    });
    ast::forEachChild(stmt, [&](ast::Stmt *child) {
      ast::Stmt *one[] = {child};
      addNames(one, names);
    });
  }
}

/// The text of the comment in [begin, end), or "".
static StringRef commentIn(StringRef text) {
  text = text.trim();
  return text.consume_front("#") ? text.trim() : StringRef();
}

/// Of a `const` or `type`: the string below it, or the comment behind it.
static StringRef docBeside(const SourceFiles &sources, const ast::Stmt *stmt,
                           const ast::Stmt *next) {
  if (auto *below = llvm::dyn_cast_or_null<ast::ExprStmt>(next))
    if (auto *text = llvm::dyn_cast<ast::StringExpr>(below->value))
      return text->value;
  StringRef all = sources.text(stmt->range.file);
  size_t end = all.find('\n', stmt->range.end);
  return commentIn(all.slice(stmt->range.end, end));
}

static std::optional<Member> declaredBy(const SourceFiles &sources,
                                        const ast::Stmt *stmt,
                                        const ast::Stmt *next) {
  if (auto *function = llvm::dyn_cast<ast::FunctionStmt>(stmt))
    return Member{function->name, stmt, function->doc};
  if (auto *klass = llvm::dyn_cast<ast::ClassStmt>(stmt))
    return Member{klass->name, stmt, klass->doc};
  if (auto *param = llvm::dyn_cast<ast::ParamStmt>(stmt))
    return Member{param->name, stmt, param->doc};
  if (auto *constant = llvm::dyn_cast<ast::ConstStmt>(stmt))
    return Member{constant->name, stmt, docBeside(sources, stmt, next)};
  if (auto *alias = llvm::dyn_cast<ast::TypeAliasStmt>(stmt))
    return Member{alias->name, stmt, docBeside(sources, stmt, next)};
  return std::nullopt;
}

/// `@adjoint_of(f)`: the compiler calls it, others call `f`.
static bool isAdjoint(const ast::Stmt *stmt) {
  auto *function = llvm::dyn_cast<ast::FunctionStmt>(stmt);
  return function &&
         llvm::any_of(function->decorators, [](const ast::Expr *each) {
           auto *call = llvm::dyn_cast<ast::CallExpr>(each);
           auto *name =
               call ? llvm::dyn_cast<ast::NameExpr>(call->callee) : nullptr;
           return name && name->name == "adjoint_of";
         });
}

/// What a name of a module means, also if the module imports it. `depth` ends
/// the search in modules that import each other.
std::optional<Member> Collector::lookUp(const ast::Module &module,
                                        StringRef name, unsigned depth) {
  for (size_t k = 0; k < module.body.size(); ++k) {
    const ast::Stmt *stmt = module.body[k];
    const ast::Stmt *next =
        k + 1 < module.body.size() ? module.body[k + 1] : nullptr;
    if (auto member = declaredBy(sources, stmt, next))
      if (member->name == name)
        return member;
    auto *from = llvm::dyn_cast<ast::FromImportStmt>(stmt);
    if (!from || depth == 0)
      continue;
    for (const ast::ImportedName &each : from->names)
      if ((each.alias.empty() ? each.name : each.alias) == name)
        if (const ast::Module *other = find(from->path, module.file))
          if (auto found = lookUp(*other, each.name, depth - 1)) {
            if (isPart(*from))
              parts.push_back(other->file);
            return found;
          }
  }
  return std::nullopt;
}

void Collector::addImported(const ast::Module &module,
                            const ast::FromImportStmt &from,
                            const llvm::StringSet<> &used) {
  constexpr unsigned maxDepth = 16;
  const ast::Module *other = nullptr;
  for (const ast::ImportedName &each : from.names) {
    StringRef name = each.alias.empty() ? each.name : each.alias;
    if (!isPublic(name) || (!isPart(from) && used.contains(name)))
      continue;
    other = other ? other : find(from.path, module.file);
    if (!other)
      return;
    auto member = lookUp(*other, each.name, maxDepth);
    if (!member)
      continue;
    member->name = name;
    members.push_back(*member);
    if (isPart(from))
      parts.push_back(other->file);
  }
}

void Collector::addAll(const ast::Module &module) {
  llvm::StringSet<> used;
  addNames(module.body, used);
  for (size_t k = 0; k < module.body.size(); ++k) {
    const ast::Stmt *stmt = module.body[k];
    if (auto *from = llvm::dyn_cast<ast::FromImportStmt>(stmt))
      addImported(module, *from, used);
    const ast::Stmt *next =
        k + 1 < module.body.size() ? module.body[k + 1] : nullptr;
    auto member = declaredBy(sources, stmt, next);
    if (member && isPublic(member->name) && !isAdjoint(stmt))
      members.push_back(*member);
  }
}

std::vector<Member> chi::doc::membersOf(StringRef moduleName,
                                        const SourceFiles &sources,
                                        const ast::Module &module, Finder find,
                                        std::vector<uint32_t> &parts) {
  Collector collector(moduleName, sources, find, parts);
  collector.addAll(module);
  return std::move(collector.members);
}
