// RUN: not chi-opt %s --chi-verify-stage=stage=grad 2>&1 | FileCheck %s
// RUN: not chi-opt %s --chi-verify-stage=stage=optimised 2>&1 | FileCheck %s
// RUN: chi-opt %s --chi-verify-stage=after=chi-speculate-loads
// CHECK-NOT: a.chi:{{[1-4]}}
// CHECK:     a.chi:5:5: error: 'arith.select' op computes a side that may not be taken after `chi-structure`
// CHECK-NOT: error

// A select computes both sides: none of them may be evaluated before stage
// `optimised`. Expressions before the select, or that its condition uses, too,
// are the program's own.
chi.task @chooses(%x: !chi.field<8xf32>, %cell: !chi.field<f32>, %a: f32, %b: f32) over 0 (%i: i32) attributes {cost = 1 : i64, effects = #chi.effects<reads = [1], writes = [0]>} {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %q = arith.divf %a, %b : f32 loc("a.chi":1:5 to :10)
  %c = arith.cmpf ogt, %q, %zero : f32 loc("a.chi":2:20 to :30)
  %own = arith.select %c, %q, %zero : f32 loc("choice"("a.chi":2:5 to :40))
  %asked = arith.divf %b, %a : f32 loc("a.chi":3:20 to :25)
  %d = arith.cmpf ogt, %asked, %zero : f32 loc("a.chi":3:20 to :30)
  %both = arith.select %d, %asked, %own : f32 loc("choice"("a.chi":3:5 to :40))
  %v = chi.load %cell[] inbounds : !chi.field<f32> -> f32 loc("a.chi":4:20 to :22)
  %sum = arith.addf %both, %v : f32 loc("a.chi":4:5 to :10)
  %twice = arith.mulf %sum, %two : f32 loc("a.chi":4:5 to :14)
  %bounded = arith.select %d, %twice, %zero : f32 loc("choice"("a.chi":4:5 to :40))
  %side = arith.divf %bounded, %b : f32 loc("a.chi":5:5 to :10)
  %more = arith.addf %side, %a : f32 loc("a.chi":5:5 to :14)
  %r = arith.select %d, %more, %zero : f32 loc("choice"("a.chi":5:5 to :40))
  // No derivative goes through an integer.
  %rest = arith.remf %a, %b : f32 loc("a.chi":4:5 to :10)
  %whole = arith.fptosi %rest : f32 to i32 loc("a.chi":4:5 to :14)
  %again = arith.sitofp %whole : i32 to f32 loc("a.chi":4:5 to :18)
  %byWhole = arith.select %d, %again, %zero : f32 loc("choice"("a.chi":4:5 to :40))
  // A choice of another kind: a component found at run time, say.
  %other = arith.select %d, %byWhole, %r : f32 loc("a.chi":5:5 to :40)
  chi.store %other, %x[%i : i32] inbounds : f32, !chi.field<8xf32>
  chi.next
}
