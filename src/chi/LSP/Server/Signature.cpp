//===- Signature.cpp - The parameters of the call that one types ----------===//
#include "chi/LSP/Server/Describe.h"
#include "chi/LSP/Server/Typing.h"
#include "llvm/ADT/StringExtras.h"

using namespace chi;
using namespace chi::lsp;
using llvm::StringRef;

/// A parameter as it is written.
static std::string parameterText(const SourceFiles &sources,
                                 const ast::Parameter &each) {
  std::string text = each.name.str();
  if (each.type)
    text += ": " + sources.text(each.type->range).str();
  if (each.defaultValue)
    text += (each.type ? " = " : "=") +
            sources.text(each.defaultValue->range).str();
  return text;
}

static protocol::SignatureInformation
signatureOf(StringRef name, const std::vector<std::string> &parameters,
            StringRef result) {
  protocol::SignatureInformation signature;
  signature.label = name.str() + "(" + llvm::join(parameters, ", ") + ")";
  if (!result.empty())
    signature.label += " -> " + result.str();
  for (const std::string &each : parameters) {
    signature.parameters.emplace_back();
    signature.parameters.back().labelString = each;
  }
  return signature;
}

/// Of a function, or of a class as it is called; none of anything else.
static std::optional<protocol::SignatureInformation>
signatureOf(const Analysis &analysis, const Symbol &symbol) {
  const Symbol *callee = &symbol;
  std::vector<std::string> parameters;
  if (callee->kind == Symbol::Class) {
    if (const Symbol *made = callee->members->find("__init__")) {
      callee = made;
    } else {
      auto *klass = llvm::cast<ast::ClassStmt>(callee->stmt);
      for (const ast::Stmt *each : klass->body)
        if (auto *member = llvm::dyn_cast<ast::AnnAssignStmt>(each))
          parameters.push_back(analysis.sources.text(member->range).str());
      return signatureOf(symbol.name, parameters, "");
    }
  }
  auto *function = llvm::dyn_cast_or_null<ast::FunctionStmt>(callee->stmt);
  if (!function)
    return std::nullopt;
  for (const ast::Parameter &each : function->params)
    if (!callee->owner || &each != &function->params.front())
      parameters.push_back(parameterText(analysis.sources, each));
  StringRef result = function->returnType
                         ? analysis.sources.text(function->returnType->range)
                         : "";
  return signatureOf(symbol.name, parameters, result);
}

/// The number of the parameter that an argument is for.
static unsigned parameterAt(const protocol::SignatureInformation &signature,
                            const OpenCall &call) {
  for (auto [k, each] : llvm::enumerate(signature.parameters)) {
    StringRef name = StringRef(each.labelString).take_while(isOfName);
    if (!call.keyword.empty() && name == call.keyword)
      return k;
  }
  return call.argument;
}

std::optional<protocol::SignatureHelp>
lsp::signatureAt(Documents &documents, Document &document,
                 protocol::Position position, const Words &words) {
  auto call = openCallAt(document.text, document.text.offset(position));
  if (!call)
    return std::nullopt;
  Probed found = probe(documents, document, call->paren, call->callee);
  const Symbol *symbol = found.symbol ? found.symbol->declaration() : nullptr;
  std::optional<protocol::SignatureInformation> signature;
  if (symbol)
    signature = signatureOf(*found.analysis, *symbol);
  if (signature)
    signature->documentation = docOf(*found.analysis, *symbol);
  StringRef name = call->callee.rsplit('.').second;
  const Word *word =
      found.baseType ? words.findMember(found.baseType, name) : nullptr;
  if (!symbol && !word)
    word =
        words.find(call->callee) ? words.find(call->callee) : words.find(name);
  if (!signature && word && !word->written.empty()) {
    signature.emplace();
    signature->label = word->written;
    signature->documentation = word->meaning;
  }
  if (!signature)
    return std::nullopt;
  protocol::SignatureHelp help;
  help.activeParameter = int(parameterAt(*signature, *call));
  help.signatures.push_back(std::move(*signature));
  return help;
}
