; What editors show in which colour. Later patterns win.

(identifier) @variable
(attribute name: (identifier) @property)
(keyword_argument name: (identifier) @variable.parameter)
(parameter name: (identifier) @variable.parameter)
(type_parameters (identifier) @type)

(call function: (identifier) @function)
(call function: (attribute name: (identifier) @function.method))

((identifier) @function.builtin
 (#match? @function.builtin "^(print|len|range|ndrange|grouped|static|serial|enumerate|zip|reversed|any|all|min|max|sum|clamp|mix|step|smoothstep|where|identity|diag|save|load|append|exists|env|report|random|randn|progress|exit|sync|Tape|Forward|stop_gradient|sorted|open|ord|chr|abs|sign|round|sqrt|rsqrt|cbrt|exp|exp2|expm1|log|log2|log10|log1p|sin|cos|tan|asin|acos|atan|sinh|cosh|tanh|asinh|acosh|atanh|erf|erfc|floor|ceil|trunc|isnan|isinf|isfinite|atan2|hypot|copysign|fmod|fma|pow|radians|degrees|frexp|ldexp|popcount|clz|ctz|bit_cast|atomic_add|atomic_sub|atomic_mul|atomic_and|atomic_or|atomic_xor|atomic_min|atomic_max|atomic_exchange|atomic_cas|atomic_load)$"))

((identifier) @type.builtin
 (#match? @type.builtin "^(bool|int|float|str|[iu](8|16|32|64)|b?f16|f32|f64|[iud]?vec[234]|d?mat[234]|vec|mat|array|field|list|dict|set)$"))

((identifier) @variable.builtin (#eq? @variable.builtin "self"))

(function_definition name: (identifier) @function)
(class_definition name: (identifier) @type)
(type_statement name: (identifier) @type)
(const_statement name: (identifier) @constant)
(param_statement name: (identifier) @constant)
(test_block name: (string) @string.special)
(import_statement (dotted_name (identifier) @module))
(from_statement module: (dotted_name (identifier) @module))
(decorator "@" @attribute)
(decorator (identifier) @attribute)
(decorator (call function: (identifier) @attribute))

(integer) @number
(float) @number
[(true) (false)] @boolean
(none) @constant.builtin
(comment) @comment
(string) @string
(escape) @string.escape
(format) @string.special
(interpolation ["{" "}"] @punctuation.special) @none

; Docstrings.
(module . (expression_statement (string) @string.documentation))
(function_definition body: (block . (expression_statement (string) @string.documentation)))
(class_definition body: (block . (expression_statement (string) @string.documentation)))

["def" "class" "lambda"] @keyword.function
["const" "param" "type" "test" "export"] @keyword
["import" "from" "as"] @keyword.import
["if" "elif" "else"] @keyword.conditional
["for" "while" (break_statement) (continue_statement)] @keyword.repeat
["return"] @keyword.return
["with" "assert" (pass_statement)] @keyword
["and" "or" "not" "in" "is"] @keyword.operator

["+" "-" "*" "/" "//" "%" "**" "@" "&" "|" "^" "~" "<<" ">>" "<" "<=" ">" ">=" "==" "!="
 "=" "+=" "-=" "*=" "/=" "//=" "%=" "**=" "@=" "&=" "|=" "^=" "<<=" ">>=" "->"] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":" "." ";"] @punctuation.delimiter
