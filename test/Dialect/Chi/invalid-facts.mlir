// RUN: chi-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{has facts for other axes or arguments than its own}}
chi.task @axes(%n: i32) (%i: i32) attributes {facts = #chi.facts<inputs = [?]>} {
  chi.next
}

// -----

// expected-error @below {{has a fact on argument 0 with the range 9 to 3}}
chi.task @empty(%n: i32) () attributes {facts = #chi.facts<inputs = [9 to 3]>} {
  chi.next
}

// -----

// expected-error @below {{compares argument 0 with argument 0, which is not another integer}}
chi.task @itself(%n: i32) () attributes {facts = #chi.facts<inputs = [= 1 + arg(0)]>} {
  chi.next
}

// -----

// expected-error @below {{compares the end of axis 0 with argument 1, which is not another integer}}
chi.task @float(%n: i32, %a: f32) (%i: i32)
    attributes {facts = #chi.facts<from = [?], to = [= arg(1)], inputs = [?, ?]>} {
  chi.next
}

// -----

// expected-error @below {{compares the start of axis 0 with argument 0, which has no such extent}}
chi.task @extent(%x: !chi.field<?xf32>) (%i: i32)
    attributes {facts = #chi.facts<from = [= dim(0, 1)], to = [?], inputs = [?]>} {
  chi.next
}

// -----

// expected-error @below {{has the number of argument 0, which is not an integer}}
chi.task @number(%a: f32) () attributes {facts = #chi.facts<inputs = [0 to 1]>} {
  chi.next
}

// -----

// expected-error @below {{lists argument 1 as a field, which it is not}}
chi.task @cell(%x: !chi.field<f32>, %n: i32) ()
    attributes {facts = #chi.facts<inputs = [?, ?], cells = [1]>} {
  chi.next
}

// -----

// expected-error @below {{`?`, a range or `=` is expected}}
chi.task @word(%n: i32) () attributes {facts = #chi.facts<inputs = [all]>} {
  chi.next
}

// -----

// expected-error @below {{unknown fact: `until`}}
chi.task @name(%n: i32) () attributes {facts = #chi.facts<until = [?]>} {
  chi.next
}

// -----

// expected-error @below {{a number, `arg` or `dim` is expected}}
chi.task @sum(%n: i32) () attributes {facts = #chi.facts<inputs = [= 2 * n]>} {
  chi.next
}

// -----

// A launch that is seen to be against what the task knows.
chi.task @bounds(%x: !chi.field<?xf32>) (%i: i32)
    attributes {facts = #chi.facts<from = [= 0], to = [1 to 8], inputs = [?]>} {
  chi.next
}
func.func @early(%x: !chi.field<?xf32>) attributes {chi.control} {
  %c1 = arith.constant 1 : i32
  // expected-error @below {{'chi.launch' op passes 1 as the start of axis 0, which @bounds assumes to be from 0 to 0}}
  chi.launch @bounds(%x : !chi.field<?xf32>) from (%c1 : i32) to (%c1 : i32)
  return
}

// -----

chi.task @over(%x: !chi.field<?xf32>) (%i: i32)
    attributes {facts = #chi.facts<from = [= 0], to = [1 to 8], inputs = [?]>} {
  chi.next
}
func.func @long(%x: !chi.field<?xf32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  // expected-error @below {{passes 9 as the end of axis 0, which @over assumes to be from 1 to 8}}
  chi.launch @over(%x : !chi.field<?xf32>) from (%c0 : i32) to (%c9 : i32)
  return
}

// -----

// A sum of what the launch passes, an extent below a cast among it.
chi.task @sum(%x: !chi.field<?xf32>, %n: i32, %m: i32) ()
    attributes {facts = #chi.facts<inputs = [?, = -1 + dim(0, 0) + 2 * arg(2), ?]>} {
  chi.next
}
func.func @right(%x: !chi.field<5xf32>) attributes {chi.control} {
  %c2 = arith.constant 2 : i32
  %c8 = arith.constant 8 : i32
  %y = chi.cast_field %x : !chi.field<5xf32> to !chi.field<?xf32>
  chi.launch @sum(%y, %c8, %c2 : !chi.field<?xf32>, i32, i32)
  // expected-error @below {{passes 2 as argument 1, which @sum assumes to be 20}}
  chi.launch @sum(%y, %c2, %c8 : !chi.field<?xf32>, i32, i32)
  return
}

// -----

chi.task @two(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>) ()
    attributes {facts = #chi.facts<inputs = [?, ?], noalias = [0, 1]>} {
  chi.next
}
chi.global @a : !chi.field<?xf32>
func.func @twice() attributes {chi.control} {
  %x = chi.global_load @a : !chi.field<?xf32>
  %y = chi.global_load @a : !chi.field<?xf32>
  // expected-error @below {{passes one field as arguments 0 and 1, which @two assumes to be distinct}}
  chi.launch @two(%x, %y : !chi.field<?xf32>, !chi.field<?xf32>)
  return
}

// -----

chi.task @own(%s: !chi.field<f32>) () attributes {facts = #chi.facts<inputs = [?], cells = [0]>} {
  chi.next
}
chi.global @a : !chi.field<f32>
func.func @shared() attributes {chi.control} {
  %x = chi.global_load @a : !chi.field<f32>
  // expected-error @below {{passes a variable's field as argument 0, which @own assumes to be a cell}}
  chi.launch @own(%x : !chi.field<f32>)
  return
}
