// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops --cse | FileCheck %s

// What is known of a domain is a constant of the body: from the field that the
// loop runs over, and from the launch, if there is only one. A launch that is
// known to be cheap runs at once, by the thread that asks; one of no iteration
// too. Others go to the run time, with what one iteration costs.
!F = !chi.field<64x?xf32>

// Two launches with other bounds: none of them is in the body.
// CHECK-LABEL: func.func private @twice.body(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<?xi32> {llvm.noalias}, %[[FROM:[a-z0-9]+]]: index, %[[COUNT:[a-z0-9]+]]: index, %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index)
// CHECK:         arith.addi %[[FROM]], %[[BEGIN]]
// CHECK:         arith.addi %[[FROM]], %[[END]]
chi.task @twice(%x: !chi.field<99xi32>) (%i: i32) attributes {cost = 1 : i64} {
  chi.store %i, %x[%i : i32] inbounds : i32, !chi.field<99xi32>
  chi.next
}

// Over a field: it starts at 0, whatever the launches; the extent of the axis
// that the type knows is known, the other one comes with the launch.
// CHECK-LABEL: func.func private @over.body(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<?xf32> {llvm.noalias}, %{{[a-z0-9]+}}: index, %[[COLUMNS:[a-z0-9]+]]: index, %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index)
// CHECK:         arith.divui %[[BEGIN]], %[[COLUMNS]]
// CHECK:         scf.for %[[ROW:.*]] =
// CHECK-NEXT:      %{{.*}} = arith.index_cast %[[ROW]] : index to i32
chi.task @over(%x: !F) over 0 (%i: i32, %j: i32) {
  %v = arith.constant 1.0 : f32
  chi.store %v, %x[%i, %j : i32, i32] inbounds : f32, !F
  chi.next
}

// Cost 0 counts as 1: 48000 iterations are below the grain, one more is not.
chi.task @cheap(%x: !chi.field<99xi32>) (%i: i32) attributes {cost = 0 : i64} {
  %z = arith.constant 0 : i32
  chi.store %i, %x[%z : i32] inbounds : i32, !chi.field<99xi32>
  chi.next
}
chi.task @cheap2(%x: !chi.field<99xi32>) (%i: i32) attributes {cost = 0 : i64} {
  %z = arith.constant 0 : i32
  chi.store %i, %x[%z : i32] inbounds : i32, !chi.field<99xi32>
  chi.next
}
chi.task @dear(%x: !chi.field<99xi32>) (%i: i32) attributes {cost = 30000 : i64} {
  chi.store %i, %x[%i : i32] inbounds : i32, !chi.field<99xi32>
  chi.next
}
chi.task @none(%x: !chi.field<99xi32>) (%i: i32) attributes {cost = 30000 : i64} {
  chi.store %i, %x[%i : i32] inbounds : i32, !chi.field<99xi32>
  chi.next
}

// CHECK-LABEL: func.func @launches(
func.func @launches(%x: !chi.field<99xi32>, %y: !F, %n: i32, %m: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c7 = arith.constant 7 : i32
  %c64 = arith.constant 64 : i32
  // What a launch knows is a constant of the launch; what it does not know is
  // worked out there. Whether it is worth the pool is the task's to say.
  // CHECK:      llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %c5_i64, %c16_i64, %c1_i64)
  chi.launch @twice(%x : !chi.field<99xi32>) from (%c2 : i32) to (%c7 : i32)
  // CHECK:      %[[FROM:.*]] = arith.extsi %{{.*}} : i32 to i64
  // CHECK:      %[[TO:.*]] = arith.extsi %{{.*}} : i32 to i64
  // CHECK:      %[[SOME:.*]] = arith.cmpi slt, %[[FROM]], %[[TO]] : i64
  // CHECK:      %[[WIDE:.*]] = arith.subi %[[TO]], %[[FROM]] : i64
  // CHECK:      %[[ALL:.*]] = arith.select %[[SOME]], %[[WIDE]], %c0_i64 : i64
  // CHECK:      llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %[[ALL]], %c16_i64, %c1_i64)
  chi.launch @twice(%x : !chi.field<99xi32>) from (%n : i32) to (%m : i32)
  // The rows are 64, the columns the field's.
  // CHECK:      %[[N:.*]] = chi.dim %{{.*}}, 1
  // CHECK:      %[[WIDTH:.*]] = arith.extsi %[[N]] : i32 to i64
  // CHECK:      %[[POSITIVE:.*]] = arith.cmpi sgt, %[[WIDTH]], %c0_i64 : i64
  // CHECK:      %[[COLUMNS:.*]] = arith.select %[[POSITIVE]], %[[WIDTH]], %c0_i64 : i64
  // CHECK:      %[[COUNT:.*]] = arith.muli %[[COLUMNS]], %c64_i64 : i64
  // Parts are cut at rows, of which the run time is given the length; a length
  // of 0 would be no length.
  // CHECK:      %[[ALIGN:.*]] = arith.maxsi %[[COLUMNS]], %c1_i64 : i64
  // CHECK:      llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %[[COUNT]], %[[ALIGN]], %c160_i64)
  %w = chi.dim %y, 1 : !F -> i32
  chi.launch @over(%y : !F) from (%c0, %c0 : i32, i32) to (%c64, %w : i32, i32)
  return
}

// CHECK-LABEL: func.func @grains(
func.func @grains(%x: !chi.field<99xi32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %most = arith.constant 48000 : i32
  %more = arith.constant 48001 : i32
  // CHECK:      call @cheap.body(%{{.*}}, %c0, %c48000)
  chi.launch @cheap(%x : !chi.field<99xi32>) from (%c0 : i32) to (%most : i32)
  // CHECK:      constant @cheap2.chunk
  // CHECK:      llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %c48001_i64, %c16_i64, %c1_i64)
  chi.launch @cheap2(%x : !chi.field<99xi32>) from (%c0 : i32) to (%more : i32)
  // CHECK:      llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %c2_i64, %c16_i64, %c30000_i64)
  chi.launch @dear(%x : !chi.field<99xi32>) from (%c0 : i32) to (%c2 : i32)
  // From 2 to 1 are none, not one less than none.
  // CHECK:      call @none.body(%{{.*}}, %c0, %c0)
  chi.launch @none(%x : !chi.field<99xi32>) from (%c2 : i32) to (%c1 : i32)
  return
}
