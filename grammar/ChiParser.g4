// ChiParser.g4 - the syntax of Chi.
//
// Every choice is made by one token, so the parser never looks further ahead:
// what one token cannot decide (precedence, what may be assigned to, a
// trailing comma) is decided when the tree is built (README.md). Python that
// Chi does not have is read too, so that an error can name it.
parser grammar ChiParser;

options { tokenVocab = ChiLexer; }

file : statement* EOF ;

/// The expression of a replacement field of an f-string.
fieldExpression : expressionList EOF ;

statement
  : simpleLine
  | ifStatement
  | whileStatement
  | forStatement
  | withStatement
  | tryStatement
  | matchStatement
  | functionDefinition
  | classDefinition
  | decorated
  | asyncStatement
  | testBlock
  | orphanBlock
  | strayClause
  ;

simpleLine : simpleStatement (SEMICOLON simpleStatement?)* NEWLINE ;

block
  : simpleLine
  | NEWLINE INDENT statement+ DEDENT
  ;

/// Lines further in than the statement above them allows.
orphanBlock : INDENT statement+ DEDENT ;

/// `else:` without `if`; its block, if any, is an orphanBlock.
strayClause : STRAY_CLAUSE ~(NEWLINE | INDENT | DEDENT)* NEWLINE ;

// --- Simple statements ------------------------------------------------------

simpleStatement
  : assignment
  | passStatement
  | breakStatement
  | continueStatement
  | returnStatement
  | assertStatement
  | constStatement
  | paramStatement
  | typeStatement
  | importStatement
  | fromStatement
  | yieldExpression
  | raiseStatement
  | delStatement
  | scopeStatement
  | exportStatement
  ;

/// `f(x)`, `a = b = 1`, `s: f64 = 0`, `x[i] += 1`
assignment
  : expressionList
    ( COLON expression (ASSIGN rightSide)?
    | updateOperator rightSide
    | (ASSIGN rightSide)+
    )?
  ;
rightSide : expressionList | yieldExpression ;
updateOperator
  : PLUS_ASSIGN | MINUS_ASSIGN | STAR_ASSIGN | SLASH_ASSIGN
  | DOUBLE_SLASH_ASSIGN | PERCENT_ASSIGN | DOUBLE_STAR_ASSIGN | AT_ASSIGN
  | AMPERSAND_ASSIGN | BAR_ASSIGN | CARET_ASSIGN | SHIFT_LEFT_ASSIGN
  | SHIFT_RIGHT_ASSIGN
  ;

passStatement     : PASS ;
breakStatement    : BREAK ;
continueStatement : CONTINUE ;
returnStatement   : RETURN expressionList? ;
assertStatement   : ASSERT expression (COMMA expression)? ;

constStatement : CONST NAME (COLON expression)? ASSIGN expressionList ;
/// `param n: i32 = 8 in [1, 64], "doc"`: the `in` is split off the value when
/// the tree is built, for it is an operator too.
paramStatement : PARAM NAME COLON expression ASSIGN expression (COMMA STRING+)? ;
typeStatement  : TYPE NAME typeParameters? ASSIGN expression ;

importStatement : IMPORT importedModule (COMMA importedModule)* ;
importedModule  : dottedName (AS NAME)? ;
dottedName      : NAME (DOT NAME)* ;
fromStatement
  : FROM (DOT | ELLIPSIS)* dottedName?
    IMPORT (STAR | importedNames | OPEN_PAREN importedNames CLOSE_PAREN)
  ;
importedNames : importedName (COMMA importedName?)* ;
importedName  : NAME (AS NAME)? ;

raiseStatement : RAISE (expression (FROM expression)?)? ;
delStatement   : DEL expressionList ;
/// `export conv[f32], conv[f64]`
exportStatement : EXPORT expressionList ;
scopeStatement : (GLOBAL | NONLOCAL) NAME (COMMA NAME)* ;

// --- Compound statements ----------------------------------------------------

ifStatement
  : IF expression COLON block
    (ELIF expression COLON block)*
    (ELSE COLON block)?
  ;
whileStatement : WHILE expression COLON block elseClause? ;
forStatement   : FOR targets IN expressionList COLON block elseClause? ;
elseClause     : ELSE COLON block ;
targets        : target (COMMA target?)* ;
target         : STAR? primary ;

withStatement : WITH withItem (COMMA withItem)* COLON block ;
withItem      : expression (AS target)? ;

tryStatement
  : TRY COLON block exceptClause* elseClause? (FINALLY COLON block)? ;
exceptClause : EXCEPT (expressionList (AS NAME)?)? COLON block ;

matchStatement : MATCH expressionList COLON NEWLINE INDENT caseClause+ DEDENT ;
caseClause     : CASE pattern (COMMA pattern?)* (IF expression)? COLON block ;
pattern        : STAR? operation (AS NAME)? ;

asyncStatement : ASYNC (functionDefinition | forStatement | withStatement) ;

// --- Definitions ------------------------------------------------------------

decorated : decorator+ (functionDefinition | classDefinition | asyncStatement) ;
decorator : AT expression NEWLINE ;

functionDefinition
  : DEF NAME typeParameters? OPEN_PAREN parameters? CLOSE_PAREN
    (ARROW expression)? COLON block
  ;
classDefinition
  : CLASS NAME typeParameters? (OPEN_PAREN arguments? CLOSE_PAREN)? COLON block
  ;
typeParameters : OPEN_BRACKET typeParameter (COMMA typeParameter?)* CLOSE_BRACKET ;
typeParameter  : (STAR | DOUBLE_STAR)? NAME (COLON expression)? ;
parameters     : parameter (COMMA parameter?)* ;
parameter
  : NAME (COLON expression)? (ASSIGN expression)?
  | (STAR | DOUBLE_STAR) (NAME (COLON expression)?)?
  | SLASH
  ;
testBlock : TEST (STRING | FSTRING)+ COLON block ;

// --- Expressions ------------------------------------------------------------

expressionList : listItem (COMMA listItem?)* ;
listItem       : STAR? expression ;

/// `a if c else b`
expression : choice (IF choice ELSE choice)* ;
choice     : operation | lambda ;

lambda     : lambdaHead+ operation ;
lambdaHead : LAMBDA (lambdaParameter (COMMA lambdaParameter?)*)? COLON ;
lambdaParameter
  : NAME (ASSIGN operation)? | (STAR | DOUBLE_STAR) NAME? | SLASH ;

/// Operands and operators in a row. Their precedence (README.md) is applied
/// when the tree is built: a flat rule needs no recursion and no lookahead.
operation
  : prefixOperator* primary (binaryOperator prefixOperator* primary)* ;
prefixOperator : PLUS | MINUS | TILDE | NOT | AWAIT ;
binaryOperator
  : PLUS | MINUS | STAR | SLASH | DOUBLE_SLASH | PERCENT | DOUBLE_STAR | AT
  | AMPERSAND | BAR | CARET | SHIFT_LEFT | SHIFT_RIGHT
  | EQUAL | NOT_EQUAL | LESS | LESS_EQUAL | GREATER | GREATER_EQUAL
  | IN | NOT IN | IS | AND | OR | WALRUS
  ;

/// An atom and what follows it: `x.grad[i].norm(eps=1e-3)`
primary
  : ( NAME | INTEGER | FLOAT | IMAGINARY | BAD_NUMBER
    | TRUE | FALSE | NONE | ELLIPSIS
    | (STRING | FSTRING)+
    | parenthesized
    | listDisplay
    | braceDisplay
    )
    ( DOT NAME
    | OPEN_PAREN arguments? CLOSE_PAREN
    | OPEN_BRACKET subscripts CLOSE_BRACKET
    )*
  ;

parenthesized
  : OPEN_PAREN
    (yieldExpression | listItem (comprehension | (COMMA listItem?)*))?
    CLOSE_PAREN
  ;
listDisplay
  : OPEN_BRACKET (listItem (comprehension | (COMMA listItem?)*))? CLOSE_BRACKET ;
braceDisplay
  : OPEN_BRACE (braceItem (comprehension | (COMMA braceItem?)*))? CLOSE_BRACE ;
braceItem : DOUBLE_STAR operation | listItem (COLON expression)? ;

comprehension
  : ASYNC? FOR targets IN operation (IF operation)*
    (ASYNC? FOR targets IN operation (IF operation)*)*
  ;

arguments : argument (COMMA argument?)* ;
argument
  : (STAR | DOUBLE_STAR) expression
  | expression (ASSIGN expression | comprehension)?
  ;
subscripts : subscript (COMMA subscript?)* ;
subscript
  : listItem (COLON expression? (COLON expression?)?)?
  | COLON expression? (COLON expression?)?
  ;

yieldExpression : YIELD (FROM expression | expressionList)? ;
