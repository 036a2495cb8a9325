// RUN: chi-opt %s --convert-chi-to-loops="recorded=true" --cse | FileCheck %s
// RUN: chi-opt %s --convert-chi-to-loops | FileCheck %s --check-prefix=ONE

// A kernel in two forms: `@k` asks a flag at its entry and calls its tasks;
// `@k.rec` hands each launch to the run time. Without the option there is one.
// ONE-NOT: chirt_recording
// ONE-NOT: .rec(

// What the run time knows of a kernel, and of a task: version, rank, number of
// arguments, flags (1: it draws), name, place, arguments and their names, entry.
// CHECK-DAG: llvm.mlir.global external hidden constant @k.table() {{.*}}chi.members = [@{{.*}}, @k.tasks, 1 : i32]
// CHECK-DAG: llvm.mlir.global internal constant @k.tasks() {{.*}}chi.members = [@k.t0.task]
// CHECK-DAG: llvm.mlir.global external hidden constant @idle.table() {{.*}}chi.members = [@{{.*}}, unit, 0 : i32]
// CHECK-DAG: llvm.mlir.global internal constant @k.t0.task() {{.*}}chi.members = [7 : i32, 1 : i32, 4 : i32, 0 : i32, @[[NAME:.*]], @[[SITE:chi.site.*]], @[[ARGUMENTS:chi.arguments.*]], @{{.*}}, @k.t0.launch, unit, unit, unit, 0, unit, unit, 0, unit, unit, unit, 0, unit]
// CHECK-DAG: @[[NAME]]("k.t0\00")
// CHECK-DAG: @[[SITE]]() {{.*}}chi.members = [@{{.*}}, 12 : i32, 5 : i32, 9 : i32,
// Of each: dtype, whether it is a field, its rank, its uses. f32 of rank 1 that
// is read; f64 of rank 0 that is read and written; f32; bool.
// CHECK-DAG: @[[ARGUMENTS]]("\0B\01\01\01\0C\01\00\03\0B\00\00\00\00\00\00\00")
// CHECK-DAG: llvm.mlir.global internal constant @d.t0.task() {{.*}}chi.members = [7 : i32, 1 : i32, 3 : i32, 1 : i32,

// The entry takes the arguments from words, and the domain; then it launches as
// a direct form does, but does not look at failures.
// CHECK-LABEL: func.func private @k.t0.launch(
// CHECK-SAME:    %{{[a-z0-9]+}}: !llvm.ptr, %[[WORDS:[a-z0-9]+]]: !llvm.ptr, %[[DOMAIN:[a-z0-9]+]]: !llvm.ptr) attributes {chi.cold}
// CHECK:         %[[X:.*]] = llvm.load %[[WORDS]] : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[W1:.*]] = llvm.getelementptr inbounds|nuw %[[WORDS]][%c1_i64]
// CHECK:         %[[S:.*]] = llvm.load %[[W1]] : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[W2:.*]] = llvm.getelementptr inbounds|nuw %[[WORDS]][%c2_i64]
// CHECK:         llvm.load %[[W2]] : !llvm.ptr -> f32
// CHECK:         %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK:         arith.trunci %[[BYTE]] : i8 to i1
// CHECK:         llvm.getelementptr inbounds %[[DOMAIN]][0, 1]
// A cell is a field here: its data is loaded from the handle.
// CHECK-DAG:     llvm.load %[[X]] : !llvm.ptr -> !llvm.ptr
// CHECK-DAG:     llvm.load %[[S]] : !llvm.ptr -> !llvm.ptr
// CHECK:         llvm.call @chirt_parallel(
// CHECK:         call @k.t0.finish(
// CHECK-NOT:     chirt_check_launch
// CHECK:         return

// CHECK-LABEL: func.func @k(
// CHECK:         %[[FLAG:.*]] = llvm.mlir.addressof @chirt_recording
// CHECK:         %[[WORD:.*]] = llvm.load %[[FLAG]] : !llvm.ptr -> i32
// CHECK:         %[[ON:.*]] = arith.cmpi ne, %[[WORD]], %c0_i32 : i32
// CHECK:         %[[RESULT:.*]] = scf.if %[[ON]] -> (f64) {
// What it results in is a handle, which is read and freed here.
// CHECK-NEXT:      %[[HANDLE:.*]] = func.call @k.rec({{.*}} -> !chi.field<f64>
// CHECK-NEXT:      %[[RECORDED:.*]] = chi.load %[[HANDLE]][] inbounds
// CHECK-NEXT:      llvm.call @chirt_cell_pop(%c1_i64)
// CHECK-NEXT:      scf.yield %[[RECORDED]] : f64
// CHECK-NEXT:    } else {
// CHECK-NEXT:      chi.cell "s"
// CHECK:           llvm.call @chirt_parallel(
// CHECK:           %[[DIRECT:.*]] = chi.load
// CHECK-NEXT:      scf.yield %[[DIRECT]] : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[RESULT]] : f64

// CHECK-LABEL: func.func private @k.rec(
// CHECK-SAME:    attributes {chi.cold, chi.control}
// CHECK-NOT:     chi.cell
// CHECK:         %[[CELL:.*]] = llvm.call @chirt_cell_push(%{{.*}}, %c0_i64, %c1_i64,
// CHECK:         %[[FIELD:.*]] = builtin.unrealized_conversion_cast %[[CELL]]
// CHECK:         %[[BITS:.*]] = arith.bitcast %{{.*}} : f32 to i32
// CHECK:         %[[LONG:.*]] = arith.extui %[[BITS]] : i32 to i64
// CHECK:         llvm.store %[[LONG]], %{{.*}} : i64, !llvm.ptr
// CHECK:         %[[TASK:.*]] = llvm.mlir.addressof @k.t0.task
// CHECK:         llvm.call @chirt_launch(%[[TASK]], %{{.*}}, %{{.*}})
// The cell that the sum is in is the result: nothing waits for its number.
// CHECK-NEXT:    return %[[FIELD]] : !chi.field<f64>
!F = !chi.field<?xf32>
!C = !chi.field<f64>
chi.task @k.t0(%x: !F, %s: !C, %a: f32, %on: i1) over 0 (%i: i32)
    attributes {kernel = "k", axes = ["i"],
                effects = #chi.effects<reads = [0, 1], writes = [1]>} {
  %v = chi.load %x[%i : i32] inbounds : !F -> f32
  %w = arith.extf %v : f32 to f64
  chi.accum add %w, %s[] inbounds strategy(deterministic) : f64, !C
  chi.next
} loc("s.chi":12:5 to :9)
func.func @k(%x: !F, %n: i32, %a: f32, %on: i1) -> f64 attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %s = chi.cell "s" : !C
  chi.launch @k.t0(%x, %s, %a, %on : !F, !C, f32, i1) from (%c0 : i32) to (%n : i32)
  %r = chi.load %s[] inbounds : !C -> f64
  return %r : f64
}

// A result that no cell holds at the end is stored in one: a number of control
// code, one that two results share, one that changed since it was loaded. What
// the caller frees lies below the other cells.
// CHECK-LABEL: func.func @several(
// CHECK:           %[[H:.*]]:4 = func.call @several.rec(
// CHECK-NEXT:      %[[R0:.*]] = chi.load %[[H]]#0[] inbounds : <i32> -> i32
// CHECK-NEXT:      %[[R1:.*]] = chi.load %[[H]]#1[] inbounds : <f64> -> f64
// CHECK-NEXT:      %[[R2:.*]] = chi.load %[[H]]#2[]
// CHECK-NEXT:      %[[R3:.*]] = chi.load %[[H]]#3[]
// CHECK:           llvm.call @chirt_cell_pop(%c4_i64
// CHECK-NEXT:      scf.yield %[[R0]], %[[R1]], %[[R2]], %[[R3]] : i32, f64, f64, f64
// CHECK-LABEL: func.func private @several.rec(
// CHECK-SAME:    %{{[a-z0-9]+}}: !chi.field<?xf32>, %[[N:[a-z0-9]+]]: i32,
// CHECK:         %[[C0:.*]] = llvm.call @chirt_cell_push(
// CHECK-NEXT:    %[[F0:.*]] = builtin.unrealized_conversion_cast %[[C0]] {{.*}} !chi.field<i32>
// CHECK:         %[[C1:.*]] = llvm.call @chirt_cell_push(
// CHECK-NEXT:    %[[F1:.*]] = builtin.unrealized_conversion_cast %[[C1]] {{.*}} !chi.field<f64>
// CHECK:         %[[C2:.*]] = llvm.call @chirt_cell_push(
// CHECK-NEXT:    %[[F2:.*]] = builtin.unrealized_conversion_cast %[[C2]]
// CHECK:         %[[C3:.*]] = llvm.call @chirt_cell_push(
// CHECK-NEXT:    %[[F3:.*]] = builtin.unrealized_conversion_cast %[[C3]]
// CHECK:         %[[C4:.*]] = llvm.call @chirt_cell_push(
// CHECK-NEXT:    %[[OWN:.*]] = builtin.unrealized_conversion_cast %[[C4]]
// CHECK:         %[[BEFORE:.*]] = chi.load %[[OWN]][]
// CHECK:         llvm.call @chirt_launch(
// CHECK:         llvm.call @chirt_launch(
// CHECK-NEXT:    %[[NOW:.*]] = chi.load %[[F1]][]
// CHECK-NEXT:    chi.store %[[N]], %[[F0]][]
// CHECK-NEXT:    chi.store %[[NOW]], %[[F2]][]
// CHECK-NEXT:    chi.store %[[BEFORE]], %[[F3]][]
// CHECK-NEXT:    llvm.call @chirt_cell_pop(%c1_i64{{.*}})
// CHECK-NEXT:    return %[[F0]], %[[F1]], %[[F2]], %[[F3]] : !chi.field<i32>, !chi.field<f64>, !chi.field<f64>, !chi.field<f64>
func.func @several(%x: !F, %n: i32, %a: f32, %on: i1) -> (i32, f64, f64, f64) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %own = chi.cell "own" : !C
  %s = chi.cell "s" : !C
  %before = chi.load %own[] inbounds : !C -> f64
  chi.launch @k.t0(%x, %own, %a, %on : !F, !C, f32, i1) from (%c0 : i32) to (%n : i32)
  chi.launch @k.t0(%x, %s, %a, %on : !F, !C, f32, i1) from (%c0 : i32) to (%n : i32)
  %r = chi.load %s[] inbounds : !C -> f64
  return %n, %r, %r, %before : i32, f64, f64, f64
}

// The ordinal of a call is taken once, by the form that runs; begin and step of
// a range travel in the domain.
// CHECK-LABEL: func.func @d(
// CHECK-NOT:     chi.ordinal
// CHECK:         scf.if
// CHECK-NEXT:      func.call @d.rec
// CHECK-NEXT:    } else {
// CHECK:           chi.ordinal
// CHECK-NOT:       chi.ordinal
// CHECK-LABEL: func.func private @d.rec(
// CHECK:         %[[TAKEN:.*]] = chi.ordinal
// CHECK:         %[[WIDE:.*]] = arith.extui %[[TAKEN]] : i32 to i64
// CHECK:         llvm.store %[[WIDE]],
// CHECK:         %[[STEP:.*]] = llvm.getelementptr inbounds %{{.*}}[0, 3] :
// CHECK-NEXT:    llvm.store %c3_i64, %[[STEP]]
// CHECK-NOT:     chi.ordinal
chi.task @d.t0(%x: !chi.field<8xi64>, %call: i32, %launch: i32) (%i: i32) attributes {kernel = "d", axes = ["i"]} {
  %zero = arith.constant 0 : i32
  %it = chi.iteration : i64
  %bits = chi.random loop 1 call %call launch %launch iteration %it draw %zero
  chi.store %bits, %x[%i : i32] inbounds : i64, !chi.field<8xi64>
  chi.next
}
func.func @d(%x: !chi.field<8xi64>, %n: i32) attributes {chi.control} {
  %call = chi.ordinal : i32
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  chi.launch @d.t0(%x, %call, %c0 : !chi.field<8xi64>, i32, i32) from (%c0 : i32) to (%n : i32) values (%n, %c3 : i32, i32)
  return
}

// What launches nothing has one form.
// CHECK-LABEL: func.func @idle(
// CHECK-NEXT:    return
func.func @idle() attributes {chi.control} {
  return
}
