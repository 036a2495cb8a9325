//===- ExportedInstances.cpp - What `export` names ------------------------===//
#include "chi/AST/Walk.h"
#include "chi/Sema/Exprs/ExprCheckers.h"
#include "chi/Sema/Program/ProgramChecker.h"
#include "llvm/ADT/StringExtras.h"

using namespace chi;
using namespace chi::sema;

namespace {
/// One instance of a generic function, as `export` writes it: `conv[f32]`.
class ExportedInstance {
public:
  ExportedInstance(ProgramChecker &program, ModuleScope &main,
                   const ast::Expr *written)
      : program(program), written(written),
        declared(program, main, Where::Constant, nullptr) {}

  /// The instance; null after a report.
  Instance *check();
  /// "conv_f32"
  std::string name() const;

private:
  bool refuse(SourceRange range, llvm::StringRef what, const std::string &why);
  bool findFunction();
  bool takeTypes(llvm::ArrayRef<ast::Expr *> indices);
  bool takeType(llvm::StringRef name, const ast::Expr *given);
  bool bindParameters(std::vector<ArgBinding> &args);
  bool bindParameter(const ast::Parameter &parameter, ArgBinding &binding);

  ProgramChecker &program;
  const ast::Expr *written;
  ExprCheckers declared;
  FunctionDecl *decl = nullptr;
  TypeNames typeNames;
  std::string suffix; ///< "_f32"
};
} // namespace

bool ExportedInstance::refuse(SourceRange range, llvm::StringRef what,
                              const std::string &why) {
  program.diags
      .report(range, diag::NotExportable, ("`" + what + "`").str(), why)
      .send();
  return false;
}

/// Sets `decl` if a generic function is named, with types.
bool ExportedInstance::findFunction() {
  auto *instance = llvm::dyn_cast<ast::SubscriptExpr>(written);
  const ast::Expr *base = instance ? instance->base : written;
  auto *name = llvm::dyn_cast<ast::NameExpr>(base);
  llvm::StringRef text = program.sources.text(base->range);
  if (!name)
    return refuse(base->range, text, "it is no name of a function");
  Meaning meaning = declared.ctx.names.lookup(name->name);
  if (meaning.kind == Meaning::Nothing)
    declared.ctx.names.reportUnknown(name->name, name->range);
  if (meaning.kind == Meaning::Nothing || meaning.kind == Meaning::Broken)
    return false;
  if (meaning.kind != Meaning::Function)
    return refuse(base->range, text, "it is no function");
  decl = meaning.function;
  if (decl->isBroken)
    return false;
  if (!decl->module->path.empty())
    return refuse(base->range, text, "it is a function of another module");
  if (decl->ast->typeParams.empty())
    return refuse(base->range, text,
                  "it has no type parameters; a library has all functions "
                  "whose parameters have types");
  return instance ||
         refuse(base->range, text,
                "its types are missing, as in `" + text.str() + "[f32]`");
}

/// What a type parameter stands for: a type, or the number of a vec's members.
bool ExportedInstance::takeType(llvm::StringRef name, const ast::Expr *given) {
  Meaning &meaning = typeNames[name.str()];
  if (auto *number = llvm::dyn_cast<ast::IntExpr>(given)) {
    meaning.kind = Meaning::Constant;
    meaning.constant = program.build.intLiteral(given->range, number->value,
                                                program.types.untypedInt);
    suffix += "_" + std::to_string(number->value);
    return true;
  }
  meaning.kind = Meaning::Type;
  meaning.type = declared.checkType(given);
  if (meaning.type->isError())
    return false;
  suffix += "_";
  for (char c : meaning.type->str())
    suffix += llvm::isAlnum(c) ? c : '_';
  return true;
}

/// "2 types"
static std::string counted(size_t count, const std::string &what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

bool ExportedInstance::takeTypes(llvm::ArrayRef<ast::Expr *> indices) {
  if (auto *several = indices.size() == 1
                          ? llvm::dyn_cast<ast::TupleExpr>(indices[0])
                          : nullptr)
    indices = several->elements;
  llvm::ArrayRef<ast::TypeParameter> wanted = decl->ast->typeParams;
  if (indices.size() != wanted.size())
    return refuse(written->range, decl->ast->name,
                  "it has " + counted(wanted.size(), "type parameter") +
                      ", and " + counted(indices.size(), "type") +
                      (indices.size() == 1 ? " is given" : " are given"));
  for (auto [parameter, given] : llvm::zip_equal(wanted, indices)) {
    if (!takeType(parameter.name, given))
      return false;
    bool isUsed = llvm::any_of(decl->ast->params, [&](const auto &each) {
      bool found = false;
      if (each.type)
        walkExpr(each.type, [&](const ast::Expr *part) {
          auto *name = llvm::dyn_cast<ast::NameExpr>(part);
          found |= name && name->name == parameter.name;
        });
      return found;
    });
    if (!isUsed)
      return refuse(written->range, decl->ast->name,
                    "no type of a parameter contains `" + parameter.name.str() +
                        "`");
  }
  return true;
}

bool ExportedInstance::bindParameter(const ast::Parameter &parameter,
                                     ArgBinding &binding) {
  if (!parameter.type)
    return refuse(written->range, decl->ast->name,
                  "its parameter `" + parameter.name.str() + "` has no type");
  if (decl->constantParams.count(parameter.name))
    return refuse(written->range, decl->ast->name,
                  "the value of `" + parameter.name.str() +
                      "` must be known when it is compiled");
  binding.type = declared.checkType(parameter.type);
  return !binding.type->isError();
}

bool ExportedInstance::bindParameters(std::vector<ArgBinding> &args) {
  program.findConstantParams(*decl);
  declared.state.scopes.push_back({});
  for (auto &[name, meaning] : typeNames)
    declared.state.scopes.back().names[name] = meaning;
  bool isGood = true;
  for (const ast::Parameter &parameter : decl->ast->params) {
    args.emplace_back();
    isGood = isGood && bindParameter(parameter, args.back());
  }
  declared.state.scopes.pop_back();
  return isGood;
}

Instance *ExportedInstance::check() {
  std::vector<ArgBinding> args;
  if (!findFunction() ||
      !takeTypes(llvm::cast<ast::SubscriptExpr>(written)->indices) ||
      !bindParameters(args))
    return nullptr;
  return &program.instantiate(*decl, std::move(args), written->range,
                              typeNames);
}

std::string ExportedInstance::name() const {
  return decl->ast->name.str() + suffix;
}

std::vector<Function *> sema::exportedInstances(ProgramChecker &program) {
  std::vector<Function *> all;
  ModuleScope &main = *program.modules.front();
  for (const ast::Stmt *stmt : main.ast->body) {
    auto *statement = llvm::dyn_cast<ast::ExportStmt>(stmt);
    if (!statement)
      continue;
    for (const ast::Expr *written : statement->instances) {
      ExportedInstance exported(program, main, written);
      Instance *instance = exported.check();
      if (!instance)
        continue;
      for (const Diagnostic &known : instance->diagnostics)
        program.diags.add(known);
      instance->function->exportedAs = exported.name();
      all.push_back(instance->function);
    }
  }
  return all;
}
