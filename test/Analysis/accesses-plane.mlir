// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-accesses --split-input-file --verify-diagnostics

// Two axes, 8 by 16, on a field with one: rows of 16 do not touch each other,
// rows of 8 do, and so do 15.
func.func @launches(%f: !chi.field<?xf32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  chi.launch @rows(%f : !chi.field<?xf32>) from (%c0, %c0 : i32, i32) to (%c8, %c16 : i32, i32)
  chi.launch @short(%f : !chi.field<?xf32>) from (%c0, %c0 : i32, i32) to (%c8, %c16 : i32, i32)
  chi.launch @columns(%f : !chi.field<?xf32>) from (%c0, %c0 : i32, i32) to (%c8, %c16 : i32, i32)
  return
}
chi.task @rows (%f: !chi.field<?xf32>) (%i: i32, %j: i32) attributes {axes = ["i", "j"]} {
  %c16 = arith.constant 16 : i32
  %c1 = arith.constant 1 : i32
  %row = arith.muli %i, %c16 : i32
  %at = arith.addi %row, %j : i32
  %next = arith.addi %at, %c1 : i32
  %a = chi.load %f[%at : i32] {as = "at"} : !chi.field<?xf32> -> f32 // expected-remark {{load c0['16 * i + j'].0, meets next row;}}
  %b = chi.load %f[%next : i32] {as = "next"} : !chi.field<?xf32> -> f32 // expected-remark {{load c0['16 * i + j + 1'].0, meets at row;}}
  // The same for all j.
  %c = chi.load %f[%row : i32] {as = "row"} : !chi.field<?xf32> -> f32 // expected-remark {{load c0['16 * i'].0, meets at next row;}}
  chi.next
}
chi.task @short (%f: !chi.field<?xf32>) (%i: i32, %j: i32) attributes {axes = ["i", "j"]} {
  %c15 = arith.constant 15 : i32
  %row = arith.muli %i, %c15 : i32
  %at = arith.addi %row, %j : i32
  %a = chi.load %f[%at : i32] {as = "at"} : !chi.field<?xf32> -> f32 // expected-remark {{load c0['15 * i + j'].0, meets at;}}
  chi.next
}
chi.task @columns (%f: !chi.field<?xf32>) (%i: i32, %j: i32) attributes {axes = ["i", "j"]} {
  // Column by column, 8 in each, and backwards.
  %c8 = arith.constant 8 : i32
  %m8 = arith.constant -8 : i32
  %column = arith.muli %j, %c8 : i32
  %at = arith.addi %column, %i : i32
  %back = arith.muli %j, %m8 : i32
  %other = arith.subi %back, %i : i32
  %c127 = arith.constant 127 : i32
  %turned = arith.addi %other, %c127 : i32
  %a = chi.load %f[%at : i32] {as = "at"} : !chi.field<?xf32> -> f32 // expected-remark {{load c0['i + 8 * j'].0, meets turned;}}
  %b = chi.load %f[%turned : i32] {as = "turned"} : !chi.field<?xf32> -> f32 // expected-remark {{load c0['-i - 8 * j + 127'].0, meets at;}}
  chi.next
}

// -----

// Two axes on two: straight, transposed, one of them lost, skewed.
func.func @launches(%f: !chi.field<64x64xf32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  chi.launch @straight(%f : !chi.field<64x64xf32>) from (%c0, %c0 : i32, i32) to (%c8, %c16 : i32, i32)
  chi.launch @lost(%f : !chi.field<64x64xf32>) from (%c0, %c0 : i32, i32) to (%c8, %c16 : i32, i32)
  chi.launch @skewed(%f : !chi.field<64x64xf32>) from (%c0, %c0 : i32, i32) to (%c8, %c16 : i32, i32)
  chi.launch @pairs(%f : !chi.field<64x64xf32>) from (%c0, %c0 : i32, i32) to (%c8, %c16 : i32, i32)
  return
}
chi.task @straight (%f: !chi.field<64x64xf32>) (%i: i32, %j: i32) attributes {axes = ["i", "j"]} {
  %c1 = arith.constant 1 : i32
  %next = arith.addi %j, %c1 : i32
  // (1, 2) and (2, 1) touch each other's elements.
  %a = chi.load %f[%i, %j : i32, i32] {as = "at"} : !chi.field<64x64xf32> -> f32 // expected-remark {{load c0['i', 'j'].0, meets transposed next;}}
  %b = chi.load %f[%j, %i : i32, i32] {as = "transposed"} : !chi.field<64x64xf32> -> f32 // expected-remark {{load c0['j', 'i'].0, meets at next;}}
  %c = chi.load %f[%i, %next : i32, i32] {as = "next"} : !chi.field<64x64xf32> -> f32 // expected-remark {{load c0['i', 'j + 1'].0, meets at transposed;}}
  chi.next
}
chi.task @lost (%f: !chi.field<64x64xf32>) (%i: i32, %j: i32) attributes {axes = ["i", "j"]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = chi.load %f[%i, %c0 : i32, i32] {as = "first"} : !chi.field<64x64xf32> -> f32 // expected-remark {{load c0['i', '0'].0, meets first diagonal;}}
  // Another column: never.
  %b = chi.load %f[%i, %c1 : i32, i32] {as = "second"} : !chi.field<64x64xf32> -> f32 // expected-remark {{load c0['i', '1'].0, meets second diagonal;}}
  // All j on one element; column 1 of row 1 is the second one's, too.
  %c = chi.load %f[%i, %i : i32, i32] {as = "diagonal"} : !chi.field<64x64xf32> -> f32 // expected-remark {{load c0['i', 'i'].0, meets first second diagonal;}}
  chi.next
}
chi.task @skewed (%f: !chi.field<64x64xf32>) (%i: i32, %j: i32) attributes {axes = ["i", "j"]} {
  // The second index determines j, so that the first one determines i, either way.
  %sum = arith.addi %i, %j : i32
  %less = arith.subi %i, %j : i32
  %a = chi.load %f[%sum, %j : i32, i32] {as = "a"} : !chi.field<64x64xf32> -> f32 // expected-remark {{load c0['i + j', 'j'].0, meets b c;}}
  %b = chi.load %f[%i, %sum : i32, i32] {as = "b"} : !chi.field<64x64xf32> -> f32 // expected-remark {{load c0['i', 'i + j'].0, meets a c;}}
  // i + j and i - j are enough to tell both, but not one after the other.
  %c = chi.load %f[%sum, %less : i32, i32] {as = "c"} : !chi.field<64x64xf32> -> f32 // expected-remark {{load c0['i + j', 'i - j'].0, meets a b c;}}
  chi.next
}
chi.task @pairs (%f: !chi.field<64x64xf32>) (%i: i32, %j: i32) attributes {axes = ["i", "j"]} {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %even = arith.muli %j, %c2 : i32
  %odd = arith.addi %even, %c1 : i32
  %a = chi.load %f[%i, %even : i32, i32] : !chi.field<64x64xf32> -> f32 // expected-remark {{load c0['i', '2 * j'].0, apart;}}
  %b = chi.load %f[%i, %odd : i32, i32] : !chi.field<64x64xf32> -> f32 // expected-remark {{load c0['i', '2 * j + 1'].0, apart;}}
  chi.next
}

// -----

// Symbols of one iteration only: as far as they reach. Blocks of 4 with a loop
// to 4 are apart, with one to 5 they are not.
func.func @launches(%f: !chi.field<?xf32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @blocks(%f : !chi.field<?xf32>) from (%c0 : i32) to (%c8 : i32)
  chi.launch @wide(%f : !chi.field<?xf32>) from (%c0 : i32) to (%c8 : i32)
  chi.launch @guarded(%f : !chi.field<?xf32>) from (%c0 : i32) to (%c8 : i32)
  return
}
chi.task @blocks (%f: !chi.field<?xf32>) (%i: i32) attributes {axes = ["i"]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %start = arith.muli %i, %c4 : i32
  scf.for %k = %c0 to %c4 step %c1 : i32 {
    %at = arith.addi %start, %k : i32
    %a = chi.load %f[%at : i32] : !chi.field<?xf32> -> f32 // expected-remark {{load c0['arg0 + 4 * i'].0, apart;}}
  }
  chi.next
}
chi.task @wide (%f: !chi.field<?xf32>) (%i: i32) attributes {axes = ["i"]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  %start = arith.muli %i, %c4 : i32
  scf.for %k = %c0 to %c5 step %c1 : i32 {
    %at = arith.addi %start, %k : i32
    %a = chi.load %f[%at : i32] : !chi.field<?xf32> -> f32 // expected-remark {{load c0['arg0 + 4 * i'].0, meets #0;}}
  }
  chi.next
}
chi.task @guarded (%f: !chi.field<?xf32>) (%i: i32) attributes {axes = ["i"]} {
  // The guard around the access counts.
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c9 = arith.constant 9 : i32
  %start = arith.muli %i, %c4 : i32
  scf.for %k = %c0 to %c9 step %c1 : i32 {
    %at = arith.addi %start, %k : i32
    %in = arith.cmpi slt, %k, %c4 : i32
    scf.if %in {
      %a = chi.load %f[%at : i32] : !chi.field<?xf32> -> f32 // expected-remark {{load c0['arg0 + 4 * i'].0, apart;}}
    }
  }
  chi.next
}
