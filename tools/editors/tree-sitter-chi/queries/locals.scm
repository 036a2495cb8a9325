; Scopes as the language has them: functions, loops and tests; `if` opens none.
[(function_definition) (class_definition) (for_statement) (while_statement) (lambda) (test_block)] @local.scope

(parameter name: (identifier) @local.definition)
(function_definition name: (identifier) @local.definition)
(class_definition name: (identifier) @local.definition)
(const_statement name: (identifier) @local.definition)
(param_statement name: (identifier) @local.definition)
(assignment left: (identifier) @local.definition)
(for_statement left: (identifier) @local.definition)
(for_statement left: (tuple_target (identifier) @local.definition))

(identifier) @local.reference
