; For Helix and Neovim: what a line break goes further in after.
[
  (function_definition)
  (class_definition)
  (if_statement)
  (for_statement)
  (while_statement)
  (with_statement)
  (test_block)
  (elif_clause)
  (else_clause)
  (list)
  (tuple)
  (dict)
  (arguments)
  (parameters)
] @indent
[")" "]" "}" "elif" "else"] @outdent
