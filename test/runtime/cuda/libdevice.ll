; What NVIDIA's elementary functions are made of, for the processor: the double
; of the driver runs them. Approximations of the hardware are exact here, and
; small numbers are kept where it flushes them.

; Which hardware this is: the oldest, without options.
define internal i32 @__nvvm_reflect(ptr %what) alwaysinline {
  ret i32 0
}

; Downwards: the nearest, or the one below it.
define internal float @nvvm.fma.rm.f(float %a, float %b, float %c) {
  %x = fpext float %a to double
  %y = fpext float %b to double
  %z = fpext float %c to double
  %wide = call double @llvm.fma.f64(double %x, double %y, double %z)
  %near = fptrunc double %wide to float
  %back = fpext float %near to double
  %above = fcmp ogt double %back, %wide
  %bits = bitcast float %near to i32
  %less = sub i32 %bits, 1
  %more = add i32 %bits, 1
  %positive = icmp sgt i32 %bits, 0
  %below = select i1 %positive, i32 %less, i32 %more
  %result = select i1 %above, i32 %below, i32 %bits
  %r = bitcast i32 %result to float
  ret float %r
}
; Towards zero: of two floats a sum in f64, of which the last bits go.
define internal float @nvvm.add.rz.f(float %a, float %b) {
  %x = fpext float %a to double
  %y = fpext float %b to double
  %sum = fadd double %x, %y
  %bits = bitcast double %sum to i64
  %kept = and i64 %bits, -536870912
  %cut = bitcast i64 %kept to double
  %r = fptrunc double %cut to float
  ret float %r
}
define internal float @nvvm.add.rn.f(float %a, float %b) alwaysinline {
  %r = fadd float %a, %b
  ret float %r
}
define internal double @nvvm.add.rn.d(double %a, double %b) alwaysinline {
  %r = fadd double %a, %b
  ret double %r
}
define internal float @nvvm.mul.rn.f(float %a, float %b) alwaysinline {
  %r = fmul float %a, %b
  ret float %r
}
define internal double @nvvm.mul.rn.d(double %a, double %b) alwaysinline {
  %r = fmul double %a, %b
  ret double %r
}
define internal float @nvvm.div.rn.f(float %a, float %b) alwaysinline {
  %r = fdiv float %a, %b
  ret float %r
}
define internal float @nvvm.div.approx.f(float %a, float %b) alwaysinline {
  %r = fdiv float %a, %b
  ret float %r
}
define internal double @nvvm.rcp.approx.d(double %a) alwaysinline {
  %r = fdiv double 1.0, %a
  ret double %r
}
define internal float @nvvm.rsqrt.approx.f(float %a) alwaysinline {
  %root = call float @llvm.sqrt.f32(float %a)
  %r = fdiv float 1.0, %root
  ret float %r
}
define internal float @nvvm.saturate.f(float %a) alwaysinline {
  %m = call float @llvm.maxnum.f32(float %a, float 0.0)
  %r = call float @llvm.minnum.f32(float %m, float 1.0)
  ret float %r
}
define internal i32 @nvvm.f2i.rn(float %a) alwaysinline {
  %w = call float @llvm.roundeven.f32(float %a)
  %r = call i32 @llvm.fptosi.sat.i32.f32(float %w)
  ret i32 %r
}
define internal i32 @nvvm.d2i.rn(double %a) alwaysinline {
  %w = call double @llvm.roundeven.f64(double %a)
  %r = call i32 @llvm.fptosi.sat.i32.f64(double %w)
  ret i32 %r
}
define internal i32 @nvvm.d2i.hi(double %a) alwaysinline {
  %b = bitcast double %a to i64
  %h = lshr i64 %b, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}
define internal i32 @nvvm.d2i.lo(double %a) alwaysinline {
  %b = bitcast double %a to i64
  %r = trunc i64 %b to i32
  ret i32 %r
}
define internal double @nvvm.lohi.i2d(i32 %lo, i32 %hi) alwaysinline {
  %l = zext i32 %lo to i64
  %h = zext i32 %hi to i64
  %s = shl i64 %h, 32
  %b = or i64 %s, %l
  %r = bitcast i64 %b to double
  ret double %r
}

; Pieces of assembly, by what each begins with or is for.
define internal float @asm.rcp.f32(float %a) alwaysinline {
  %r = fdiv float 1.0, %a
  ret float %r
}
define internal float @asm.sub.f32(float %a, float %b) alwaysinline {
  %r = fsub float %a, %b
  ret float %r
}
define internal double @asm.sub.f64(double %a, double %b) alwaysinline {
  %r = fsub double %a, %b
  ret double %r
}
define internal double @asm.rsqrt.f64(double %a) alwaysinline {
  %root = call double @llvm.sqrt.f64(double %a)
  %r = fdiv double 1.0, %root
  ret double %r
}
define internal double @asm.equal.f64(double %a, double %b, double %c, double %d) alwaysinline {
  %same = fcmp ueq double %a, %b
  %r = select i1 %same, double %c, double %d
  ret double %r
}
; Low and high word of a b + c, a b, a + b and a - b.
define internal {i32, i32} @asm.mad.i32(i32 %a, i32 %b, i32 %c) alwaysinline {
  %x = zext i32 %a to i64
  %y = zext i32 %b to i64
  %z = zext i32 %c to i64
  %p = mul i64 %x, %y
  %s = add i64 %p, %z
  %lo = trunc i64 %s to i32
  %shifted = lshr i64 %s, 32
  %hi = trunc i64 %shifted to i32
  %first = insertvalue {i32, i32} poison, i32 %lo, 0
  %r = insertvalue {i32, i32} %first, i32 %hi, 1
  ret {i32, i32} %r
}
define internal {i64, i64} @asm.halves(i128 %s) alwaysinline {
  %lo = trunc i128 %s to i64
  %shifted = lshr i128 %s, 64
  %hi = trunc i128 %shifted to i64
  %first = insertvalue {i64, i64} poison, i64 %lo, 0
  %r = insertvalue {i64, i64} %first, i64 %hi, 1
  ret {i64, i64} %r
}
define internal {i64, i64} @asm.mad.i64(i64 %a, i64 %b, i64 %c) alwaysinline {
  %x = zext i64 %a to i128
  %y = zext i64 %b to i128
  %z = zext i64 %c to i128
  %p = mul i128 %x, %y
  %s = add i128 %p, %z
  %r = call {i64, i64} @asm.halves(i128 %s)
  ret {i64, i64} %r
}
define internal {i64, i64} @asm.mul.i64(i64 %a, i64 %b) alwaysinline {
  %r = call {i64, i64} @asm.mad.i64(i64 %a, i64 %b, i64 0)
  ret {i64, i64} %r
}
define internal i128 @asm.whole(i64 %lo, i64 %hi) alwaysinline {
  %l = zext i64 %lo to i128
  %h = zext i64 %hi to i128
  %s = shl i128 %h, 64
  %r = or i128 %s, %l
  ret i128 %r
}
define internal {i64, i64} @asm.sub.i64(i64 %a, i64 %b, i64 %c, i64 %d) alwaysinline {
  %x = call i128 @asm.whole(i64 %a, i64 %b)
  %y = call i128 @asm.whole(i64 %c, i64 %d)
  %s = sub i128 %x, %y
  %r = call {i64, i64} @asm.halves(i128 %s)
  ret {i64, i64} %r
}
define internal {i64, i64} @asm.add.i64(i64 %a, i64 %b, i64 %c, i64 %d) alwaysinline {
  %x = call i128 @asm.whole(i64 %a, i64 %b)
  %y = call i128 @asm.whole(i64 %c, i64 %d)
  %s = add i128 %x, %y
  %r = call {i64, i64} @asm.halves(i128 %s)
  ret {i64, i64} %r
}
