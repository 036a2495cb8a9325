// RUN: chi-opt %s --chi-checkpoints="identity=abc" --split-input-file | FileCheck %s

// The script calls its copy, if the run time says so.
// CHECK: chi.global @chi.resume_in : i32
// CHECK: chi.global @u : f32
// CHECK-LABEL: func.func @chi.script()
// CHECK:         %[[ID:.*]] = chi.str "abc"
// CHECK:         %[[LOOPS:.*]] = arith.constant 2 : i32
// CHECK:         %[[WHERE:.*]] = chi.rt "chirt_checkpoint_start"(%[[ID]], %[[LOOPS]])
// CHECK:         arith.cmpi sge, %[[WHERE]]
// CHECK:         chi.if
// CHECK-NEXT:      chi.global_store %[[WHERE]], @chi.resume_in
// CHECK-NEXT:      call @chi.script.checkpointed()
// CHECK-NEXT:      chi.return
// The first form has nothing of it.
// CHECK-NOT:     chirt_checkpoint
// CHECK-LABEL: func.func @chi.script.checkpointed()
// A resumed run takes the globals, then the slots.
// CHECK:         %[[POSITION:.*]] = chi.local "position"
// CHECK:         chi.if
// CHECK:           chi.rt "chirt_restored_scalar"
// CHECK:           chi.global_store %{{.*}}, @u : f32
// CHECK-NOT:       chi.global_store %{{.*}}, @param.n
// What precedes the loop is skipped, but its end depends on a param alone.
// CHECK:         chi.global_load @param.n
// CHECK:         chi.if
// CHECK-NEXT:      chi.rt "chirt_sync"
// CHECK-NEXT:      chi.global_store %{{.*}}, @u
// CHECK-NEXT:      chi.next
// CHECK:         %[[FROM:.*]] = arith.select
// CHECK:         chi.for %[[K:.*]] = %[[FROM]] to
// CHECK-NEXT:      chi.set %[[K]], %[[POSITION]]
// CHECK:           arith.cmpi eq
// CHECK:           chi.if
// CHECK:             chi.global_store %{{.*}}, @chi.resume_in
// CHECK:             chi.rt "chirt_restored_end"
// CHECK:           chi.if
// CHECK:             chi.rt "chirt_checkpoint_due"
// CHECK:             chi.if
// CHECK:               chi.rt "chirt_checkpoint_begin"
// CHECK:               chi.str "u"
// CHECK:               arith.bitcast %{{.*}} : f32 to i32
// CHECK:               chi.rt "chirt_checkpoint_scalar"
// CHECK:               chi.str "script:position"
// CHECK:               chi.rt "chirt_checkpoint_end"
// The loop inside has a head of its own.
// CHECK:           chi.while {
// CHECK:             chi.rt "chirt_checkpoint_due"
chi.global @u : f32
chi.global @param.n : i32 param 0
func.func @chi.script() attributes {chi.host} {
  %zero = arith.constant 0.0 : f32
  chi.rt "chirt_sync"() : () -> ()
  chi.global_store %zero, @u : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = chi.global_load @param.n : i32
  chi.for %k = %c0 to %n step %c1 : i32 {
    chi.rt "chirt_sync"() : () -> ()
    chi.while {
      %u = chi.global_load @u : f32
      %more = arith.cmpf olt, %u, %zero : f32
      chi.condition %more
    } do {
      chi.next
    }
    chi.next
  }
  chi.return
}

// -----

// Values that are used behind a loop go through a slot; `main` has its own
// slots, and takes them where it begins.
// CHECK-LABEL: func.func @chi.script.checkpointed()
// CHECK:         chi.rt "chirt_restored_str"
// CHECK:         chi.global_store %{{.*}}, @t : !chi.str
// CHECK:         chi.if
// CHECK-NEXT:      func.call @main.checkpointed()
// CHECK-LABEL: func.func @main.checkpointed()
// CHECK:         %[[KEPT:.*]] = chi.local "kept" : <f64>
// CHECK:         chi.local "position"
// CHECK:         %[[A:.*]] = chi.local "a" : <!chi.field<?x4xf32>>
// CHECK:         chi.rt "chirt_restored_field"
// CHECK:         chi.set %{{.*}}, %[[A]]
// CHECK:         %[[NOW:.*]] = chi.rt "chirt_time_now"
// CHECK-NEXT:    chi.set %[[NOW]], %[[KEPT]]
// CHECK:         chi.for
// CHECK:           chi.rt "chirt_checkpoint_end"
// CHECK:         %[[THEN:.*]] = chi.get %[[KEPT]]
// CHECK:         chi.print {{.*}}(%[[THEN]] : f64)
chi.global @t : !chi.str
func.func @chi.script() attributes {chi.host} {
  call @main() : () -> ()
  chi.return
}
func.func @main() attributes {chi.host} {
  %a = chi.local "a" : !chi.local<!chi.field<?x4xf32>>
  %null = chi.null : !chi.field<?x4xf32>
  chi.set %null, %a : !chi.field<?x4xf32>, !chi.local<!chi.field<?x4xf32>>
  %now = chi.rt "chirt_time_now"() : () -> f64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  chi.for %k = %c0 to %c1 step %c1 : i32 {
    chi.next
  }
  chi.print [{shape = array<i64>, spec = "", type = "f64"}](%now : f64)
  %text = chi.global_load @t : !chi.str
  chi.print [{shape = array<i64>, spec = "", type = "str"}](%text : !chi.str)
  %field = chi.get %a : !chi.local<!chi.field<?x4xf32>> -> !chi.field<?x4xf32>
  chi.call @k(%field) : (!chi.field<?x4xf32>) -> ()
  chi.return
}
chi.kernel @k(%a: !chi.field<?x4xf32>) {
  chi.return
}

// -----

// Only what is alive at a head is saved there. `@start` is read before the loop
// only, `%w` is written before it is read, and then only released, `@late` is
// read behind the second loop, `@read` by what a function calls, and `@x` after
// the first loop no more. A run that goes on in the first loop (the set with bit
// 1) restores what is alive there only.
// CHECK-LABEL: func.func @chi.script.checkpointed()
// CHECK-NOT:     chi.str "start"
// CHECK-NOT:     chi.str "script:w"
// CHECK:         %[[SET:.*]] = arith.constant 2 : i64
// CHECK:         arith.shrui %[[SET]]
// CHECK:         chi.if
// CHECK-NEXT:      chi.str "x"
// CHECK:           chi.str "read"
// CHECK:           chi.next
// CHECK:         chi.str "late"
// CHECK-NOT:     chi.str "start"
// CHECK-NOT:     chi.str "script:w"
// CHECK:         chi.for
// CHECK:           chi.rt "chirt_checkpoint_begin"
// CHECK-NOT:       chi.str "start"
// CHECK-NOT:       chi.str "script:w"
// CHECK:           chi.str "x"
// CHECK:           chi.str "late"
// CHECK:           chi.str "read"
// CHECK:           chi.rt "chirt_checkpoint_end"
// CHECK:         chi.for
// CHECK:           chi.rt "chirt_checkpoint_begin"
// CHECK-NOT:       chi.str "x"
// CHECK:           chi.str "late"
// CHECK-NOT:       chi.str "read"
// CHECK:           chi.rt "chirt_checkpoint_end"
chi.global @start : !chi.str
chi.global @x : !chi.str
chi.global @late : !chi.str
chi.global @read : f32
func.func @chi.script() attributes {chi.host} {
  %w = chi.local "w" : !chi.local<!chi.str>
  %null = chi.null : !chi.str
  chi.set %null, %w : !chi.str, !chi.local<!chi.str>
  %start = chi.global_load @start : !chi.str
  chi.print [{shape = array<i64>, spec = "", type = "str"}](%start : !chi.str)
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  %c1 = arith.constant 1 : i32
  chi.for %k = %c0 to %c9 step %c1 : i32 {
    %new = chi.format ["a", {shape = array<i64>, spec = "", type = "i32"}](%k : i32)
    %old = chi.get %w : !chi.local<!chi.str> -> !chi.str
    chi.set %new, %w : !chi.str, !chi.local<!chi.str>
    chi.rt "chirt_str_release"(%old) : (!chi.str) -> ()
    %again = chi.get %w : !chi.local<!chi.str> -> !chi.str
    chi.print [{shape = array<i64>, spec = "", type = "str"}](%again : !chi.str)
    %x = chi.global_load @x : !chi.str
    chi.print [{shape = array<i64>, spec = "", type = "str"}](%x : !chi.str)
    func.call @outer() : () -> ()
    chi.next
  }
  chi.for %k = %c0 to %c9 step %c1 : i32 {
    chi.next
  }
  %late = chi.global_load @late : !chi.str
  chi.print [{shape = array<i64>, spec = "", type = "str"}](%late : !chi.str)
  %last = chi.get %w : !chi.local<!chi.str> -> !chi.str
  chi.rt "chirt_str_release"(%last) : (!chi.str) -> ()
  chi.return
}
func.func @outer() attributes {chi.host} {
  call @inner() : () -> ()
  chi.return
}
func.func @inner() attributes {chi.host} {
  %read = chi.global_load @read : f32
  chi.print [{shape = array<i64>, spec = "", type = "f32"}](%read : f32)
  chi.return
}
