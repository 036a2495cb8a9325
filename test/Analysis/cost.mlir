// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-cost --split-input-file --verify-diagnostics

// In sixteenths of a nanosecond, at least one. Constants, extents and casts of
// indices cost nothing.
chi.task @nothing (%f: !chi.field<?xf32>) (%i: i32) { // expected-remark {{cost 1;}}
  chi.next
}
chi.task @free (%f: !chi.field<?xf32>) (%i: i32) { // expected-remark {{cost 1;}}
  %c1 = arith.constant 1 : i32
  %d = chi.dim %f, 0 : !chi.field<?xf32> -> i32
  %wide = arith.extsi %i : i32 to i64
  %index = arith.index_cast %i : i32 to index
  chi.next
}
chi.task @simple (%a: f32, %n: i32) (%i: i32) { // expected-remark {{cost 6;}}
  %b = arith.addf %a, %a : f32
  %c = arith.muli %i, %n : i32
  %d = math.absf %b : f32
  chi.next
}
chi.task @access (%f: !chi.field<?xf32>) (%i: i32) { // expected-remark {{cost 8;}}
  %a = chi.load %f[%i : i32] : !chi.field<?xf32> -> f32
  chi.store %a, %f[%i : i32] : f32, !chi.field<?xf32>
  chi.next
}
// Quotients and roots take longer, by a constant not much; sines longest.
chi.task @quotient (%a: f32) (%i: i32) { // expected-remark {{cost 16;}}
  %b = arith.divf %a, %a : f32
  chi.next
}
chi.task @constantQuotient (%a: f32) (%i: i32) { // expected-remark {{cost 8;}}
  %c3 = arith.constant 3 : i32
  %three = arith.constant 3.0 : f32
  %b = arith.divf %a, %three : f32
  %c = chi.floormod %i, %c3 : i32
  chi.next
}
chi.task @root (%a: f32) (%i: i32) { // expected-remark {{cost 32;}}
  %b = math.sqrt %a : f32
  %c = chi.root %a : f32
  chi.next
}
chi.task @sine (%a: f32) (%i: i32) { // expected-remark {{cost 96;}}
  %b = math.sin %a : f32
  %c = chi.hypot %a, %a : f32
  chi.next
}
// Updates: an atomic one waits for others.
chi.task @plain (%a: f32, %f: !chi.field<?xf32>) (%i: i32) { // expected-remark {{cost 16;}}
  chi.accum add %a, %f[%i : i32] strategy(plain) : f32, !chi.field<?xf32>
  chi.accum add %a, %f[%i : i32] strategy(privatized) : f32, !chi.field<?xf32>
  chi.next
}
chi.task @atomic (%a: i32, %f: !chi.field<?xi32>) (%i: i32) { // expected-remark {{cost 160;}}
  chi.accum add %a, %f[%i : i32] strategy(atomic) : i32, !chi.field<?xi32>
  %b = chi.atomic max %a, %f[%i : i32] : i32, !chi.field<?xi32> -> i32
  chi.next
}
chi.task @draw () (%i: i32) { // expected-remark {{cost 160;}}
  %r = chi.random
  chi.next
}
chi.task @print (%a: f32) (%i: i32) { // expected-remark {{cost 16000;}}
  chi.print [{shape = array<i64>, spec = "", type = "f32"}] (%a : f32)
  chi.next
}

// -----

// Loops: as often as they turn, with an addition and the turn itself each.
chi.task @hundred (%a: i32) (%i: i32) { // expected-remark {{cost 402;}}
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c100 = arith.constant 100 : i32
  scf.for %k = %c0 to %c100 step %c1 : i32 {
    %b = arith.addi %a, %k : i32
  }
  chi.next
}
// 0, 3, 6, 9.
chi.task @steps (%a: i32) (%i: i32) { // expected-remark {{cost 18;}}
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c10 = arith.constant 10 : i32
  scf.for %k = %c0 to %c10 step %c3 : i32 {
    %b = arith.addi %a, %k : i32
  }
  chi.next
}
// Never, of the same ends and of ends the wrong way round.
chi.task @never (%a: i32) (%i: i32) { // expected-remark {{cost 4;}}
  %c1 = arith.constant 1 : i32
  %c10 = arith.constant 10 : i32
  scf.for %k = %c1 to %c1 step %c1 : i32 {
    %b = arith.addi %a, %k : i32
  }
  scf.for %k = %c10 to %c1 step %c1 : i32 {
    %b = arith.addi %a, %k : i32
  }
  chi.next
}
// From n to n + 5: five times, whatever n is.
chi.task @five (%n: i32) (%i: i32) { // expected-remark {{cost 24;}}
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %to = arith.addi %n, %c5 overflow<nsw> : i32
  scf.for %k = %n to %to step %c1 : i32 {
    %b = arith.addi %n, %k : i32
  }
  chi.next
}
// Of an unknown length: eight times.
chi.task @unknown (%n: i32) (%i: i32) { // expected-remark {{cost 34;}}
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    %b = arith.addi %n, %k : i32
  }
  chi.next
}
chi.task @nested (%a: i32) (%i: i32) { // expected-remark {{cost 442;}}
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c10 = arith.constant 10 : i32
  scf.for %k = %c0 to %c10 step %c1 : i32 {
    scf.for %l = %c0 to %c10 step %c1 : i32 {
      %b = arith.addi %a, %l : i32
    }
  }
  chi.next
}
// Longer than any program runs, and no number that wraps.
chi.task @endless (%a: i32) (%i: i32) { // expected-remark {{cost 281474976710656;}}
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %top = arith.constant 2147483647 : i32
  scf.for %j = %c0 to %top step %c1 : i32 {
    scf.for %k = %c0 to %top step %c1 : i32 {
      scf.for %l = %c0 to %top step %c1 : i32 {
        %b = arith.addi %a, %l : i32
      }
    }
  }
  chi.next
}
chi.task @while (%n: i32) (%i: i32) { // expected-remark {{cost 32;}}
  %c1 = arith.constant 1 : i32
  %a = scf.while (%b = %i) : (i32) -> i32 {
    %more = arith.cmpi slt, %b, %n : i32
    scf.condition(%more) %b : i32
  } do {
  ^bb0(%b: i32):
    %next = arith.addi %b, %c1 : i32
    scf.yield %next : i32
  }
  chi.next
}
// The dearer side of a branch.
chi.task @branch (%a: f32, %t: i1) (%i: i32) { // expected-remark {{cost 18;}}
  %b = scf.if %t -> (f32) {
    %c = arith.divf %a, %a : f32
    scf.yield %c : f32
  } else {
    %c = arith.addf %a, %a : f32
    scf.yield %c : f32
  }
  chi.next
}

// -----

// A triangle: on average to the middle, of 0 … 99 that is 49 times.
func.func @launches() attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c100 = arith.constant 100 : i32
  chi.launch @triangle() from (%c0 : i32) to (%c100 : i32)
  return
}
chi.task @triangle () (%i: i32) { // expected-remark {{cost 198;}}
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %i step %c1 : i32 {
    %b = arith.addi %i, %k : i32
  }
  chi.next
}
