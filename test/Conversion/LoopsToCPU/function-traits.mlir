// RUN: chi-opt %s --convert-loops-to-cpu | FileCheck %s

// What LLVM shall know of a function: nothing unwinds; a body is not inlined,
// for then what its arguments say of overlaps were lost; what runs seldom is
// small. Functions of this module alone are internal, all others hidden; what
// only the passes of this room know of is gone.

// CHECK-LABEL: llvm.func internal @k.t0.body(
// CHECK-SAME:    !llvm.ptr {llvm.noalias}
// CHECK-SAME:    attributes {{{.*}}passthrough = ["nounwind", "noinline"]
func.func private @k.t0.body(%x: memref<?xf32> {llvm.noalias}) attributes {chi.body, chi.kernel = "k", chi.axes = "i"} {
  return
}
// CHECK-LABEL: llvm.func internal @k.t0.may_alias(
// CHECK-SAME:    passthrough = ["nounwind", "noinline", "cold", "minsize", "optsize"]
func.func private @k.t0.may_alias(%x: memref<?xf32>) attributes {chi.body, chi.cold, chi.kernel = "k", chi.axes = "i"} {
  return
}
// CHECK-LABEL: llvm.func internal @k.t0.chunk(
// CHECK-SAME:    attributes {{{.*}}passthrough = ["nounwind"]
func.func private @k.t0.chunk(%x: !llvm.ptr) {
  return
}
// CHECK-LABEL: llvm.func internal @rare(
// CHECK-SAME:    passthrough = ["nounwind", "cold", "noinline", "optnone"]
func.func private @rare(%x: !llvm.ptr) attributes {chi.cold} {
  return
}
// A host function that other modules call, and one that they define.
// CHECK-LABEL: llvm.func hidden @chi.script(
// CHECK-SAME:    attributes {{{.*}}passthrough = ["nounwind"]
func.func @chi.script() attributes {chi.host} {
  call @control() : () -> ()
  return
}
// CHECK:       llvm.func hidden @control()
// CHECK-SAME:    passthrough = ["nounwind"]
func.func private @control() attributes {chi.control}
// CHECK-NOT:   chi.

// A function of the run time keeps what it was declared with.
// CHECK:       llvm.func @chirt_raise(!llvm.ptr, !llvm.ptr) attributes {passthrough = ["nounwind", "cold", "noreturn"]}
llvm.func @chirt_raise(!llvm.ptr, !llvm.ptr) attributes {passthrough = ["nounwind", "cold", "noreturn"]}
// CHECK-NOT:   chi.
