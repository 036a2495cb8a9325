//===- Examples.cpp - Examples in docstrings ------------------------------===//
#include "chi/Parse/Examples.h"
#include "ChiParser.h"
#include "chi/Parse/Layout.h"
#include "chi/Parse/StmtBuilder.h"
#include "chi/Parse/SyntaxErrors.h"
#include <optional>

using namespace chi;
using namespace chi::parse;
using llvm::StringRef;

namespace {
/// One `>>>` with its continuations.
struct Example {
  uint32_t begin = 0, end = 0; ///< its code, from the start of the line
  std::string expected;
};

/// The examples of a docstring.
struct Documented {
  std::string name;
  SourceRange doc;
  std::vector<Example> examples;
};

/// Reads the lines of a docstring.
class DocReader {
public:
  /// `blank` receives the code of the examples.
  DocReader(StringRef text, std::string &blank) : text(text), blank(blank) {}
  void read(Documented &documented);

private:
  void takeLine(uint32_t begin, uint32_t end);
  void takeCode(uint32_t begin, uint32_t end);
  void takeOutput(StringRef line);

  StringRef text;
  std::string &blank;
  std::vector<Example> examples;
  bool expectsCode = false, expectsOutput = false;
  /// Of the example, and what precedes what it prints; none yet if it follows
  /// the quotes of the docstring.
  std::optional<size_t> indent;
  uint32_t firstLine = 0;
};
} // namespace

static size_t indentOf(StringRef line) {
  return line.size() - line.ltrim(' ').size();
}

/// Copies the code of a line that begins with a mark of three letters.
void DocReader::takeCode(uint32_t begin, uint32_t end) {
  size_t mark = indentOf(text.slice(begin, end));
  for (uint32_t at = begin + uint32_t(mark) + 3; at < end; ++at)
    blank[at] = text[at];
  examples.back().end = end;
}

void DocReader::takeOutput(StringRef line) {
  if (!indent)
    indent = indentOf(line);
  examples.back().expected +=
      line.drop_front(std::min(*indent, indentOf(line))).rtrim().str() + "\n";
}

void DocReader::takeLine(uint32_t begin, uint32_t end) {
  StringRef line = text.slice(begin, end);
  StringRef words = line.ltrim(' ').rtrim();
  auto hasMark = [&](StringRef mark) {
    return words == mark || words.starts_with(mark.str() + " ");
  };
  if (hasMark(">>>")) {
    indent.reset();
    if (begin != firstLine)
      indent = indentOf(line);
    examples.push_back({begin, end, ""});
    expectsCode = expectsOutput = true;
    return takeCode(begin, end);
  }
  if (expectsCode && hasMark("..."))
    return takeCode(begin, end);
  expectsCode = false;
  expectsOutput &= !words.empty();
  if (expectsOutput)
    takeOutput(line);
}

void DocReader::read(Documented &documented) {
  StringRef literal = text.slice(documented.doc.begin, documented.doc.end);
  StringRef inside = literal.ltrim("rR");
  bool isLong = inside.starts_with("\"\"\"") || inside.starts_with("'''");
  if (!isLong || inside.size() < 6)
    return; // one line has no room for an example and its output
  uint32_t at = documented.doc.end - uint32_t(inside.size()) + 3;
  uint32_t last = documented.doc.end - 3;
  firstLine = at;
  while (at < last) {
    size_t lineEnd = std::min<size_t>(text.find('\n', at), last);
    takeLine(at, uint32_t(lineEnd));
    at = uint32_t(lineEnd) + 1;
  }
  documented.examples = std::move(examples);
}

static void addDocumented(ast::Body body, const std::string &prefix,
                          std::vector<Documented> &found) {
  for (const ast::Stmt *stmt : body) {
    if (auto *function = llvm::dyn_cast<ast::FunctionStmt>(stmt))
      found.push_back({prefix + function->name.str(), function->docRange, {}});
    auto *klass = llvm::dyn_cast<ast::ClassStmt>(stmt);
    if (!klass)
      continue;
    found.push_back({klass->name.str(), klass->docRange, {}});
    addDocumented(klass->body, klass->name.str() + ".", found);
  }
}

/// Parses the code of an example. ANTLR throws.
static ast::Body parseCode(BuildState &state, const Example &example) {
  Layout layout =
      layOut(state.sources, {state.file, example.begin, example.end},
             LayoutMode::Block, /*keepTrivia=*/false, state.diags);
  if (!layout.isUsable)
    return {};
  TokenList tokens(layout, state.text);
  grammar::ChiParser parser(&tokens);
  parser.removeErrorListeners();
  auto recovery = std::make_shared<StatementRecovery>(tokens, layout,
                                                      state.file, state.diags);
  parser.setErrorHandler(recovery);
  return StmtBuilder(state, *recovery).buildBody(parser.file());
}

static ast::TestStmt *makeTest(BuildState &state,
                               const Documented &documented) {
  const Example &first = documented.examples.front();
  auto *test = state.context.make<ast::TestStmt>(
      SourceRange{state.file, first.begin, first.end});
  unsigned line = state.sources.lineColumn(state.file, first.begin).line;
  test->name = state.context.copy(
      StringRef(documented.name + ", line " + std::to_string(line)));
  test->nameRange = test->range;
  llvm::SmallVector<ast::Stmt *> body;
  for (const Example &example : documented.examples) {
    StringRef code = state.text.slice(example.begin, example.end);
    uint32_t begin =
        example.end - uint32_t(code.ltrim().size()); // of the code itself
    auto *made = state.context.make<ast::ExampleStmt>(
        SourceRange{state.file, begin, example.end});
    made->expected = state.context.copy(StringRef(example.expected));
    made->body = parseCode(state, example);
    body.push_back(made);
  }
  test->body = state.context.copy(llvm::ArrayRef<ast::Stmt *>(body));
  return test;
}

std::vector<ast::TestStmt *>
chi::parse::parseExamples(SourceFiles &sources, const ast::Module &module,
                          ast::Context &context, DiagnosticEngine &diags) {
  StringRef text = sources.text(module.file);
  std::string blank(text.size(), ' ');
  for (size_t k = 0; k < text.size(); ++k)
    if (text[k] == '\n')
      blank[k] = '\n';
  std::vector<Documented> all{{"the module", module.docRange, {}}};
  addDocumented(module.body, "", all);
  bool hasAny = false;
  for (Documented &each : all) {
    if (each.doc.isValid())
      DocReader(text, blank).read(each);
    hasAny |= !each.examples.empty();
  }
  std::vector<ast::TestStmt *> tests;
  if (!hasAny)
    return tests;
  uint32_t file = sources.add(sources.name(module.file).str(), blank);
  BuildState state(sources, file, context, diags);
  try {
    for (const Documented &each : all)
      if (!each.examples.empty())
        tests.push_back(makeTest(state, each));
  } catch (const std::exception &e) { // as in parseModule
    diags
        .report({file, 0, 0}, diag::SyntaxError,
                std::string("the parser failed: ") + e.what())
        .send();
  }
  return tests;
}
