// ChiLexer.g4 - the tokens of Chi.
//
// NEWLINE, INDENT and DEDENT are made from the lexer's NEWLINE and from the
// columns of the lines; soft keywords and a clause without its statement are
// recognised there too (README.md). No code stands in this file.
lexer grammar ChiLexer;

tokens {
  INDENT, DEDENT,
  // Soft keywords: names, but at the start of a statement.
  CASE, CONST, EXPORT, MATCH, PARAM, TEST, TYPE,
  // `else` without `if`.
  STRAY_CLAUSE
}

// --- Keywords ---------------------------------------------------------------
AND      : 'and' ;
AS       : 'as' ;
ASSERT   : 'assert' ;
ASYNC    : 'async' ;
AWAIT    : 'await' ;
BREAK    : 'break' ;
CLASS    : 'class' ;
CONTINUE : 'continue' ;
DEF      : 'def' ;
DEL      : 'del' ;
ELIF     : 'elif' ;
ELSE     : 'else' ;
EXCEPT   : 'except' ;
FALSE    : 'False' ;
FINALLY  : 'finally' ;
FOR      : 'for' ;
FROM     : 'from' ;
GLOBAL   : 'global' ;
IF       : 'if' ;
IMPORT   : 'import' ;
IN       : 'in' ;
IS       : 'is' ;
LAMBDA   : 'lambda' ;
NONE     : 'None' ;
NONLOCAL : 'nonlocal' ;
NOT      : 'not' ;
OR       : 'or' ;
PASS     : 'pass' ;
RAISE    : 'raise' ;
RETURN   : 'return' ;
TRUE     : 'True' ;
TRY      : 'try' ;
WHILE    : 'while' ;
WITH     : 'with' ;
YIELD    : 'yield' ;

// --- Operators and marks ----------------------------------------------------
PLUS         : '+' ;
MINUS        : '-' ;
STAR         : '*' ;
SLASH        : '/' ;
DOUBLE_SLASH : '//' ;
PERCENT      : '%' ;
DOUBLE_STAR  : '**' ;
AT           : '@' ;
AMPERSAND    : '&' ;
BAR          : '|' ;
CARET        : '^' ;
SHIFT_LEFT   : '<<' ;
SHIFT_RIGHT  : '>>' ;
TILDE        : '~' ;
EQUAL        : '==' ;
NOT_EQUAL    : '!=' ;
LESS         : '<' ;
LESS_EQUAL   : '<=' ;
GREATER      : '>' ;
GREATER_EQUAL : '>=' ;
WALRUS       : ':=' ;

ASSIGN              : '=' ;
PLUS_ASSIGN         : '+=' ;
MINUS_ASSIGN        : '-=' ;
STAR_ASSIGN         : '*=' ;
SLASH_ASSIGN        : '/=' ;
DOUBLE_SLASH_ASSIGN : '//=' ;
PERCENT_ASSIGN      : '%=' ;
DOUBLE_STAR_ASSIGN  : '**=' ;
AT_ASSIGN           : '@=' ;
AMPERSAND_ASSIGN    : '&=' ;
BAR_ASSIGN          : '|=' ;
CARET_ASSIGN        : '^=' ;
SHIFT_LEFT_ASSIGN   : '<<=' ;
SHIFT_RIGHT_ASSIGN  : '>>=' ;

OPEN_PAREN    : '(' ;
CLOSE_PAREN   : ')' ;
OPEN_BRACKET  : '[' ;
CLOSE_BRACKET : ']' ;
OPEN_BRACE    : '{' ;
CLOSE_BRACE   : '}' ;
COMMA     : ',' ;
COLON     : ':' ;
SEMICOLON : ';' ;
DOT       : '.' ;
ARROW     : '->' ;
ELLIPSIS  : '...' ;

// --- Numbers ----------------------------------------------------------------
INTEGER
  : '0' ('_'? '0')*
  | [1-9] ('_'? [0-9])*
  | '0' [xX] ('_'? [0-9a-fA-F])+
  | '0' [oO] ('_'? [0-7])+
  | '0' [bB] ('_'? [01])+
  ;
FLOAT
  : DIGITS EXPONENT
  | DIGITS '.' DIGITS? EXPONENT?
  | '.' DIGITS EXPONENT?
  ;
IMAGINARY : (DIGITS | FLOAT) [jJ] ;
// `007`, `0xfg`, `1_`, `3px`: one token, so that one error names it.
BAD_NUMBER
  : [0-9] [0-9A-Za-z_]*
  | [0-9] [0-9_]* '.' [0-9_]* [A-Za-z_] [0-9A-Za-z_]*
  ;
fragment DIGITS   : [0-9] ('_'? [0-9])* ;
fragment EXPONENT : [eE] [+\-]? DIGITS ;

// --- Strings ----------------------------------------------------------------
STRING  : PLAIN_PREFIX? QUOTED ;
FSTRING : FORMAT_PREFIX QUOTED ;
// To the end of the line, or of the file if it began with three quotes.
UNTERMINATED_STRING : (PLAIN_PREFIX | FORMAT_PREFIX)? UNTERMINATED ;

fragment PLAIN_PREFIX  : [rRuUbB] | [bB] [rR] | [rR] [bB] ;
fragment FORMAT_PREFIX : [fF] | [fF] [rR] | [rR] [fF] ;
fragment QUOTED
  : '\'' SINGLE* '\''
  | '"' DOUBLE* '"'
  | '\'\'\'' LONG_SINGLE* '\'\'\''
  | '"""' LONG_DOUBLE* '"""'
  ;
fragment UNTERMINATED
  : '\'' SINGLE* '\\'?
  | '"' DOUBLE* '\\'?
  | '\'\'\'' LONG_SINGLE* '\''? '\''? '\\'?
  | '"""' LONG_DOUBLE* '"'? '"'? '\\'?
  ;
fragment SINGLE : ~['\\\r\n] | SHORT_ESCAPE ;
fragment DOUBLE : ~["\\\r\n] | SHORT_ESCAPE ;
fragment SHORT_ESCAPE : '\\' ('\r'? '\n' | ~[\r\n]) ;
// Up to two quotes may stand inside, if something else follows them.
fragment LONG_SINGLE : '\''? '\''? (~['\\] | '\\' .) ;
fragment LONG_DOUBLE : '"'? '"'? (~["\\] | '\\' .) ;

// --- Names ------------------------------------------------------------------
// Which letters past ASCII are letters is checked later: the lexer may be fed
// bytes or code points.
NAME : [A-Za-z_\u0080-\u{10FFFF}] [A-Za-z0-9_\u0080-\u{10FFFF}]* ;

// --- Lines and what stands between tokens -----------------------------------
NEWLINE   : '\r'? '\n' ;
LINE_JOIN : '\\' [ \t]* '\r'? '\n' -> channel(HIDDEN) ;
COMMENT   : '#' ~[\r\n]* -> channel(HIDDEN) ;
SPACE     : [ \t\f]+ -> skip ;

// Never an error of the lexer: the layout says what is wrong.
UNKNOWN : . ;
