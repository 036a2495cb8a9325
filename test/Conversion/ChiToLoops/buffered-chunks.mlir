// RUN: chi-opt %s --convert-chi-to-loops --canonicalize --cse | FileCheck %s

// Buffered rows: where a piece begins, and what goes where. The schedule says how
// long it is; pieces of a power of two end where lines of the cache do.
!F = !chi.field<1048576xf32>
!D = !chi.field<1048576x!chi.vec<3xf64>>

// 512 elements of 24 bytes are 1536 scalars. Lines and elements meet every 8
// elements.
// CHECK-LABEL: func.func private @vec3.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf64> {llvm.noalias}, %{{[a-z0-9]+}}: f64, %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index)
// CHECK:         %[[BUFFER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1536xf64>
// It is asked whether what the launch touches, here the field, exceeds caches.
// CHECK:         %[[ASKED:.*]] = llvm.call @chirt_streams(%c25165824_i64)
// CHECK:         %[[STREAMS:.*]] = arith.cmpi ne, %[[ASKED]], %c0_i32
// CHECK:         scf.if %[[STREAMS]] {
// The number of iterations is not below 0, and the skew is that of the first
// element of the part in its line.
// CHECK:         %[[COUNT:.*]] = arith.subi %{{.*}}, %[[FIRST:.*]] overflow<nsw> : index
// CHECK:         %[[SOME:.*]] = arith.maxsi %[[COUNT]], %c0 : index
// CHECK:         %[[ELEMENT:.*]] = arith.divui %{{.*}}, %c3 : index
// CHECK:         %[[SKEW:.*]] = arith.remui %[[ELEMENT]], %c8 : index
// Lines that the row's ends write in part are asked for.
// CHECK:         %[[DATA:.*]] = memref.extract_aligned_pointer_as_index %[[X]]
// CHECK:         %[[HERE:.*]] = arith.addi %[[DATA]], %{{.*}}
// CHECK:         %[[IN:.*]] = arith.andi %[[HERE]], %c63 : index
// CHECK:         %[[RAGGED:.*]] = arith.cmpi ne, %[[IN]], %c0 : index
// CHECK:         scf.if %[[RAGGED]] {
// CHECK-NEXT:      memref.prefetch %[[X]][%{{.*}}], write, locality<3>, data
// CHECK:         %[[AFTER:.*]] = arith.addi %[[LAST:.*]], %c3 overflow<nsw> : index
// CHECK:         %[[BYTES:.*]] = arith.muli %[[AFTER]], %c8 overflow<nsw> : index
// CHECK:         %[[BEHIND:.*]] = arith.addi %[[DATA]], %[[BYTES]] overflow<nsw> : index
// CHECK:         arith.andi %[[BEHIND]], %c63 : index
// CHECK:         scf.if
// CHECK-NEXT:      memref.prefetch %[[X]][%[[LAST]]], write
// CHECK:         %[[ALL:.*]] = arith.addi %[[SOME]], %[[SKEW]] overflow<nsw> : index
// CHECK:         %[[UP:.*]] = arith.addi %[[ALL]], %c511 overflow<nsw> : index
// CHECK:         %[[CHUNKS:.*]] = arith.divui %[[UP]], %c512 : index
// CHECK:         scf.for %[[P:.*]] = %c0 to %[[CHUNKS]] step %c1 {
// CHECK:           %[[P512:.*]] = arith.muli %[[P]], %c512 overflow<nsw> : index
// CHECK:           %[[BEFORE:.*]] = arith.subi %[[P512]], %[[SKEW]] overflow<nsw> : index
// CHECK:           %[[FROM:.*]] = arith.maxsi %[[BEFORE]], %c0 : index
// CHECK:           %[[NEXT:.*]] = arith.addi %[[BEFORE]], %c512 overflow<nsw> : index
// CHECK:           %[[TO:.*]] = arith.minsi %[[NEXT]], %[[SOME]] : index
// CHECK:           %[[START:.*]] = arith.addi %[[BEGIN]], %[[FROM]] overflow<nsw> : index
// CHECK:           %[[LOW:.*]] = arith.index_cast %[[START]] : index to i32
// CHECK:           %[[SIZE:.*]] = arith.subi %[[TO]], %[[FROM]] overflow<nsw> : index
// CHECK:           %[[STOP:.*]] = arith.addi %[[START]], %[[SIZE]] overflow<nsw> : index
// CHECK:           %[[HIGH:.*]] = arith.index_cast %[[STOP]] : index to i32
// CHECK:           scf.for %[[I:.*]] = %[[LOW]] to %[[HIGH]] step %c1_i32 : i32 {
// An iteration's place in the buffer; component 2 is two scalars behind it.
// CHECK:             %[[II:.*]] = arith.index_cast %[[I]] : i32 to index
// CHECK:             %[[NUMBER:.*]] = arith.subi %[[II]], %[[START]] overflow<nsw> : index
// CHECK:             %[[SCALAR:.*]] = arith.muli %[[NUMBER]], %c3 overflow<nsw> : index
// CHECK:             %[[AT:.*]] = arith.addi %[[SCALAR]], %c2 overflow<nsw> : index
// CHECK:             memref.store %{{.*}}, %[[BUFFER]][%[[AT]]]
// CHECK:             memref.store %{{.*}}, %[[BUFFER]][%[[SCALAR]]]
// CHECK-NOT:         memref.store %{{.*}}, %[[X]]
// The piece goes from the buffer's start to where its first iteration writes.
// CHECK:           %[[SCALARS:.*]] = arith.muli %[[START]], %c3 overflow<nsw> : index
// CHECK:           %[[SOURCE:.*]] = builtin.unrealized_conversion_cast %[[BUFFER]]
// CHECK:           %[[BYTES:.*]] = arith.muli %[[SIZE]], %c24 overflow<nsw> : index
// CHECK:           %[[OFFSET:.*]] = arith.index_cast %[[SCALARS]] : index to i64
// CHECK:           %[[THERE:.*]] = llvm.getelementptr inbounds|nuw %{{.*}}[%[[OFFSET]]] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK:           %[[LENGTH:.*]] = arith.index_cast %[[BYTES]] : index to i64
// CHECK:           llvm.call @chirt_stream(%[[THERE]], %[[SOURCE]], %[[LENGTH]], %c1_i32)
// CHECK:         llvm.call @chirt_stream_end()
// Fields that the caches hold are written as they would be without a buffer.
// CHECK:         } else {
// CHECK-NOT:       memref.store %{{.*}}, %[[BUFFER]]
// CHECK-COUNT-3:   memref.store %{{.*}}, %[[X]]
chi.task @vec3(%x: !D, %v: f64) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<noalias = true, buffers = [#chi<buffer streaming>], chunk = 512>} {
  chi.store %v, %x[%i : i32] component 2 inbounds {buffer = 0 : i64} : f64, !D
  chi.store %v, %x[%i : i32] component 0 inbounds {buffer = 0 : i64} : f64, !D
  chi.store %v, %x[%i : i32] component 1 inbounds {buffer = 0 : i64} : f64, !D
  chi.next
}

// A bool's buffer is bytes; the pieces of all fields have one length.
// CHECK-LABEL: func.func private @mixed.body(
// CHECK-DAG:     memref.alloca() {alignment = 64 : i64} : memref<1024xi8>
// CHECK-DAG:     memref.alloca() {alignment = 64 : i64} : memref<1024xf64>
// CHECK:         arith.extui %{{.*}} : i1 to i8
// CHECK:         memref.store %{{.*}} : memref<1024xi8>
// CHECK:         memref.store %{{.*}} : memref<1024xf64>
// CHECK-COUNT-2: llvm.call @chirt_stream(
chi.task @mixed(%b: !chi.field<1048576xi1>, %x: !chi.field<1048576xf64>, %v: f64, %c: i1) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<noalias = true, buffers = [#chi<buffer streaming>, #chi<buffer streaming>], chunk = 1024>} {
  chi.store %c, %b[%i : i32] inbounds {buffer = 0 : i64} : i1, !chi.field<1048576xi1>
  chi.store %v, %x[%i : i32] inbounds {buffer = 1 : i64} : f64, !chi.field<1048576xf64>
  chi.next
}

// Without a period all is computed.
// CHECK-LABEL: func.func private @long.body(
// CHECK:         memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:           llvm.call @chirt_stream(
!G = !chi.field<512x4096xf32>
chi.task @long(%x: !G, %t: !chi.field<100xf32>) over 0 (%i: i32, %j: i32)
    attributes {schedule = #chi.schedule<noalias = true, unit = rows, align = 1, buffers = [#chi<buffer streaming>], chunk = 1024>} {
  %n = arith.constant 100 : i32
  %r = chi.floormod %j, %n : i32
  %v = chi.load %t[%r : i32] inbounds : !chi.field<100xf32> -> f32
  chi.store %v, %x[%i, %j : i32, i32] inbounds {buffer = 0 : i64} : f32, !G
  chi.next
}

// A period of 4: 256 iterations are computed, with room for a line more.
// CHECK-LABEL: func.func private @short.body(
// CHECK:         memref.alloca() {alignment = 64 : i64} : memref<320xf32>
// How it is copied is the launch's matter: there is one form.
// CHECK:         %[[PAST:.*]] = llvm.call @chirt_streams(
// CHECK:         llvm.call @chirt_stream(%{{.*}}, %{{.*}}, %{{.*}}, %[[PAST]])
// CHECK-NOT:     llvm.call @chirt_stream(
// CHECK-LABEL: func.func private @short.chunk(
chi.task @short(%x: !G, %t: !chi.field<4xf32>) over 0 (%i: i32, %j: i32)
    attributes {schedule = #chi.schedule<noalias = true, unit = rows, align = 1, buffers = [#chi<buffer streaming>], chunk = 256, period = 4>} {
  %n = arith.constant 4 : i32
  %r = chi.floormod %j, %n : i32
  %v = chi.load %t[%r : i32] inbounds : !chi.field<4xf32> -> f32
  chi.store %v, %x[%i, %j : i32, i32] inbounds {buffer = 0 : i64} : f32, !G
  chi.next
}

// Sizes that the launch knows: the field's, what its iterations touch if that
// is less, and whether a row is long enough.
// CHECK-LABEL: func.func private @unknown.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %[[ROWS:[a-z0-9]+]]: index, %[[COLUMNS:[a-z0-9]+]]: index,
// CHECK-DAG:     %[[WIDE:.*]] = arith.muli %[[ROWS]], %c4 overflow<nsw> : index
// CHECK-DAG:     %[[FIELD:.*]] = arith.muli %[[WIDE]], %[[COLUMNS]] overflow<nsw> : index
// CHECK:         %[[LESS:.*]] = arith.minsi
// CHECK:         %[[ASKED:.*]] = llvm.call @chirt_streams(%[[LESS]])
// CHECK:         %[[LONG:.*]] = arith.cmpi sge, %{{.*}}, %c1024 : index
// CHECK:         arith.select %[[LONG]], %[[ASKED]], %c0_i32
// CHECK:         scf.if
// CHECK:           llvm.call @chirt_stream(
// CHECK:         } else {
// CHECK:           memref.store %{{.*}}, %[[X]]
!U = !chi.field<?x?xf32>
chi.task @unknown(%x: !U, %v: f32) over 0 (%i: i32, %j: i32)
    attributes {schedule = #chi.schedule<noalias = true, unit = rows, align = 1, buffers = [#chi<buffer streaming>], chunk = 1024>} {
  chi.store %v, %x[%i, %j : i32, i32] inbounds {buffer = 0 : i64} : f32, !U
  chi.next
}
