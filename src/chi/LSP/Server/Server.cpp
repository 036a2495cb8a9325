//===- Server.cpp - The language server -----------------------------------===//
#include "chi/LSP/Server/Server.h"
#include "chi/Format/Format.h"
#include "chi/LSP/Server/References.h"
#include "chi/LSP/Server/Reports.h"
#include "chi/LSP/Server/Typing.h"
#include "chi/Support/Version.h"
#include "llvm/Support/LSP/Transport.h"

using namespace chi;
using namespace chi::lsp;
using protocol::Callback;
namespace json = llvm::json;

namespace {
/// Parameters that are read by hand.
struct Raw {
  json::Object object;
};
bool fromJSON(const json::Value &value, Raw &raw, json::Path path) {
  const json::Object *object = value.getAsObject();
  if (object)
    raw.object = *object;
  else
    path.report("expected an object");
  return object != nullptr;
}

using At = protocol::TextDocumentPositionParams;

/// One connection.
class Server {
public:
  Server(World &world, protocol::JSONTransport &transport);
  /// Whether `shutdown` came.
  bool isDown = false;
  protocol::MessageHandler handler;

private:
  // -- lifecycle and texts ---------------------------------------------------
  void initialize(const Raw &params, Callback<json::Value> reply);
  void initialized(const protocol::NoParams &) {}
  void shutDown(const protocol::NoParams &, Callback<json::Value> reply);
  void didOpen(const protocol::DidOpenTextDocumentParams &params);
  void didChange(const protocol::DidChangeTextDocumentParams &params);
  void didClose(const protocol::DidCloseTextDocumentParams &params);
  void didChangeFiles(const Raw &params);
  void settle();
  void publish(const std::set<std::string> &files);

  // -- questions -------------------------------------------------------------
  void hover(const At &at, Callback<std::optional<protocol::Hover>> reply);
  void define(const At &at, Callback<json::Value> reply);
  void refer(const protocol::ReferenceParams &at, Callback<json::Value> reply);
  void highlight(const At &at, Callback<json::Value> reply);
  void complete(const At &at, Callback<protocol::CompletionList> reply);
  void help(const At &at,
            Callback<std::optional<protocol::SignatureHelp>> reply);
  void prepareRename(const At &at, Callback<protocol::Range> reply);
  void rename(const Raw &params, Callback<protocol::WorkspaceEdit> reply);
  void outline(const Raw &params,
               Callback<std::vector<protocol::DocumentSymbol>> reply);
  void format(const Raw &params, Callback<json::Value> reply);
  void act(const Raw &params,
           Callback<std::vector<protocol::CodeAction>> reply);

  Document *find(const protocol::URIForFile &uri) {
    return documents.find(plainPath(uri.file()));
  }
  Document *find(const json::Object &params);
  Place placeAt(const At &at);

  World &world;
  Words words;
  Documents documents;
  Reports reports;
  std::vector<std::string> folders; ///< of the project
  References references;
  protocol::OutgoingNotification<json::Value> publishing;
};
} // namespace

Server::Server(World &world, protocol::JSONTransport &transport)
    : handler(transport), world(world), words(world.builtinWords()),
      documents(world), references(world, documents, folders, words),
      publishing(handler.outgoingNotification<json::Value>(
          "textDocument/publishDiagnostics")) {
  handler.method("initialize", this, &Server::initialize);
  handler.notification("initialized", this, &Server::initialized);
  handler.method("shutdown", this, &Server::shutDown);
  handler.notification("textDocument/didOpen", this, &Server::didOpen);
  handler.notification("textDocument/didChange", this, &Server::didChange);
  handler.notification("textDocument/didClose", this, &Server::didClose);
  handler.notification("workspace/didChangeWatchedFiles", this,
                       &Server::didChangeFiles);
  handler.method("textDocument/hover", this, &Server::hover);
  handler.method("textDocument/definition", this, &Server::define);
  handler.method("textDocument/references", this, &Server::refer);
  handler.method("textDocument/documentHighlight", this, &Server::highlight);
  handler.method("textDocument/completion", this, &Server::complete);
  handler.method("textDocument/signatureHelp", this, &Server::help);
  handler.method("textDocument/prepareRename", this, &Server::prepareRename);
  handler.method("textDocument/rename", this, &Server::rename);
  handler.method("textDocument/documentSymbol", this, &Server::outline);
  handler.method("textDocument/formatting", this, &Server::format);
  handler.method("textDocument/codeAction", this, &Server::act);
}

//===----------------------------------------------------------------------===//
// Lifecycle and texts
//===----------------------------------------------------------------------===//

static void addFolder(llvm::StringRef uri, std::vector<std::string> &folders) {
  auto folder = protocol::URIForFile::fromURI(uri);
  if (folder)
    folders.push_back(plainPath(folder->file()));
  else
    llvm::consumeError(folder.takeError());
}

void Server::initialize(const Raw &params, Callback<json::Value> reply) {
  if (const json::Array *all = params.object.getArray("workspaceFolders"))
    for (const json::Value &each : *all)
      if (const json::Object *folder = each.getAsObject())
        addFolder(folder->getString("uri").value_or(""), folders);
  if (folders.empty())
    addFolder(params.object.getString("rootUri").value_or(""), folders);
  json::Object sync{
      {"openClose", true},
      {"change", int(protocol::TextDocumentSyncKind::Incremental)},
      {"save", false}};
  json::Object capabilities{
      {"positionEncoding", "utf-16"},
      {"textDocumentSync", std::move(sync)},
      {"hoverProvider", true},
      {"definitionProvider", true},
      {"referencesProvider", true},
      {"documentHighlightProvider", true},
      {"documentSymbolProvider", true},
      {"completionProvider", json::Object{{"triggerCharacters", {"."}}}},
      {"signatureHelpProvider",
       json::Object{{"triggerCharacters", {"(", ","}}}},
      {"renameProvider", json::Object{{"prepareProvider", true}}},
      {"documentFormattingProvider", true},
      {"codeActionProvider", json::Object{{"codeActionKinds", {"quickfix"}}}}};
  reply(
      json::Object{{"capabilities", std::move(capabilities)},
                   {"serverInfo", json::Object{{"name", "chic"},
                                               {"version", version().str()}}}});
}

void Server::shutDown(const protocol::NoParams &, Callback<json::Value> reply) {
  isDown = true;
  reply(nullptr);
}

void Server::didOpen(const protocol::DidOpenTextDocumentParams &params) {
  documents.open(params.textDocument.uri, params.textDocument.version,
                 params.textDocument.text);
  settle();
}

void Server::didChange(const protocol::DidChangeTextDocumentParams &params) {
  Document *document = find(params.textDocument.uri);
  if (!document)
    return;
  for (const auto &change : params.contentChanges)
    if (change.range)
      document->text.replace(*change.range, change.text);
    else
      document->text = Text(change.text);
  document->version = params.textDocument.version;
  documents.changed(*document);
  settle();
}

void Server::didClose(const protocol::DidCloseTextDocumentParams &params) {
  std::string path = plainPath(params.textDocument.uri.file());
  documents.close(path);
  std::set<std::string> files = reports.remove(path);
  files.insert(path);
  publish(files);
  settle();
}

void Server::didChangeFiles(const Raw &params) {
  if (const json::Array *changes = params.object.getArray("changes"))
    for (const json::Value &each : *changes) {
      const json::Object *change = each.getAsObject();
      std::vector<std::string> files;
      addFolder(change ? change->getString("uri").value_or("") : "", files);
      for (const std::string &file : files)
        documents.outdate(file);
    }
  settle();
}

/// Shows the diagnostics of what changed, unless the editor goes on writing.
void Server::settle() {
  if (world.isInputWaiting())
    return;
  for (auto &[path, document] : documents.all())
    if (!document.isShown) {
      documents.analyze(document);
      document.isShown = true;
      publish(reports.update(document, path));
    }
}

void Server::publish(const std::set<std::string> &files) {
  for (const std::string &file : files) {
    Document *document = documents.find(file);
    auto uri = document ? llvm::Expected<protocol::URIForFile>(document->uri)
                        : protocol::URIForFile::fromFile(file);
    if (!uri) {
      llvm::consumeError(uri.takeError());
      continue;
    }
    json::Object params{{"uri", *uri}, {"diagnostics", reports.of(file)}};
    if (document)
      params["version"] = document->version;
    publishing(std::move(params));
  }
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

Place Server::placeAt(const At &at) {
  Document *document = find(at.textDocument.uri);
  return document ? documents.placeAt(*document, at.position) : Place();
}

Document *Server::find(const json::Object &params) {
  const json::Object *of = params.getObject("textDocument");
  std::vector<std::string> paths;
  addFolder(of ? of->getString("uri").value_or("") : "", paths);
  return paths.empty() ? nullptr : documents.find(paths[0]);
}

void Server::hover(const At &at,
                   Callback<std::optional<protocol::Hover>> reply) {
  reply(hoverAt(placeAt(at), words));
  settle();
}

void Server::define(const At &at, Callback<json::Value> reply) {
  reply(json::Value(definitionAt(placeAt(at))));
  settle();
}

void Server::refer(const protocol::ReferenceParams &at,
                   Callback<json::Value> reply) {
  Place place = placeAt(at);
  json::Array found;
  if (const Symbol *symbol = namedAt(place).symbol)
    for (const Reference &each : references.to(place, *symbol))
      if (at.context.includeDeclaration || !each.isDeclaration)
        found.push_back(toValue(each.location));
  reply(std::move(found));
  settle();
}

void Server::highlight(const At &at, Callback<json::Value> reply) {
  constexpr int kRead = 2, kWrite = 3;
  Place place = placeAt(at);
  json::Array found;
  if (const Symbol *symbol = namedAt(place).symbol)
    for (const Reference &each : References::inFile(place, *symbol))
      found.push_back(json::Object{{"range", each.location.range},
                                   {"kind", each.isWrite ? kWrite : kRead}});
  reply(std::move(found));
  settle();
}

void Server::complete(const At &at, Callback<protocol::CompletionList> reply) {
  protocol::CompletionList list;
  if (Document *document = find(at.textDocument.uri))
    list.items = completionsAt(documents, *document, at.position, world, words);
  reply(std::move(list));
  settle();
}

void Server::help(const At &at,
                  Callback<std::optional<protocol::SignatureHelp>> reply) {
  Document *document = find(at.textDocument.uri);
  reply(document ? signatureAt(documents, *document, at.position, words)
                 : std::nullopt);
  settle();
}

void Server::prepareRename(const At &at, Callback<protocol::Range> reply) {
  reply(references.renamable(placeAt(at)));
  settle();
}

void Server::rename(const Raw &params,
                    Callback<protocol::WorkspaceEdit> reply) {
  Place place;
  json::Path::Root root;
  protocol::Position position;
  const json::Value *written = params.object.get("position");
  Document *document = find(params.object);
  if (document && written && fromJSON(*written, position, root))
    place = documents.placeAt(*document, position);
  reply(references.rename(
      place, params.object.getString("newName").value_or("").str()));
  settle();
}

void Server::outline(const Raw &params,
                     Callback<std::vector<protocol::DocumentSymbol>> reply) {
  std::vector<protocol::DocumentSymbol> symbols;
  if (Document *document = find(params.object)) {
    const Analysis &analysis = documents.analyze(*document);
    if (analysis.hasNames())
      symbols = outlineOf(analysis);
    else if (document->lastGood)
      symbols = outlineOf(*document->lastGood);
  }
  reply(std::move(symbols));
  settle();
}

/// One edit of the lines that differ.
static json::Array editsBetween(const Text &before, const std::string &after) {
  const std::string &old = before.str();
  size_t most = std::min(old.size(), after.size()), same = 0, tail = 0;
  while (same < most && old[same] == after[same])
    ++same;
  if (same == old.size() && same == after.size())
    return json::Array();
  while (same > 0 && old[same - 1] != '\n')
    --same;
  while (tail < most - same &&
         old[old.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  while (tail > 0 && old[old.size() - tail - 1] != '\n')
    --tail;
  protocol::TextEdit edit;
  edit.range = before.range(uint32_t(same), uint32_t(old.size() - tail));
  edit.newText = after.substr(same, after.size() - tail - same);
  return json::Array{edit};
}

void Server::format(const Raw &params, Callback<json::Value> reply) {
  json::Value edits = nullptr; // of what has syntax errors
  if (Document *document = find(params.object)) {
    SourceFiles sources;
    DiagnosticEngine diags;
    uint32_t file =
        sources.add(document->uri.file().str(), document->text.str());
    if (auto text = format::formatSource(sources, file, diags))
      edits = editsBetween(document->text, *text);
  }
  reply(std::move(edits));
  settle();
}

void Server::act(const Raw &params,
                 Callback<std::vector<protocol::CodeAction>> reply) {
  std::vector<protocol::CodeAction> actions;
  json::Path::Root root;
  protocol::Range range;
  const json::Value *written = params.object.get("range");
  Document *document = find(params.object);
  if (document && written && fromJSON(*written, range, root))
    actions = actionsAt(documents.analyze(*document),
                        document->text.offset(range.start),
                        document->text.offset(range.end));
  reply(std::move(actions));
  settle();
}

namespace {
/// Drops what is no message: the transport would end with it.
class Messages final : public protocol::JSONTransportInput {
public:
  explicit Messages(std::FILE *in) : file(in) {}
  bool hasError() const override { return file.hasError(); }
  bool isEndOfInput() const override { return file.isEndOfInput(); }
  llvm::LogicalResult readDelimitedMessage(std::string &text) override {
    return file.readDelimitedMessage(text);
  }
  llvm::LogicalResult readStandardMessage(std::string &text) override {
    if (failed(file.readStandardMessage(text)))
      return llvm::failure();
    auto message = json::parse(text);
    if (!message) {
      llvm::consumeError(message.takeError());
      return llvm::failure();
    }
    const json::Object *object = message->getAsObject();
    bool isMessage = object && object->getString("jsonrpc") == "2.0" &&
                     (object->getString("method") || object->get("id"));
    return llvm::success(isMessage);
  }

private:
  protocol::JSONTransportInputOverFile file;
};
} // namespace

int chi::lsp::serve(World &world, std::FILE *in, llvm::raw_ostream &out) {
  protocol::JSONTransport transport(std::make_unique<Messages>(in), out);
  Server server(world, transport);
  // The end of the input is an error for it.
  llvm::consumeError(transport.run(server.handler));
  return server.isDown ? 0 : 1;
}
