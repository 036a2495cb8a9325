# How lit runs the tests of this folder. Each test has a cache of its own, so
# that none sees what another compiled.
import glob
import os
import shutil
import subprocess

import lit.formats
import lit.util

# The format has to stand in a module of its own to reach lit's processes.
import sys
sys.path.insert(0, os.path.join(config.chi_source_root, "test"))
from lit_format import ChiTest  # noqa: E402

config.name = "chi"
config.test_format = ChiTest()
config.suffixes = [".chi", ".mlir", ".test"]
config.excludes = ["Inputs", "house", "unit", "fuzz"]
config.test_source_root = os.path.join(config.chi_source_root, "test")
config.test_exec_root = os.path.join(config.chi_build_root, "test")

tools = os.path.join(config.chi_build_root, "bin")
config.environment["PATH"] = os.pathsep.join(
    [tools, config.llvm_tools_dir, os.environ.get("PATH", "")])
# Where the programs of tests find what they share.
config.environment["PYTHONPATH"] = os.path.join(config.chi_source_root, "test")
for name in ("CHI_THREADS", "NO_COLOR", "CHI_CACHE_DIR", "XDG_CACHE_HOME"):
    config.environment.pop(name, None)
# Files of runs with other options are compared byte for byte.
config.environment["CHI_PROVENANCE"] = "off"
for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS",
             "CHI_MACHINE"):  # the machine that all tests are to see
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%examples", os.path.join(config.chi_source_root, "examples")))
config.substitutions.append(("%stdlib", os.path.join(config.chi_source_root, "stdlib")))
config.substitutions.append(("%source_root", config.chi_source_root))
config.substitutions.append(("%build_root", config.chi_build_root))
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%chic", os.path.join(tools, "chic")))
config.substitutions.append(("%lib", os.path.join(config.chi_build_root, "lib")))
config.substitutions.append(
    ("%math", os.path.join(config.chi_build_root, "share/chi/math.mlirbc")))

# What stands in for NVIDIA's driver (test/runtime/cuda/double), and what its
# kernels are made by.
config.cuda_double = {
    "LD_LIBRARY_PATH": os.path.join(config.chi_build_root, "test", "cuda-double"),
    "CHI_PTX": "source",
    "CUDA_DOUBLE_COMPILER": os.path.join(config.test_source_root, "runtime", "cuda",
                                         "kernels.py")}
config.substitutions.append(("%cuda", "env " + " ".join(
    f"{name}={value}" for name, value in config.cuda_double.items())))
for folder in (os.environ.get("CUDA_HOME", ""), "/usr/local/cuda"):
    if folder and os.path.exists(os.path.join(folder, "include", "cuda.h")):
        config.available_features.add("cuda-header")
        config.substitutions.append(("%toolkit", folder))
        if os.path.exists(os.path.join(folder, "nvvm", "libdevice", "libdevice.10.bc")):
            config.available_features.add("libdevice")
        break
if glob.glob("/dev/nvidia[0-9]*"):
    config.available_features.add("cuda")
if shutil.which("chroot") and not subprocess.run(["chroot", "/", "true"],
                                                 capture_output=True).returncode:
    config.available_features.add("chroot")
# The daemons of Slurm are in a folder that users do not have on their PATH.
if all(shutil.which(tool, path=os.environ.get("PATH", "") + ":/usr/sbin") for tool in
       ("slurmctld", "slurmd", "sbatch")):
    config.available_features.add("slurm")
if shutil.which("ptxas"):
    config.available_features.add("ptxas")
if shutil.which("g++"):  # NAME.hpp is for other compilers, too
    config.available_features.add("g++")
if shutil.which("spirv-val"):
    config.available_features.add("spirv-val")
# Mesa's driver for Vulkan on the CPU: tests run on it, whatever else is there.
LAVAPIPE = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"
if os.path.exists(LAVAPIPE):
    config.available_features.add("vulkan")
    config.environment["VK_ICD_FILENAMES"] = LAVAPIPE
config.vulkan_driver = config.environment.get("VK_ICD_FILENAMES", "")
# Chromium's, a second one: it has no numbers of 64, 16 or 8 bits.
config.swiftshader = os.environ.get("CHI_SWIFTSHADER",
                                    "/usr/lib/chromium/vk_swiftshader_icd.json")
if os.path.exists(config.swiftshader):
    config.available_features.add("swiftshader")
    config.substitutions.append(("%swiftshader", config.swiftshader))
# NumPy and tvm-ffi, which ./x test installs, PyTorch and JAX, which ./x test ops does.
peers = os.path.join(config.chi_source_root, ".cache", "operators")
for name, feature in (("arrays", "tvm-ffi"), ("frameworks", "torch")):
    if os.path.exists(os.path.join(peers, name)):
        config.available_features.add(feature)
config.substitutions.append(("%peers", os.path.join(peers, "venv", "bin", "python")))
config.environment["CHI_TEST_SANITIZE"] = config.chi_sanitize
for name in config.chi_sanitize.split(","):
    if name:
        config.available_features.add(name)
if not config.chi_sanitize:
    config.available_features.add("no-sanitizer")
