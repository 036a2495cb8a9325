// What each pass leaves is looked for after it, and by those behind it.
// RUN: chi-opt %s --split-input-file --verify-diagnostics --chi-verify-stage=after=convert-host-to-runtime
// RUN: not chi-opt %s --split-input-file --chi-verify-stage=stage=loops 2>&1 | FileCheck %s
// RUN: not chi-opt %s --split-input-file --chi-verify-stage=after=chi-outline-tasks 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not chi-opt %s --split-input-file --chi-verify-stage=stage=llvm 2>&1 | FileCheck %s --check-prefix=LLVM
// RUN: chi-opt %s --split-input-file --chi-verify-stage=stage=chi
// CHECK:     'chi.if' op is left after `chi-structure`
// CHECK-NOT: op is left beside

// The promises of later passes do not count yet.
// EARLY:     'chi.if' op is left after `chi-structure`
// EARLY:     'func.call' op is called in a kernel after `chi-inline`
// EARLY-NOT: op has no strategy

// LLVM:      'func.func' op is not an operation of the LLVM dialect after `convert-loops-to-cpu`

func.func @structured(%c: i1) {
  // expected-error @below {{is left after `chi-structure`}}
  chi.if %c {
    // expected-error @below {{is an unexpected operation of the chi dialect after `convert-host-to-runtime`}}
    chi.next
  }
  return
}

// -----

func.func private @f()
chi.kernel @inlined() {
  // expected-error @below {{is called in a kernel after `chi-inline`}}
  func.call @f() : () -> ()
  // expected-error @below {{is left after `chi-outline-tasks`}}
  // expected-error @below {{is an unexpected operation of the chi dialect after `convert-host-to-runtime`}}
  chi.return
}

// -----

// Control code compares floats and hands them on; tasks compute them.
// expected-error @below {{is left after `convert-chi-to-loops`}}
// expected-error @below {{has no schedule after `chi-schedule`}}
chi.task @mean.t0(%a: f32) () attributes {cost = 1 : i64, effects = #chi.effects<>} {
  // expected-error @below {{is an unexpected operation of the chi dialect after `convert-host-to-runtime`}}
  chi.next
}
// expected-error @below {{computes a float outside of its tasks after `chi-outline-tasks`}}
func.func @mean(%a: f32, %b: f32) -> i1 attributes {chi.control} {
  %is_less = arith.cmpf olt, %a, %b : f32
  %sum = arith.addf %a, %b : f32
  // expected-error @below {{launches a task without facts after `chi-launch-facts`}}
  chi.launch @mean.t0(%sum : f32)
  return %is_less : i1
}

// -----

// expected-error @below {{has no cost after `chi-estimate-cost`}}
// expected-error @below {{has no effects after `chi-task-effects`}}
// expected-error @below {{has no schedule after `chi-schedule`}}
// expected-error @below {{is left after `convert-chi-to-loops`}}
chi.task @numbered(%x: !chi.field<8xi64>) (%i: i32) {
  // expected-error @below {{has no number after `chi-number-random`}}
  // expected-error @below {{is an unexpected operation of the chi dialect after `convert-host-to-runtime`}}
  %bits = chi.random
  // expected-error @below {{is neither checked nor inbounds after `chi-insert-checks`}}
  // expected-error @below {{has no strategy after `chi-choose-strategies`}}
  chi.accum add %bits, %x[%i : i32] : i64, !chi.field<8xi64>
  chi.next
}

// -----

func.func @promoted(%v: f32) {
  // expected-error @below {{is not a value after `chi-promote`}}
  // expected-error @below {{is an unexpected operation of the chi dialect after `convert-host-to-runtime`}}
  %s = chi.local "s" : !chi.local<f32>
  chi.set %v, %s : f32, !chi.local<f32>
  return
}

// -----

// Kept by the target: checks and casts.
func.func @left(%v: f32, %ok: i1) -> i32 {
  chi.check assert %ok
  %i = chi.to_int %v : f32 -> i32
  return %i : i32
}

// -----

// expected-error @below {{has no cost after `chi-estimate-cost`}}
// expected-error @below {{has no effects after `chi-task-effects`}}
// expected-error @below {{has no schedule after `chi-schedule`}}
// expected-error @below {{is left after `convert-chi-to-loops`}}
chi.task @launched() () {
  // expected-error @below {{is an unexpected operation of the chi dialect after `convert-host-to-runtime`}}
  chi.next
}
func.func @launches() attributes {chi.control} {
  // expected-error @below {{launches a task without facts after `chi-launch-facts`}}
  chi.launch @launched()
  return
}

// -----

// In a task's function nothing belongs to one target but what the loops ask of
// the run time.
llvm.func @chirt_stream(!llvm.ptr, !llvm.ptr, i64)
llvm.func @chirt_field_retain(!llvm.ptr)
func.func private @k.t0.body(%x: !llvm.ptr, %n: i64) attributes {chi.body} {
  %y = llvm.getelementptr inbounds %x[%n] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.call @chirt_stream(%y, %x, %n) : (!llvm.ptr, !llvm.ptr, i64) -> ()
  // expected-error @below {{is specific to one target, but in a task after `convert-chi-to-loops`}}
  llvm.call @chirt_field_retain(%x) : (!llvm.ptr) -> ()
  return
}

// -----

func.func private @k.t0.may_alias(%x: !llvm.ptr, %n: i64) attributes {chi.body} {
  // expected-error @below {{is specific to one target, but in a task after `convert-chi-to-loops`}}
  %y = llvm.getelementptr inbounds %x[%n] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %v = llvm.load %y : !llvm.ptr -> f32
  return
}
