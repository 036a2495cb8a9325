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


def host_form(ir):
    """LLVM IR of a device as that of the processor."""
    ir = re.sub(r"^target .*\n", "", ir, flags=re.M)
    ir = re.sub(r"call i32 @llvm\.nvvm\.read\.ptx\.sreg\.(\w+)\.x\(\)",
                lambda m: f"call i32 @double_register(i32 {REGISTERS[m[1]]})", ir)
    ir = re.sub(r"^declare .*@llvm\.nvvm\.read.*\n", "", ir, flags=re.M)
    ir = re.sub(r"call void @llvm\.nvvm\.barrier\.cta\.sync\.aligned\.all\(i32 0\)",
                "call void @double_barrier()", ir)
    ir = re.sub(r"^declare .*@llvm\.nvvm\.barrier.*\n", "", ir, flags=re.M)
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
    done = subprocess.run(["clang", "-O1", "-w", "-march=native", "-ffp-contract=on", "-shared",
                           "-fPIC", source, "-lm", "-o", output + ".new"], check=False)
    if done.returncode:
        sys.exit(1)
    os.rename(output + ".new", output)


if __name__ == "__main__":
    main()
