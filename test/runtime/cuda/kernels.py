#!/usr/bin/env python3
"""Kernels for the processor, as the double of the driver runs them.

    kernels.py SOURCE.ll OUTPUT.so

compiles the LLVM IR that a unit's PTX is made of for this machine: registers of
the grid become variables of the library, an entry point E gets a function E$call
that takes the addresses of its parameters, as cuLaunchKernel does.
"""
import os
import re
import subprocess
import sys

REGISTERS = {"tid": 0, "ntid": 1, "ctaid": 2, "nctaid": 3}
SUPPORT = """
@double_registers = global [4 x i32] zeroinitializer
@double_meet = global ptr null
define internal i32 @double_register(i32 %k) alwaysinline {
  %at = getelementptr i32, ptr @double_registers, i32 %k
  %value = load i32, ptr %at
  ret i32 %value
}
define internal void @double_barrier() {
  %meet = load ptr, ptr @double_meet
  call void %meet()
  ret void
}
"""

# A piece of assembly of NVIDIA's functions, by its result and a word of it.
PIECES = [("float", "rcp.approx", "rcp.f32"), ("float", "sub.rn", "sub.f32"),
          ("double", "sub.rn", "sub.f64"), ("double", "rsqrt.approx", "rsqrt.f64"),
          ("double", "setp.equ", "equal.f64"), ("{ i32, i32 }", "mad.lo.cc", "mad.i32"),
          ("{ i64, i64 }", "add.cc", "add.i64"), ("{ i64, i64 }", "sub.cc", "sub.i64"),
          ("{ i64, i64 }", "mul.lo", "mul.i64"), ("{ i64, i64 }", "mad.lo.cc", "mad.i64")]


# Intrinsics that LLVM has for every target, too.
SAME = {"fma.rn.f": "fma.f32", "fma.rn.d": "fma.f64", "sqrt.rn.f": "sqrt.f32",
        "sqrt.approx.f": "sqrt.f32", "ex2.approx.f32": "exp2.f32", "lg2.approx.f": "log2.f32",
        "fabs.f32": "fabs.f32", "fabs.f64": "fabs.f64", "trunc.f": "trunc.f32",
        "trunc.d": "trunc.f64", "floor.f": "floor.f32", "round.f": "roundeven.f32",
        "fmin.d": "minnum.f64"}


def piece(call):
    """A call of the function that does what a piece of assembly does."""
    result, text = call[1], call[2]
    names = [name for kind, word, name in PIECES if kind == result and word in text]
    if not names:
        sys.exit(f"assembly without a form for the processor: {text}")
    return f"call {result} @asm.{names[0]}("


def intrinsic(name):
    """The function that does what one of NVIDIA's intrinsics does."""
    return "@llvm." + SAME[name] if name in SAME else "@nvvm." + name


def native_form(ir):
    """With NVIDIA's elementary functions, of which libdevice.ll has the parts."""
    if "@__nv_" not in ir:
        return ir
    ir = re.sub(r'call (float|double|\{ i\d\d, i\d\d \}) asm "([^"]*)", "[^"]*"\(', piece, ir)
    ir = re.sub(r"^declare .*@(llvm\.nvvm|__nvvm).*\n", "", ir, flags=re.M)
    ir = re.sub(r"@llvm\.nvvm\.([\w.]+)", lambda m: intrinsic(m[1].replace(".ftz", "")), ir)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "libdevice.ll"),
              encoding="utf-8") as file:
        return ir + file.read()


def host_form(ir):
    """LLVM IR of a device as that of the processor."""
    ir = re.sub(r"^target .*\n", "", ir, flags=re.M)
    ir = re.sub(r"call i32 @llvm\.nvvm\.read\.ptx\.sreg\.(\w+)\.x\(\)",
                lambda m: f"call i32 @double_register(i32 {REGISTERS[m[1]]})", ir)
    ir = re.sub(r"^declare .*@llvm\.nvvm\.read.*\n", "", ir, flags=re.M)
    ir = re.sub(r"call void @llvm\.nvvm\.barrier\.cta\.sync\.aligned\.all\(i32 0\)",
                "call void @double_barrier()", ir)
    ir = re.sub(r"^declare .*@llvm\.nvvm\.barrier.*\n", "", ir, flags=re.M)
    ir = native_form(ir)
    ir = ir.replace("ptx_kernel ", "").replace('"nvvm.maxntid"="256,1,1"',
                                             '"reciprocal-estimates"="none"')
    return ir + SUPPORT


def caller(name, types):
    """E$call of an entry point E."""
    lines = [f'define void @"{name}$call"(ptr %all) {{']
    for k, kind in enumerate(types):
        lines += [f"  %p{k} = getelementptr ptr, ptr %all, i64 {k}",
                  f"  %q{k} = load ptr, ptr %p{k}",
                  f"  %a{k} = load {kind}, ptr %q{k}"]
    arguments = ", ".join(f"{kind} %a{k}" for k, kind in enumerate(types))
    return "\n".join(lines + [f'  call void @"{name}"({arguments})', "  ret void", "}", ""])


def with_callers(ir):
    entries = re.findall(r'^define (?:dso_local )?ptx_kernel void @"?([\w$.]+)"?\((.*?)\) [^(]*\{$',
                         ir, re.M)
    callers = [caller(name, re.findall(r"(?:^|, )(\w+)", re.sub(r"\([^)]*\)", "", parameters)))
               for name, parameters in entries]
    return host_form(ir) + "\n".join(callers)


def main():
    source, output = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        ir = file.read()
    with open(source, "w", encoding="utf-8") as file:
        file.write(with_callers(ir))
    # LLVM 22 makes a NaN of `maximumnum(NaN, float(i))` with AVX512DQ: note
    # [Minimum beside NaN] in Target/CPU/Workarounds/ExpandMinMax.cpp.
    done = subprocess.run(["clang", "-O1", "-w", "-march=native", "-mno-avx512dq",
                           "-ffp-contract=on", "-shared", "-fPIC", source, "-lm",
                           "-o", output + ".new"], check=False)
    if done.returncode:
        sys.exit(1)
    os.rename(output + ".new", output)


if __name__ == "__main__":
    main()
