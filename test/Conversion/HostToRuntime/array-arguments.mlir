// RUN: chi-opt %s --convert-host-to-runtime | FileCheck %s
// An array that a function is handed is its memory.

// CHECK-LABEL: func.func @first(
// CHECK-SAME:    %[[A:.*]]: memref<25xf64>, %[[OUT:.*]]: memref<3xi8>)
// CHECK:         %[[V:.*]] = memref.load %[[A]][%{{.*}}] : memref<25xf64>
// CHECK:         memref.store %{{.*}}, %[[OUT]][%{{.*}}] : memref<3xi8>
// CHECK:         return %[[V]] : f64
func.func @first(%a: !chi.local<25xf64>, %out: !chi.local<3xi1>) -> f64 attributes {chi.host} {
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %v = chi.get %a[%c2 : i32] : !chi.local<25xf64> -> f64
  chi.set %true, %out[%c2 : i32] : i1, !chi.local<3xi1>
  return %v : f64
}
// CHECK-LABEL: func.func @calls(
// CHECK-DAG:     %[[M:.*]] = memref.alloca() {{.*}}: memref<25xf64>
// CHECK-DAG:     %[[B:.*]] = memref.alloca() {{.*}}: memref<3xi8>
// CHECK:         call @first(%[[M]], %[[B]]) : (memref<25xf64>, memref<3xi8>) -> f64
func.func @calls() -> f64 attributes {chi.host} {
  %m = chi.local "m" : !chi.local<25xf64>
  %b = chi.local "b" : !chi.local<3xi1>
  %v = func.call @first(%m, %b) : (!chi.local<25xf64>, !chi.local<3xi1>) -> f64
  return %v : f64
}
