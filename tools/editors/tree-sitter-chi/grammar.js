/**
 * The syntax of Chi for editors. The definition of the language is
 * grammar/ChiParser.g4; this one accepts what programs consist of, with the
 * nodes that highlighting and navigation need.
 */
/// <reference types="tree-sitter-cli/dsl" />

const PREC = {
  lambda: -2,
  conditional: -1,
  or: 1,
  and: 2,
  not: 3,
  compare: 4,
  bitOr: 5,
  bitXor: 6,
  bitAnd: 7,
  shift: 8,
  sum: 9,
  product: 10,
  sign: 11,
  power: 12,
  call: 13,
};

const commaSep1 = (rule) => seq(rule, repeat(seq(",", rule)), optional(","));
const commaSep = (rule) => optional(commaSep1(rule));
const block = ($) => seq(":", field("body", $.block));

/** An f-string between two quotes; one quote ends with its line. */
function interpolated($, quote, content) {
  return seq(
    alias(token(seq(/[fF][rR]?|[rR][fF]/, quote)), $.string_start),
    repeat(
      choice(
        alias(token.immediate(prec(1, content)), $.string_content),
        ...(quote.length === 3 ? [token.immediate(quote[0])] : []),
        $.escape,
        $.interpolation
      )
    ),
    alias(token.immediate(quote), $.string_end)
  );
}

module.exports = grammar({
  name: "chi",

  extras: ($) => [$.comment, /[\s\f\uFEFF]/, $.line_join],

  externals: ($) => [
    $._newline,
    $._indent,
    $._dedent,
    // The scanner looks at whether these may come: no line ends inside brackets.
    ")",
    "]",
    "}",
    // Never there: valid only while the parser recovers from an error.
    $._recovery,
  ],

  word: ($) => $.identifier,

  supertypes: ($) => [$.expression],

  inline: ($) => [$._simple_statement, $._compound_statement],

  conflicts: ($) => [[$.tuple, $.tuple_target], [$.expression, $._target], [$.list, $.list_target]],

  rules: {
    module: ($) => repeat($._statement),

    _statement: ($) => choice($._simple_line, $._compound_statement),

    _simple_line: ($) => seq($._simple_statement, repeat(seq(";", $._simple_statement)), optional(";"), $._newline),

    block: ($) => choice($._simple_line, seq($._newline_indent, repeat1($._statement), $._dedent)),
    _newline_indent: ($) => $._indent,

    // -- simple statements ---------------------------------------------------
    _simple_statement: ($) =>
      choice(
        $.expression_statement,
        $.assignment,
        $.update,
        $.pass_statement,
        $.break_statement,
        $.continue_statement,
        $.return_statement,
        $.assert_statement,
        $.const_statement,
        $.param_statement,
        $.type_statement,
        $.import_statement,
        $.from_statement,
        $.export_statement
      ),

    expression_statement: ($) => $._expressions,
    _expressions: ($) => choice($.expression, alias($._bare_tuple, $.tuple)),
    _bare_tuple: ($) => prec(-1, seq($.expression, choice(",", seq(repeat1(seq(",", $.expression)), optional(","))))),

    assignment: ($) =>
      seq(
        field("left", $._expressions),
        choice(
          seq(":", field("type", $.expression), optional(seq("=", field("right", $._right)))),
          seq("=", field("right", $._right))
        )
      ),
    _right: ($) => choice($._expressions, $.assignment),
    update: ($) =>
      seq(
        field("left", $._expressions),
        field("operator", choice("+=", "-=", "*=", "/=", "//=", "%=", "**=", "@=", "&=", "|=", "^=", "<<=", ">>=")),
        field("right", $._expressions)
      ),

    pass_statement: (_) => "pass",
    break_statement: (_) => "break",
    continue_statement: (_) => "continue",
    return_statement: ($) => seq("return", optional($._expressions)),
    assert_statement: ($) => seq("assert", $.expression, optional(seq(",", $.expression))),

    const_statement: ($) =>
      seq(
        "const",
        field("name", $.identifier),
        optional(seq(":", field("type", $.expression))),
        "=",
        field("value", $._expressions)
      ),
    param_statement: ($) =>
      seq(
        "param",
        field("name", $.identifier),
        ":",
        field("type", $.expression),
        "=",
        field("value", $.expression),
        optional(seq(",", field("doc", $._strings)))
      ),
    type_statement: ($) =>
      seq("type", field("name", $.identifier), optional($.type_parameters), "=", field("value", $.expression)),
    export_statement: ($) => seq("export", commaSep1($.expression)),

    import_statement: ($) => seq("import", commaSep1($._imported_module)),
    _imported_module: ($) => choice($.dotted_name, alias($._renamed_module, $.renamed)),
    _renamed_module: ($) => seq(field("name", $.dotted_name), "as", field("alias", $.identifier)),
    from_statement: ($) =>
      seq(
        "from",
        field("module", $.dotted_name),
        "import",
        choice(commaSep1($._imported_name), seq("(", commaSep1($._imported_name), ")"))
      ),
    _imported_name: ($) => choice(field("name", $.identifier), alias($._renamed_name, $.renamed)),
    _renamed_name: ($) => seq(field("name", $.identifier), "as", field("alias", $.identifier)),
    dotted_name: ($) => prec(1, seq($.identifier, repeat(seq(".", $.identifier)))),

    // -- compound statements -------------------------------------------------
    _compound_statement: ($) =>
      choice(
        $.if_statement,
        $.while_statement,
        $.for_statement,
        $.with_statement,
        $.function_definition,
        $.class_definition,
        $.decorated,
        $.test_block
      ),

    if_statement: ($) =>
      seq("if", field("condition", $.expression), block($), repeat($.elif_clause), optional($.else_clause)),
    elif_clause: ($) => seq("elif", field("condition", $.expression), block($)),
    else_clause: ($) => seq("else", block($)),
    while_statement: ($) => seq("while", field("condition", $.expression), block($), optional($.else_clause)),
    for_statement: ($) =>
      seq("for", field("left", $._targets), "in", field("right", $._expressions), block($), optional($.else_clause)),
    _targets: ($) => choice($._target, alias($._bare_targets, $.tuple_target)),
    _bare_targets: ($) => seq($._target, choice(",", seq(repeat1(seq(",", $._target)), optional(",")))),
    _target: ($) => choice($.identifier, $.attribute, $.subscript, $.tuple_target, $.list_target),
    tuple_target: ($) => seq("(", commaSep1($._target), ")"),
    list_target: ($) => seq("[", commaSep1($._target), "]"),

    with_statement: ($) => seq("with", commaSep1($.with_item), block($)),
    with_item: ($) => seq(field("value", $.expression), optional(seq("as", field("alias", $.identifier)))),

    test_block: ($) => seq("test", field("name", $.string), block($)),

    // -- definitions ---------------------------------------------------------
    decorated: ($) => seq(repeat1($.decorator), field("definition", choice($.function_definition, $.class_definition))),
    decorator: ($) => seq("@", $.expression, $._newline),

    function_definition: ($) =>
      seq(
        "def",
        field("name", $.identifier),
        optional($.type_parameters),
        field("parameters", $.parameters),
        optional(seq("->", field("result", $.expression))),
        block($)
      ),
    class_definition: ($) =>
      seq("class", field("name", $.identifier), optional($.type_parameters), optional($.arguments), block($)),
    type_parameters: ($) => seq("[", commaSep1($.identifier), "]"),
    parameters: ($) => seq("(", commaSep($.parameter), ")"),
    parameter: ($) =>
      seq(
        field("name", $.identifier),
        optional(seq(":", field("type", $.expression))),
        optional(seq("=", field("default", $.expression)))
      ),

    // -- expressions ---------------------------------------------------------
    expression: ($) =>
      choice(
        $.identifier,
        alias($._soft_keyword, $.identifier),
        $.integer,
        $.float,
        $.true,
        $.false,
        $.none,
        $._strings,
        $.attribute,
        $.subscript,
        $.call,
        $.unary,
        $.binary,
        $.comparison,
        $.conditional,
        $.lambda,
        $.parenthesized,
        $.tuple,
        $.list,
        $.dict,
        $.set,
        $.comprehension
      ),

    // Names, except where a statement begins with one.
    _soft_keyword: (_) => prec(-3, choice("const", "param", "type", "test", "export")),

    attribute: ($) => prec(PREC.call, seq(field("object", $.expression), ".", field("name", $.identifier))),
    subscript: ($) =>
      prec(PREC.call, seq(field("value", $.expression), "[", commaSep1(choice($.expression, $.slice)), "]")),
    slice: ($) =>
      seq(optional($.expression), ":", optional($.expression), optional(seq(":", optional($.expression)))),
    call: ($) => prec(PREC.call, seq(field("function", $.expression), field("arguments", $.arguments))),
    arguments: ($) =>
      seq("(", choice(commaSep(choice($.expression, $.keyword_argument)), $.generator), ")"),
    keyword_argument: ($) => seq(field("name", choice($.identifier, alias($._soft_keyword, $.identifier))), "=", field("value", $.expression)),
    generator: ($) => seq(field("body", $.expression), repeat1(choice($.for_clause, $.if_clause))),

    unary: ($) =>
      choice(
        prec(PREC.not, seq("not", $.expression)),
        prec(PREC.sign, seq(choice("-", "+", "~"), $.expression))
      ),
    binary: ($) =>
      choice(
        ...[
          ["or", PREC.or],
          ["and", PREC.and],
          ["|", PREC.bitOr],
          ["^", PREC.bitXor],
          ["&", PREC.bitAnd],
          ["<<", PREC.shift],
          [">>", PREC.shift],
          ["+", PREC.sum],
          ["-", PREC.sum],
          ["*", PREC.product],
          ["/", PREC.product],
          ["//", PREC.product],
          ["%", PREC.product],
          ["@", PREC.product],
        ].map(([operator, level]) =>
          prec.left(level, seq(field("left", $.expression), field("operator", operator), field("right", $.expression)))
        ),
        prec.right(PREC.power, seq(field("left", $.expression), field("operator", "**"), field("right", $.expression)))
      ),
    comparison: ($) =>
      prec.left(
        PREC.compare,
        seq(
          $.expression,
          repeat1(
            prec.left(
              PREC.compare,
              seq(choice("<", "<=", ">", ">=", "==", "!=", "in", seq("not", "in"), "is", seq("is", "not")), $.expression)
            )
          )
        )
      ),
    conditional: ($) =>
      prec.right(
        PREC.conditional,
        seq(
          field("then", $.expression),
          "if",
          field("condition", $.expression),
          "else",
          field("else", $.expression)
        )
      ),
    lambda: ($) =>
      prec(PREC.lambda, seq("lambda", optional($.lambda_parameters), ":", field("body", $.expression))),
    lambda_parameters: ($) => commaSep1(alias($._lambda_parameter, $.parameter)),
    _lambda_parameter: ($) => seq(field("name", $.identifier), optional(seq("=", field("default", $.expression)))),

    parenthesized: ($) => prec(1, seq("(", $.expression, ")")),
    tuple: ($) =>
      seq("(", optional(seq($.expression, choice(",", seq(repeat1(seq(",", $.expression)), optional(","))))), ")"),
    list: ($) => seq("[", commaSep($.expression), "]"),
    dict: ($) => seq("{", commaSep($.pair), "}"),
    pair: ($) => seq(field("key", $.expression), ":", field("value", $.expression)),
    set: ($) => seq("{", commaSep1($.expression), "}"),
    comprehension: ($) =>
      choice(
        seq("[", field("body", $.expression), repeat1(choice($.for_clause, $.if_clause)), "]"),
        seq("{", field("body", choice($.expression, $.pair)), repeat1(choice($.for_clause, $.if_clause)), "}")
      ),
    for_clause: ($) => seq("for", field("left", $._targets), "in", field("right", $.expression)),
    if_clause: ($) => seq("if", field("condition", $.expression)),

    // -- tokens ----------------------------------------------------------------
    identifier: (_) => /[^\x00-@\[-^`{-\x7f][^\x00-/:-@\[-^`{-\x7f]*/,
    integer: (_) => token(choice(/[0-9](_?[0-9])*/, /0[xX](_?[0-9a-fA-F])+/, /0[oO](_?[0-7])+/, /0[bB](_?[01])+/)),
    float: (_) => {
      const digits = /[0-9](_?[0-9])*/;
      const exponent = seq(/[eE][+-]?/, digits);
      return token(
        choice(
          seq(digits, exponent),
          seq(digits, ".", optional(digits), optional(exponent)),
          seq(".", digits, optional(exponent))
        )
      );
    },
    true: (_) => "True",
    false: (_) => "False",
    none: (_) => "None",

    // Several in a row are one text.
    _strings: ($) => choice($.string, $.concatenated),
    concatenated: ($) => prec.right(seq($.string, repeat1($.string))),
    string: ($) => choice($._plain_string, $._format_string),
    _plain_string: (_) =>
      token(
        seq(
          optional(/[rRuUbB]|[bB][rR]|[rR][bB]/),
          choice(
            seq('"""', /([^"\\]|\\(.|\n)|"[^"\\]|"\\(.|\n)|""[^"\\]|""\\(.|\n))*/, '"""'),
            seq("'''", /([^'\\]|\\(.|\n)|'[^'\\]|'\\(.|\n)|''[^'\\]|''\\(.|\n))*/, "'''"),
            seq('"', /([^"\\\n]|\\(.|\n))*/, '"'),
            seq("'", /([^'\\\n]|\\(.|\n))*/, "'")
          )
        )
      ),
    _format_string: ($) =>
      choice(
        interpolated($, '"""', /[^"\\{}]+/),
        interpolated($, "'''", /[^'\\{}]+/),
        interpolated($, '"', /[^"\\{}\n]+/),
        interpolated($, "'", /[^'\\{}\n]+/)
      ),
    escape: (_) => token.immediate(prec(2, choice("{{", "}}", /\\(.|\n)/))),
    interpolation: ($) =>
      seq(
        token.immediate("{"),
        $._expressions,
        optional("="),
        optional(seq("!", /[rsa]/)),
        optional($.format),
        "}"
      ),
    format: ($) => seq(":", repeat(choice(token.immediate(prec(1, /[^{}"'\n]+/)), $.interpolation))),

    comment: (_) => token(seq("#", /.*/)),
    line_join: (_) => token(seq("\\", /[ \t]*\r?\n/)),
  },
});
