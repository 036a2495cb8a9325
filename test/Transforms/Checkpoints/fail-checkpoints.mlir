// RUN: chi-opt %s --chi-checkpoints --split-input-file --verify-diagnostics

// No loop. Calls of `main` count only at the end of the script.
// expected-error @below {{[E0416]}}
func.func @chi.script() attributes {chi.host} {
  call @main() : () -> ()
  chi.rt "chirt_sync"() : () -> ()
  chi.return
}
func.func @main() attributes {chi.host} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  chi.for %k = %c0 to %c1 step %c1 : i32 {
    chi.next
  }
  chi.return
}

// -----

// A tape is open at the only head.
func.func @chi.script() attributes {chi.host} {
  %loss = chi.null : !chi.field<f32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  chi.rt "chirt_tape_begin"(%loss, %c0) at "Tape" : (!chi.field<f32>, i32) -> ()
  // expected-error @below {{[E0415]}}
  chi.for %k = %c0 to %c1 step %c1 : i32 {
    chi.next
  }
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  chi.return
}

// -----

// Another loop has a head.
func.func @chi.script() attributes {chi.host} {
  %loss = chi.null : !chi.field<f32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  chi.for %k = %c0 to %c1 step %c1 : i32 {
    chi.rt "chirt_tape_begin"(%loss, %c0) at "Tape" : (!chi.field<f32>, i32) -> ()
    chi.for %j = %c0 to %c1 step %c1 : i32 {
      chi.next
    }
    %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
    chi.next
  }
  chi.rt "chirt_tape_begin"(%loss, %c0) at "Tape" : (!chi.field<f32>, i32) -> ()
  // expected-warning @below {{[W0417]}}
  chi.for %k = %c0 to %c1 step %c1 : i32 {
    chi.next
  }
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  chi.return
}

// -----

// A loop that copies a value in memory is none of the program's.
// expected-error @below {{[E0416]}}
func.func @chi.script() attributes {chi.host} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = arith.constant 20 : i32
  %from = chi.local "a" : <20xf32>
  %to = chi.local "b" : <20xf32>
  chi.for %k = %c0 to %n step %c1 : i32 {
    %part = chi.get %from[%k : i32] : <20xf32> -> f32
    chi.set %part, %to[%k : i32] : f32, <20xf32>
    chi.next
  }
  chi.return
}

// -----

// A list is alive at the head.
func.func @chi.script() attributes {chi.host} {
  // expected-error @below {{[E0418] a checkpoint cannot hold `xs`}}
  %xs = chi.local "xs" : !chi.local<!chi.object>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  chi.for %k = %c0 to %c1 step %c1 : i32 {
    chi.next
  }
  chi.return
}
