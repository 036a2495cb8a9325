//===- SyntaxWords.cpp - Words for syntax errors --------------------------===//
#include "chi/Parse/SyntaxErrors.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include <optional>

using namespace chi;
using namespace chi::parse;
using chi::grammar::ChiParser;
using llvm::StringRef;
using llvm::Twine;

static bool isKeyword(size_t type) {
  return type >= ChiParser::AND && type <= ChiParser::YIELD;
}
static bool isOperandStart(size_t type) {
  return (type >= ChiParser::INTEGER && type <= ChiParser::NAME) ||
         type == ChiParser::TRUE || type == ChiParser::FALSE ||
         type == ChiParser::NONE || type == ChiParser::OPEN_PAREN ||
         type == ChiParser::LAMBDA;
}
static bool isOperandEnd(size_t type) {
  return (type >= ChiParser::INTEGER && type <= ChiParser::NAME) ||
         type == ChiParser::TRUE || type == ChiParser::FALSE ||
         type == ChiParser::NONE || type == ChiParser::CLOSE_PAREN ||
         type == ChiParser::CLOSE_BRACKET || type == ChiParser::CLOSE_BRACE;
}
static bool isLineEnd(size_t type) {
  return type == ChiParser::NEWLINE || type == ChiParser::EOF ||
         type == ChiParser::DEDENT;
}

/// `text`, cut to what fits in a sentence.
static std::string quoted(StringRef text) {
  constexpr size_t longest = 40;
  StringRef shown = text.substr(0, text.find_first_of("\r\n"));
  bool isCut = shown.size() < text.size();
  if (shown.size() > longest) {
    size_t cut = longest;
    while (cut > 0 && (shown[cut] & 0xC0) == 0x80)
      --cut; // not inside a character
    shown = shown.take_front(cut);
    isCut = true;
  }
  return ("`" + shown + (isCut ? "..." : "") + "`").str();
}

static std::string foundWords(const ListedToken &token) {
  switch (token.getType()) {
  case ChiParser::EOF:
    return "the end of the text";
  case ChiParser::NEWLINE:
    return "the end of the line";
  case ChiParser::INDENT:
    return "an indented line";
  case ChiParser::DEDENT:
    return "the end of the block";
  default:
    return (isKeyword(token.getType()) ? "the keyword " : "") +
           quoted(token.spelling());
  }
}

/// The text of the last keyword that a rule has taken: "elif".
static StringRef lastKeyword(const antlr4::ParserRuleContext *context) {
  for (auto child = context->children.rbegin();
       child != context->children.rend(); ++child)
    if (auto *leaf = dynamic_cast<antlr4::tree::TerminalNode *>(*child)) {
      auto *token = static_cast<ListedToken *>(leaf->getSymbol());
      if (isKeyword(token->getType()))
        return token->spelling();
    }
  return "";
}

static std::string colonWords(const antlr4::ParserRuleContext *context) {
  StringRef keyword = lastKeyword(context);
  switch (context->getRuleIndex()) {
  case ChiParser::RuleIfStatement:
  case ChiParser::RuleWhileStatement:
    if (keyword != "else")
      return ("`:` after the condition of `" + keyword + "`").str();
    return "`:` after `else`";
  case ChiParser::RuleForStatement:
  case ChiParser::RuleWithStatement:
    if (context->getRuleIndex() == ChiParser::RuleForStatement)
      keyword = "for";
    return ("`:` at the end of the `" + keyword + "` line").str();
  case ChiParser::RuleFunctionDefinition:
    return keyword == "def" && context->children.back()->getText() == ")"
               ? "`:` or `->` after the parameters"
               : "`:` after the head of the function";
  case ChiParser::RuleClassDefinition:
    return "`:` after the head of the class";
  case ChiParser::RuleTestBlock:
    return "`:` after the name of the test";
  case ChiParser::RuleParamStatement:
    return "`:` and a type after the name of the param";
  case ChiParser::RuleLambdaHead:
    return "`:` after the parameters of `lambda`";
  default:
    return keyword.empty() ? "`:`" : ("`:` after `" + keyword + "`").str();
  }
}

static std::string nameWords(const SyntaxProblem &problem) {
  switch (problem.context->getRuleIndex()) {
  case ChiParser::RuleFunctionDefinition:
    return "the name of the function after `def`";
  case ChiParser::RuleClassDefinition:
    return "the name of the class after `class`";
  case ChiParser::RuleDottedName:
  case ChiParser::RuleImportedModule:
    return "the name of a module";
  case ChiParser::RuleImportedName:
    return "a name to import";
  case ChiParser::RuleParameter:
    return "the name of a parameter";
  case ChiParser::RuleTypeParameter:
    return "the name of a type parameter";
  default:
    return "a name after " + quoted(problem.previous().spelling());
  }
}

static std::string assignWords(const antlr4::ParserRuleContext *context) {
  switch (context->getRuleIndex()) {
  case ChiParser::RuleConstStatement:
    return "`=` and a value of the const";
  case ChiParser::RuleParamStatement:
    return "`=` and a default value of the param";
  case ChiParser::RuleTypeStatement:
    return "`=` and a type";
  default:
    return "`=`";
  }
}

static std::string closeWords(const SyntaxProblem &problem, StringRef close) {
  size_t last = problem.previous().getType();
  bool isEmpty = last == ChiParser::OPEN_PAREN ||
                 last == ChiParser::OPEN_BRACKET ||
                 last == ChiParser::OPEN_BRACE;
  size_t rule = problem.context->getRuleIndex();
  StringRef item = rule == ChiParser::RuleFunctionDefinition ? "a parameter"
                   : rule == ChiParser::RuleTypeParameters ? "a type parameter"
                                                           : "an expression";
  if (isEmpty || last == ChiParser::COMMA)
    return (item + " or `" + close + "`").str();
  return ("`,` or `" + close + "`").str();
}

/// The words for one token that alone would have fit.
static std::string wordsFor(size_t type, const SyntaxProblem &problem) {
  switch (type) {
  case ChiParser::COLON:
    return colonWords(problem.context);
  case ChiParser::NAME:
    return nameWords(problem);
  case ChiParser::ASSIGN:
    return assignWords(problem.context);
  case ChiParser::CLOSE_PAREN:
    return closeWords(problem, ")");
  case ChiParser::CLOSE_BRACKET:
    return closeWords(problem, "]");
  case ChiParser::CLOSE_BRACE:
    return closeWords(problem, "}");
  case ChiParser::OPEN_PAREN:
    return "`(` and the parameters after the name of the function";
  case ChiParser::IN:
    return "`in` after the variables of `for`";
  case ChiParser::ELSE:
    return "`else` and a value (`a if condition else b`)";
  case ChiParser::IMPORT:
    return "`import` and the names to import";
  case ChiParser::STRING:
    return "a string that describes the param";
  case ChiParser::CASE:
  case ChiParser::DEDENT: // of the only block that not all may stand in
    return "a `case` line";
  case ChiParser::EOF:
  case ChiParser::NEWLINE:
    if (problem.context->getRuleIndex() == ChiParser::RuleFieldExpression)
      return "an operator or the end of the replacement field";
    return isOperandEnd(problem.previous().getType())
               ? "an operator or the end of the line"
               : "the end of the line";
  default:
    return "";
  }
}

/// The tokens that would have fit; empty if a sentence cannot hold them.
static std::string expectedWords(const SyntaxProblem &problem) {
  const ListedToken &previous = problem.previous();
  if (previous.getType() == ChiParser::AS)
    return "a name after `as`";
  switch (problem.context->getRuleIndex()) {
  case ChiParser::RuleFile:
    return "a statement";
  case ChiParser::RuleStatement:
  case ChiParser::RuleSimpleStatement:
    return "a statement";
  case ChiParser::RuleOrphanBlock:
    return "a statement";
  case ChiParser::RuleBlock:
    return previous.getType() == ChiParser::COLON
               ? "a statement or an indented block after `:`"
               : "a statement";
  case ChiParser::RuleDecorated:
    return "`def` or `class` after a decorator";
  case ChiParser::RuleAsyncStatement:
    return "`def`, `for` or `with` after `async`";
  case ChiParser::RuleFromStatement:
    if (previous.getType() == ChiParser::IMPORT)
      return "names to import";
    break;
  default:
    break;
  }
  if (problem.expected.size() == 1)
    return wordsFor(static_cast<size_t>(problem.expected.getSingleElement()),
                    problem);
  if (problem.expects(ChiParser::INTEGER) ||
      problem.context->getRuleIndex() == ChiParser::RulePrimary) {
    bool follows = !isLineEnd(previous.getType()) &&
                   previous.getType() != ChiParser::INDENT;
    return "an expression" +
           (follows ? " after " + quoted(previous.spelling()) : "");
  }
  if (problem.expects(ChiParser::NAME))
    return nameWords(problem);
  for (size_t close : {ChiParser::CLOSE_PAREN, ChiParser::CLOSE_BRACKET,
                       ChiParser::CLOSE_BRACE})
    if (problem.expects(close))
      return wordsFor(close, problem);
  return "";
}

//===----------------------------------------------------------------------===//
// Habits from other languages
//===----------------------------------------------------------------------===//

namespace {
/// Advice, and the change that follows it if there is a simple one.
struct Hint {
  std::string text;
  SourceRange fixRange;
  std::string fix;
};
} // namespace

/// `=<`, `<>`, `===`: two operators that touch.
static Hint doubledOperator(const SyntaxProblem &problem) {
  const ListedToken &second = problem.found(), &first = problem.previous();
  if (problem.index < 1 || first.end() != second.begin())
    return {};
  std::string both = (first.spelling() + second.spelling()).str();
  SourceRange range{problem.file, first.begin(), second.end()};
  auto meant = llvm::StringSwitch<StringRef>(both)
                   .Case("=<", "<=")
                   .Case("=>", ">=")
                   .Case("<>", "!=")
                   .Case("===", "==")
                   .Case("!==", "!=")
                   .Case("=/", "/=")
                   .Default("");
  if (!meant.empty())
    return {"`" + both + "` is written `" + meant.str() + "`", range,
            meant.str()};
  return {};
}

/// Whether the tokens up to `end` are a place that a statement begins with:
/// `n`, `x[i]`.
static bool isAllOfStatement(const SyntaxProblem &problem, size_t end) {
  for (size_t i = end; i > 0; --i) {
    const ListedToken &token = problem.tokens.at(i - 1);
    size_t type = token.getType();
    if (isLineEnd(type) || type == ChiParser::INDENT ||
        type == ChiParser::DEDENT || type == ChiParser::COLON)
      return true;
    StringRef text = token.spelling();
    if (text == "=" || text == "(" || text == "return" || text.ends_with("="))
      return false;
  }
  return true;
}

static Hint incrementHint(const SyntaxProblem &problem) {
  if (problem.index < 2)
    return {};
  StringRef last = problem.previous().spelling();
  StringRef before = problem.tokens.at(problem.index - 2).spelling();
  if ((last != "+" && last != "-") || last != before)
    return {};
  std::string text =
      ("`" + last + last + "` is written `" + last + "= 1`").str();
  if (!isAllOfStatement(problem, problem.index - 2)) // `a = n++`
    return {text + ", a statement of its own", {}, ""};
  return {text,
          {problem.file, problem.tokens.at(problem.index - 2).begin(),
           problem.previous().end()},
          (" " + last + "= 1").str()};
}

/// The token that begins the line of the problem.
static const ListedToken &firstOfLine(const SyntaxProblem &problem) {
  size_t i = problem.index;
  while (i > 0) {
    size_t type = problem.tokens.at(i - 1).getType();
    if (type == ChiParser::NEWLINE || type == ChiParser::INDENT ||
        type == ChiParser::DEDENT)
      break;
    --i;
  }
  return problem.tokens.at(i);
}

/// Statements that there are not, by the word that begins them.
static StringRef foreignStatement(StringRef word) {
  return llvm::StringSwitch<StringRef>(word)
      .Case("switch", "use `if`, `elif` and `else` instead of `switch`")
      .Cases({"do", "repeat", "loop"},
             "use `while True:` with a `break` at its end")
      .Case("unless", "write `if not`")
      .Case("until", "write `while not`")
      .Default("");
}

/// The expectation that follows from the kind of the statement.
static Hint statementHint(const SyntaxProblem &problem) {
  size_t found = problem.found().getType();
  const ListedToken &previous = problem.previous();
  if (StringRef advice = foreignStatement(firstOfLine(problem).spelling());
      !advice.empty())
    return {advice.str(), {}, ""};
  switch (firstOfLine(problem).getType()) {
  case ChiParser::PARAM:
    if (found == ChiParser::STRING && isOperandEnd(previous.getType()))
      return {"write a `,` before the description of the param",
              {problem.file, previous.end(), previous.end()},
              ","};
    return {};
  case ChiParser::FOR:
    if (found == ChiParser::ASSIGN ||
        (found == ChiParser::NAME && previous.getType() == ChiParser::NAME))
      return {"write a loop over numbers as `for i in range(n):`", {}, ""};
    if (found == ChiParser::COLON &&
        previous.getType() == ChiParser::CLOSE_PAREN)
      return {"write it without parentheses: `for i in range(n):`", {}, ""};
    return {};
  case ChiParser::AT:
    if (problem.context->getRuleIndex() == ChiParser::RuleDecorator)
      return {"write the decorator on a separate line", {}, ""};
    return {};
  default:
    return {};
  }
}

/// `f"{d["k"]}"`: the inner quote ends the string.
static Hint quoteHint(const SyntaxProblem &problem) {
  const ListedToken &string = problem.previous();
  bool isCut = string.getType() == ChiParser::FSTRING &&
               string.end() == problem.found().begin() &&
               string.spelling().count('{') > string.spelling().count('}');
  if (!isCut)
    return {};
  char quote = string.spelling().back();
  return {std::string("a replacement field cannot contain the quote of its "
                      "string; write `") +
              (quote == '"' ? '\'' : '"') + "` inside it",
          {},
          ""};
}

/// Whether the line of the problem is the head of a block.
static bool endsInColon(const SyntaxProblem &problem) {
  size_t i = problem.index;
  while (!isLineEnd(problem.tokens.at(i).getType()))
    ++i;
  return i > 0 && problem.tokens.at(i - 1).getType() == ChiParser::COLON;
}

/// The keyword at the beginning of a statement that a misspelt word stands
/// for; empty if there is none.
static StringRef nearestKeyword(StringRef word, bool beginsBlock) {
  static constexpr StringRef kHeads[] = {"class", "def",  "elif", "for",
                                         "if",    "test", "while"};
  static constexpr StringRef kPlain[] = {"assert", "const", "from",
                                         "import", "param", "return"};
  unsigned limit = word.size() <= 3 ? 1 : 2;
  StringRef best;
  for (StringRef keyword :
       beginsBlock ? llvm::ArrayRef(kHeads) : llvm::ArrayRef(kPlain))
    if (unsigned distance = word.edit_distance(keyword, true, limit);
        word.size() > 1 && distance <= limit)
      best = keyword, limit = distance - 1;
  return best;
}

/// `// a comment`, `/* a comment */`
static Hint commentHint(const SyntaxProblem &problem) {
  const ListedToken *first = &problem.found();
  for (size_t i = problem.index; i > 0; --i) {
    const ListedToken &before = problem.tokens.at(i - 1);
    if (isLineEnd(before.getType()) || before.getType() == ChiParser::INDENT)
      break;
    bool divides = before.spelling() == "//" &&
                   before.end() != problem.tokens.at(i).begin();
    if (divides) // the words after it are no operand
      return {"`//` divides; a comment begins with `#`",
              {problem.file, before.begin(), before.end()},
              "#"};
    first = &before;
  }
  if (first->spelling() == "//" || first->spelling() == "/")
    return {"a comment begins with `#`", {}, ""};
  return {};
}

/// `print x`, `let x = 1`, `func f(x)`: a name before an operand.
static Hint wordBeforeOperand(const SyntaxProblem &problem) {
  const ListedToken &word = problem.previous();
  if (word.getType() != ChiParser::NAME ||
      word.end() == problem.found().begin() ||
      !isOperandStart(problem.found().getType()))
    return {};
  StringRef name = word.spelling();
  auto advice =
      llvm::StringSwitch<StringRef>(name)
          .Cases({"func", "function", "fn", "fun", "void"},
                 "write a function as `def name(...):`")
          .Cases({"let", "var", "auto", "val"},
                 "a variable needs no keyword: `name = value`")
          .Cases({"int", "float", "double", "bool"},
                 "write the type after the name: `name: f32 = value`")
          .Cases({"struct", "enum"}, "write a type as `class Name:`")
          .Cases({"elseif", "elsif", "elseIf"}, "write `elif`")
          .Cases({"foreach"}, "write `for name in range(n):`")
          .Case("test", "write the name of the test in quotes")
          .Case("const", "write a const as `const NAME = value`")
          .Case("param", "write a param as `param name: type = value`")
          .Default("");
  if (!advice.empty())
    return {advice.str(), {}, ""};
  if (problem.index < 2 ||
      isLineEnd(problem.tokens.at(problem.index - 2).getType()) ||
      problem.tokens.at(problem.index - 2).getType() == ChiParser::INDENT) {
    StringRef keyword = nearestKeyword(name, endsInColon(problem));
    if (!keyword.empty())
      return {("did you mean `" + keyword + "`?").str(),
              {problem.file, word.begin(), word.end()},
              keyword.str()};
  }
  if (problem.index < 2 ||
      isLineEnd(problem.tokens.at(problem.index - 2).getType()) ||
      problem.tokens.at(problem.index - 2).getType() == ChiParser::INDENT)
    return {("a call needs parentheses: `" + name + "(...)`").str(), {}, ""};
  return {};
}

static Hint findHint(const SyntaxProblem &problem) {
  const ListedToken &found = problem.found(), &previous = problem.previous();
  SourceRange range{problem.file, found.begin(), found.end()};
  size_t rule = problem.context->getRuleIndex();
  bool wantsColon = problem.expects(ChiParser::COLON);
  if (found.getType() == ChiParser::ASSIGN && isKeyword(previous.getType()))
    return {"`" + previous.getText() + "` is a keyword and cannot be a name",
            {},
            ""};
  for (auto *find : {statementHint, quoteHint, doubledOperator, incrementHint,
                     commentHint, wordBeforeOperand})
    if (Hint hint = find(problem); !hint.text.empty())
      return hint;
  if (found.getType() == ChiParser::ASSIGN &&
      (rule == ChiParser::RuleIfStatement ||
       rule == ChiParser::RuleWhileStatement ||
       rule == ChiParser::RuleSimpleLine))
    return {"`=` assigns; to compare, write `==`", range, "=="};
  if (found.getType() == ChiParser::IF && wantsColon &&
      previous.getType() == ChiParser::ELSE)
    return {"`else if` is written `elif`",
            {problem.file, previous.begin(), found.end()},
            "elif"};
  if (found.getType() == ChiParser::OPEN_BRACE && wantsColon)
    return {"begin a block with `:` and indent it, without braces", {}, ""};
  if (isKeyword(found.getType()) && problem.expected.size() == 1 &&
      problem.expects(ChiParser::NAME))
    return {
        "`" + found.getText() + "` is a keyword and cannot be a name", {}, ""};
  if (isOperandEnd(previous.getType()) && found.getType() == ChiParser::NAME &&
      previous.end() == found.begin())
    return {"a product needs `*`",
            {problem.file, found.begin(), found.begin()},
            " * "};
  return {};
}

//===----------------------------------------------------------------------===//
// for (int i = 0; i < n; i++)
//===----------------------------------------------------------------------===//

namespace {
/// The tokens [begin, end) of the list.
struct TokenRun {
  size_t begin = 0, end = 0;
};
/// A loop of C between its parentheses.
struct LoopOfC {
  size_t open = 0, close = 0; ///< the parentheses
  llvm::SmallVector<TokenRun, 3> parts;
};
} // namespace

/// The loop of C whose line the problem is in, if it is in one.
static std::optional<LoopOfC> findLoopOfC(const SyntaxProblem &problem) {
  const TokenList &tokens = problem.tokens;
  LoopOfC loop;
  for (loop.open = problem.index; loop.open > 0; --loop.open)
    if (tokens.at(loop.open - 1).getType() == ChiParser::FOR)
      break;
    else if (isLineEnd(tokens.at(loop.open - 1).getType()) &&
             tokens.at(loop.open).getType() != ChiParser::OPEN_BRACE)
      return std::nullopt; // a `{` may follow on the next line
  if (loop.open == 0 || tokens.at(loop.open).getType() != ChiParser::OPEN_PAREN)
    return std::nullopt;
  unsigned depth = 0;
  size_t begin = loop.open + 1;
  for (size_t i = loop.open;; ++i) {
    size_t type = tokens.at(i).getType();
    if (isLineEnd(type))
      return std::nullopt;
    depth += type == ChiParser::OPEN_PAREN;
    depth -= type == ChiParser::CLOSE_PAREN;
    if (depth == 0 || (depth == 1 && type == ChiParser::SEMICOLON)) {
      loop.parts.push_back({begin, i});
      begin = i + 1;
    }
    loop.close = i;
    if (depth == 0)
      break;
  }
  return loop.parts.size() == 3 ? std::optional(loop) : std::nullopt;
}

static std::string textOf(const TokenList &tokens, TokenRun run) {
  std::string text;
  for (size_t i = run.begin; i < run.end; ++i) {
    if (i > run.begin && tokens.at(i - 1).end() < tokens.at(i).begin())
      text += " ";
    text += tokens.at(i).spelling();
  }
  return text;
}

/// `text` plus `more`, folded if it is a number.
static std::string plus(const std::string &text, int more) {
  long long number = 0;
  if (!StringRef(text).getAsInteger(10, number))
    return std::to_string(number + more);
  return text + (more > 0 ? " + 1" : " - 1");
}

/// Whether a part of the loop does two things: `i = 0, n = 10`.
static bool hasComma(const TokenList &tokens, TokenRun run) {
  int depth = 0;
  for (size_t i = run.begin; i < run.end; ++i) {
    StringRef text = tokens.at(i).spelling();
    depth += text == "(" || text == "[";
    depth -= text == ")" || text == "]";
    if (text == "," && depth == 0)
      return true;
  }
  return false;
}

/// `i in range(…)` for a loop of C; empty if it is of another form.
static std::string asRange(const TokenList &tokens, const LoopOfC &loop) {
  auto [init, test, step] =
      std::tuple(loop.parts[0], loop.parts[1], loop.parts[2]);
  auto text = [&](size_t i) { return tokens.at(i).spelling(); };
  for (TokenRun part : loop.parts)
    if (hasComma(tokens, part))
      return "";
  size_t assign = init.begin;
  while (assign < init.end && text(assign) != "=")
    ++assign;
  if (assign == init.begin || assign + 1 >= init.end ||
      test.end < test.begin + 3)
    return "";
  StringRef name = text(assign - 1), op = text(test.begin + 1);
  std::string begin = textOf(tokens, {assign + 1, init.end});
  std::string end = textOf(tokens, {test.begin + 2, test.end});
  std::string change = textOf(tokens, step);
  std::string stride;
  if (change == (name + "++").str() || change == ("++" + name).str())
    stride = "1";
  else if (change == (name + "--").str() || change == ("--" + name).str())
    stride = "-1";
  bool isUpdate = step.end > step.begin + 2 && text(step.begin) == name;
  StringRef update = isUpdate ? text(step.begin + 1) : "";
  if (update == "+=" || update == "-=")
    stride = (update == "-=" ? "-" : "") +
             textOf(tokens, {step.begin + 2, step.end});
  bool isDown = StringRef(stride).starts_with("-");
  if (text(test.begin) != name || stride.empty() ||
      !(isDown ? op == ">" || op == ">=" : op == "<" || op == "<="))
    return "";
  if (op.ends_with("="))
    end = plus(end, isDown ? -1 : 1);
  std::string range = (name + " in range(").str();
  if (begin != "0" || stride != "1")
    range += begin + ", ";
  return range + end + (stride == "1" ? "" : ", " + stride) + ")";
}

/// The `}` of the `{` at `open`; none if it is not there.
static std::optional<size_t> closingBrace(const TokenList &tokens,
                                          size_t open) {
  unsigned depth = 0;
  for (size_t i = open; tokens.at(i).getType() != ChiParser::EOF; ++i) {
    depth += tokens.at(i).getType() == ChiParser::OPEN_BRACE;
    depth -= tokens.at(i).getType() == ChiParser::CLOSE_BRACE;
    if (depth == 0)
      return i;
  }
  return std::nullopt;
}

/// Reports a loop of C as a whole. False if the problem is none.
static bool reportLoopOfC(const SyntaxProblem &problem,
                          DiagnosticEngine &diags) {
  auto loop = findLoopOfC(problem);
  if (!loop)
    return false;
  const TokenList &tokens = problem.tokens;
  std::string range = asRange(tokens, *loop);
  SourceRange place{problem.file, tokens.at(loop->open).begin(),
                    tokens.at(loop->close).end()};
  std::string shown = range.empty() ? "i in range(10)" : range;
  auto report =
      diags.report(place, diag::NotInLanguage, "a loop of three parts",
                   "write `for " + shown + ":`");
  const ListedToken &next = tokens.at(loop->close + 1);
  if (range.empty())
    return true;
  size_t brace = loop->close + 1;
  while (isLineEnd(tokens.at(brace).getType()) &&
         tokens.at(brace).getType() != ChiParser::EOF)
    ++brace;
  bool hasBrace = tokens.at(brace).getType() == ChiParser::OPEN_BRACE;
  auto closing = hasBrace ? closingBrace(tokens, brace) : std::nullopt;
  if (hasBrace && !closing)
    return true;
  bool isSameLine = hasBrace && brace == loop->close + 1;
  if (isSameLine)
    place.end = next.end(), range += ":";
  else if (next.getType() != ChiParser::COLON)
    range += ":";
  report.addFixIt(place, range);
  if (!hasBrace)
    return true;
  if (!isSameLine)
    report.addFixIt(
        {problem.file, tokens.at(brace).begin(), tokens.at(brace).end()}, "");
  report.addFixIt(
      {problem.file, tokens.at(*closing).begin(), tokens.at(*closing).end()},
      "");
  return true;
}

/// The place to mark: the end of a line is marked after its last token, not
/// after a comment that may follow.
static SourceRange positionOf(const SyntaxProblem &problem) {
  const ListedToken &found = problem.found();
  if (isLineEnd(found.getType()) && problem.index > 0) {
    uint32_t end = problem.previous().end();
    return {problem.file, end, end};
  }
  return {problem.file, found.begin(), found.end()};
}

/// The words for the header that a missing block belongs to.
static std::string headerWords(const antlr4::ParserRuleContext *block) {
  if (block->getRuleIndex() == ChiParser::RuleMatchStatement)
    return "`match`";
  auto *header = dynamic_cast<antlr4::ParserRuleContext *>(block->parent);
  if (!header)
    return "`:`";
  switch (header->getRuleIndex()) {
  case ChiParser::RuleFunctionDefinition:
    return ("`def " + header->children[1]->getText() + "`");
  case ChiParser::RuleClassDefinition:
    return ("`class " + header->children[1]->getText() + "`");
  case ChiParser::RuleTestBlock:
    return "`test`";
  default: {
    StringRef keyword = lastKeyword(header);
    if (header->getRuleIndex() == ChiParser::RuleForStatement)
      keyword = "for";
    return keyword.empty() ? "`:`" : ("`" + keyword + "`").str();
  }
  }
}

void chi::parse::reportSyntaxProblem(const SyntaxProblem &problem,
                                     DiagnosticEngine &diags) {
  if (reportLoopOfC(problem, diags))
    return;
  if (problem.expects(ChiParser::INDENT) && problem.expected.size() == 1) {
    SourceRange here{problem.file, problem.found().begin(),
                     problem.found().end()};
    if (isLineEnd(problem.found().getType()))
      here.begin = here.end = problem.tokens.at(problem.index - 2).end();
    diags.report(here, diag::ExpectedBlock, headerWords(problem.context))
        .send();
    return;
  }
  std::string expected = expectedWords(problem);
  std::string found = foundWords(problem.found());
  DiagnosticBuilder builder =
      expected.empty() ? diags.report(positionOf(problem), diag::SyntaxError,
                                      found + " is not expected here")
                       : diags.report(positionOf(problem),
                                      diag::ExpectedButFound, expected, found);
  Hint hint = findHint(problem);
  if (!hint.text.empty())
    builder.addNote(SourceRange(), diag::SyntaxHint, hint.text);
  if (hint.fixRange.isValid())
    builder.addFixIt(hint.fixRange, hint.fix);
}
