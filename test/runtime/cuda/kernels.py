"""A program's kernels for the processor, as the double of the driver runs them.

    kernels.py CHIC PROGRAM OUTPUT.so [OPTION...]

brings each kernel of the program to stage `nvvm`, which is the LLVM IR that its
PTX is made of, and compiles it for this machine: registers of the grid become
variables of the library, an entry point E gets a function E$call that takes the
addresses of its parameters, as cuLaunchKernel does.
"""
import os
import re
import subprocess
import sys
import tempfile

REGISTERS = {"tid": 0, "ntid": 1, "ctaid": 2, "nctaid": 3}
SUPPORT = """
int double_registers[4];
int double_register(int number) { return double_registers[number]; }
void (*double_meet)(void);
void double_barrier(void) { double_meet(); }
"""


def run(*command, **options):
    done = subprocess.run(command, check=False, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{command[0]}: {done.stderr}")
    return done.stdout


def inner_module(text):
    """The kernels and what they name, without the tables of the host beside them."""
    begin = text.index("  module @kernels {")
    end = text.index("\n  }\n", begin)
    return "\n".join(re.findall(r"^#.*", text, re.M)) + "\n" + text[begin:end + 4]


def host_form(ir):
    """LLVM IR of a device as that of the processor."""
    ir = re.sub(r"call i32 @llvm\.nvvm\.read\.ptx\.sreg\.(\w+)\.x\(\)",
                lambda m: f"call i32 @double_register(i32 {REGISTERS[m[1]]})", ir)
    ir = re.sub(r"^declare .*@llvm\.nvvm\.read.*\n", "", ir, flags=re.M)
    ir = re.sub(r"call void @llvm\.nvvm\.barrier\.cta\.sync\.aligned\.all\(i32 0\)",
                "call void @double_barrier()", ir)
    ir = re.sub(r"^declare .*@llvm\.nvvm\.barrier.*\n", "", ir, flags=re.M)
    ir = ir.replace("ptx_kernel ", "").replace('"nvvm.maxntid"="256,1,1"', "")
    return ir + "\ndeclare i32 @double_register(i32)\ndeclare void @double_barrier()\n"


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


def kernels_of(chic, program, options):
    text = run(chic, "emit-ir", program, "--stage=optimised", *options)
    return re.findall(r"^  func\.func (?:private )?@([^\s(]+)\(.*chi\.control", text, re.M)


def main():
    chic, program, output, *options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        sources = [os.path.join(folder, "support.c")]
        with open(sources[0], "w", encoding="utf-8") as file:
            file.write(SUPPORT)
        for kernel in kernels_of(chic, program, options):
            text = run(chic, "emit-ir", program, "--stage=nvvm", f"--kernel={kernel}", *options)
            if "  module @kernels {" not in text:
                continue
            ir = run("mlir-translate", "--mlir-to-llvmir", "--allow-unregistered-dialect",
                     input=inner_module(text))
            sources.append(os.path.join(folder, f"{len(sources)}.ll"))
            with open(sources[-1], "w", encoding="utf-8") as file:
                file.write(with_callers(ir))
        run("clang", "-O1", "-w", "-march=native", "-ffp-contract=on", "-shared", "-fPIC", *sources, "-lm", "-o",
            output)


if __name__ == "__main__":
    main()
