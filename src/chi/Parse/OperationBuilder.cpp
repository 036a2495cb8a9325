//===- OperationBuilder.cpp - Operators by precedence -------------------===//
// The grammar gives operands and operators in a row; this applies the table
// of precedence (grammar/README.md) by precedence climbing
// (M. Richards, C. Whitby-Strevens: BCPL, 1979, ch. 6).
#include "chi/Parse/ExprBuilder.h"
#include "llvm/ADT/ScopeExit.h"

using namespace chi;
using namespace chi::ast;
using namespace chi::parse;
using llvm::SmallVector;

namespace {
/// From the weakest to the strongest.
enum Precedence {
  Walrus, Or, And, Not, Comparison, Bars, Carets, Ampersands, Shift, Sum,
  Product, Sign, Power,
};

struct Operator {
  Precedence precedence;
  BinaryOp binary = BinaryOp::Add;
  CompareOp compare = CompareOp::Eq;
  SourceRange range;
};

struct Operand {
  SmallVector<const ListedToken *, 1> prefixes;
  ChiParser::PrimaryContext *primary = nullptr;
};
} // namespace

static Operator operatorOf(size_t type) {
  auto binary = [](Precedence precedence, BinaryOp op) {
    return Operator{precedence, op, {}, {}};
  };
  auto compare = [](CompareOp op) {
    return Operator{Comparison, {}, op, {}};
  };
  switch (type) {
  case ChiParser::PLUS: return binary(Sum, BinaryOp::Add);
  case ChiParser::MINUS: return binary(Sum, BinaryOp::Sub);
  case ChiParser::STAR: return binary(Product, BinaryOp::Mul);
  case ChiParser::SLASH: return binary(Product, BinaryOp::Div);
  case ChiParser::DOUBLE_SLASH: return binary(Product, BinaryOp::FloorDiv);
  case ChiParser::PERCENT: return binary(Product, BinaryOp::Mod);
  case ChiParser::AT: return binary(Product, BinaryOp::MatMul);
  case ChiParser::DOUBLE_STAR: return binary(Power, BinaryOp::Pow);
  case ChiParser::AMPERSAND: return binary(Ampersands, BinaryOp::BitAnd);
  case ChiParser::BAR: return binary(Bars, BinaryOp::BitOr);
  case ChiParser::CARET: return binary(Carets, BinaryOp::BitXor);
  case ChiParser::SHIFT_LEFT: return binary(Shift, BinaryOp::Shl);
  case ChiParser::SHIFT_RIGHT: return binary(Shift, BinaryOp::Shr);
  case ChiParser::EQUAL: return compare(CompareOp::Eq);
  case ChiParser::NOT_EQUAL: return compare(CompareOp::Ne);
  case ChiParser::LESS: return compare(CompareOp::Lt);
  case ChiParser::LESS_EQUAL: return compare(CompareOp::Le);
  case ChiParser::GREATER: return compare(CompareOp::Gt);
  case ChiParser::GREATER_EQUAL: return compare(CompareOp::Ge);
  case ChiParser::IN: return compare(CompareOp::In);
  case ChiParser::NOT: return compare(CompareOp::NotIn); // `not in`
  case ChiParser::IS: return compare(CompareOp::Is);
  case ChiParser::AND: return Operator{And, {}, {}, {}};
  case ChiParser::OR: return Operator{Or, {}, {}, {}};
  default: return Operator{Walrus, {}, {}, {}};
  }
}

namespace {
/// Builds one `operation`. Operand i precedes operator i.
class OperationBuilder : BuildPart {
public:
  OperationBuilder(BuildState &state, ExprBuilder &exprs,
                   ChiParser::OperationContext *tree)
      : BuildPart(state), exprs(exprs) {
    readRow(tree);
  }

  /// How many levels the tree can have: all but the flat operators count.
  size_t levels() const { return numLevels; }
  void dropLast(size_t count) {
    operators.truncate(operators.size() - count);
    operands.truncate(operands.size() - count);
  }
  Expr *build() { return buildAbove(Walrus); }

private:
  void readRow(ChiParser::OperationContext *tree);
  Expr *buildAbove(Precedence lowest);
  Expr *buildSigned(Precedence lowest);
  Expr *buildPower();
  Expr *buildLogical(Expr *first);
  Expr *buildCompare(Expr *first);
  Expr *makeBinary(const Operator &op, Expr *lhs, Expr *rhs);

  bool hasOperator() const { return current < operators.size(); }
  void takeOperator() {
    ++current;
    nextPrefix = 0;
  }

  ExprBuilder &exprs;
  SmallVector<Operand, 4> operands;
  SmallVector<Operator, 4> operators;
  size_t numLevels = 0;
  size_t current = 0;    // the operand that is being built
  size_t nextPrefix = 0; // of it
};
} // namespace

void OperationBuilder::readRow(ChiParser::OperationContext *tree) {
  Operand operand;
  for (antlr4::tree::ParseTree *child : tree->children) {
    auto *rule = static_cast<antlr4::ParserRuleContext *>(child);
    switch (rule->getRuleIndex()) {
    case ChiParser::RulePrefixOperator: {
      const ListedToken *token = tokenOf(rule->children[0]);
      // `a is not b` is one operator, not `a is (not b)`.
      if (operand.prefixes.empty() && !operators.empty() &&
          token->getType() == ChiParser::NOT &&
          operators.back().precedence == Comparison &&
          operators.back().compare == CompareOp::Is) {
        operators.back().compare = CompareOp::IsNot;
        operators.back().range =
            operators.back().range.to(rangeOf(*token));
        break;
      }
      operand.prefixes.push_back(token);
      ++numLevels;
      break;
    }
    case ChiParser::RulePrimary:
      operand.primary = static_cast<ChiParser::PrimaryContext *>(rule);
      operands.push_back(std::move(operand));
      operand = Operand();
      break;
    default: {
      Operator op =
          operatorOf(tokenOf(rule->children[0])->getType());
      op.range = rangeOf(rule);
      numLevels += op.precedence > Comparison;
      operators.push_back(op);
    }
    }
  }
}

/// Builds what binds at least as strong as `lowest`.
Expr *OperationBuilder::buildAbove(Precedence lowest) {
  Expr *lhs = buildSigned(lowest);
  while (hasOperator() && operators[current].precedence >= lowest) {
    Operator op = operators[current];
    if (op.precedence == Or || op.precedence == And) {
      lhs = buildLogical(lhs);
    } else if (op.precedence == Comparison) {
      lhs = buildCompare(lhs);
    } else {
      takeOperator();
      Expr *rhs = buildAbove(static_cast<Precedence>(op.precedence + 1));
      lhs = makeBinary(op, lhs, rhs);
    }
  }
  return lhs;
}

Expr *OperationBuilder::makeBinary(const Operator &op, Expr *lhs, Expr *rhs) {
  SourceRange range = lhs->range.to(rhs->range);
  if (op.precedence == Walrus) {
    auto *made = llvm::cast<UnsupportedExpr>(unsupportedExpr(
        range, "`:=`", "assign in a statement of its own"));
    if (auto *name = llvm::dyn_cast<NameExpr>(lhs))
      made->name = name->name;
    made->opRange = op.range;
    return made;
  }
  auto *binary = context.make<BinaryExpr>(range);
  binary->op = op.binary;
  binary->lhs = lhs;
  binary->rhs = rhs;
  binary->opRange = op.range;
  return binary;
}

Expr *OperationBuilder::buildSigned(Precedence lowest) {
  const Operand &operand = operands[current];
  if (nextPrefix == operand.prefixes.size())
    return buildPower();
  const ListedToken &prefix = *operand.prefixes[nextPrefix++];
  SourceRange range = rangeOf(prefix);
  if (prefix.getType() == ChiParser::AWAIT) {
    buildSigned(Sign);
    return unsupportedExpr(range, "`await`",
                                   "reading a field waits automatically");
  }
  bool isNot = prefix.getType() == ChiParser::NOT;
  if (isNot && lowest > Not)
    diags.report(range, diag::NotNeedsParentheses).send();
  Expr *inner = isNot ? buildAbove(Not) : buildSigned(Sign);
  auto *unary = context.make<UnaryExpr>(range.to(inner->range));
  unary->op = isNot                                     ? UnaryOp::Not
              : prefix.getType() == ChiParser::MINUS ? UnaryOp::Minus
              : prefix.getType() == ChiParser::PLUS  ? UnaryOp::Plus
                                                     : UnaryOp::Invert;
  unary->operand = inner;
  return unary;
}

/// An operand without signs, and `**` with what is right of it, which may
/// carry signs: `-x**-y` is `-(x**(-y))`.
Expr *OperationBuilder::buildPower() {
  Expr *base = exprs.buildPrimary(operands[current].primary);
  if (!hasOperator() || operators[current].precedence != Power)
    return base;
  Operator op = operators[current];
  takeOperator();
  return makeBinary(op, base, buildSigned(Sign));
}

Expr *OperationBuilder::buildLogical(Expr *first) {
  Precedence precedence = operators[current].precedence;
  SmallVector<Expr *> parts{first};
  while (hasOperator() && operators[current].precedence == precedence) {
    takeOperator();
    parts.push_back(buildAbove(static_cast<Precedence>(precedence + 1)));
  }
  auto *logical = context.make<LogicalExpr>(
      first->range.to(parts.back()->range));
  logical->isAnd = precedence == And;
  logical->operands = keep(parts);
  return logical;
}

Expr *OperationBuilder::buildCompare(Expr *first) {
  SmallVector<Expr *> parts{first};
  SmallVector<CompareOp> ops;
  while (hasOperator() && operators[current].precedence == Comparison) {
    ops.push_back(operators[current].compare);
    takeOperator();
    parts.push_back(buildAbove(Bars));
  }
  auto *compare = context.make<CompareExpr>(
      first->range.to(parts.back()->range));
  compare->operands = keep(parts);
  compare->ops = keep(ops);
  return compare;
}

Expr *ExprBuilder::buildOperation(ChiParser::OperationContext *tree,
                              size_t dropped) {
  if (tree->children.size() == 1)
    return buildPrimary(
        static_cast<ChiParser::PrimaryContext *>(tree->children[0]));
  OperationBuilder row(state, *this, tree);
  row.dropLast(dropped);
  if (!checkDepth(rangeOf(tree), row.levels()))
    return unsupportedExpr(rangeOf(tree), "", "");
  state.depth += row.levels();
  auto restore = llvm::scope_exit([&] { state.depth -= row.levels(); });
  return row.build();
}
