// RUN: chi-opt %s --split-input-file --verify-diagnostics

func.func @widths(%x: !chi.field<?x?xf32>, %i: vector<8xi32>, %j: vector<16xi32>) {
  // expected-error @below {{mixes 8 lanes with 16}}
  %y = chi.load %x[%i, %j : vector<8xi32>, vector<16xi32>] : !chi.field<?x?xf32> -> vector<8xf32>
  return
}

// -----

func.func @scalarResult(%x: !chi.field<?xf32>, %i: vector<8xi32>) {
  // expected-error @below {{has 8 lanes, but its value has 0}}
  %y = chi.load %x[%i : vector<8xi32>] : !chi.field<?xf32> -> f32
  return
}

// -----

func.func @vectorResult(%x: !chi.field<?xf32>, %i: i32) {
  // expected-error @below {{has 0 lanes, but its value has 8}}
  %y = chi.load %x[%i : i32] : !chi.field<?xf32> -> vector<8xf32>
  return
}

// -----

func.func @maskedScalar(%x: !chi.field<?xf32>, %i: i32, %v: f32, %m: vector<8xi1>) {
  // expected-error @below {{has 8 lanes, but its value has 0}}
  chi.store %v, %x[%i : i32] mask(%m : vector<8xi1>) : f32, !chi.field<?xf32>
  return
}

// -----

func.func @element(%x: !chi.field<?xf32>, %i: vector<8xi32>) {
  // expected-error @below {{stores 'vector<8xi32>', but the field holds 'f32'}}
  chi.store %i, %x[%i : vector<8xi32>] : vector<8xi32>, !chi.field<?xf32>
  return
}

// -----

func.func @check(%ok: i1, %m: vector<8xi1>) {
  // expected-error @below {{has a condition of 0 lanes, but other lanes in its values or mask}}
  chi.check assert %ok mask(%m : vector<8xi1>) {what = "x"}
  return
}

// -----

func.func @rowAtLanes(%x: !chi.field<?xf32>, %i: vector<8xi32>) {
  // expected-error @below {{is contiguous, but has indices with lanes}}
  %y = chi.load %x[%i : vector<8xi32>] {contiguous} : !chi.field<?xf32> -> vector<8xf32>
  return
}

// -----

func.func @rowOfOne(%x: !chi.field<?xf32>, %i: i32) {
  // expected-error @below {{is contiguous, but has 0 lanes}}
  %y = chi.load %x[%i : i32] {contiguous} : !chi.field<?xf32> -> f32
  return
}

// -----

func.func @atomicRow(%x: !chi.field<?xi32>, %i: i32) {
  // expected-error @below {{is contiguous, but not a load, store or accumulation}}
  %s = chi.atomic add %i, %x[%i : i32] {contiguous} : i32, !chi.field<?xi32> -> i32
  return
}
