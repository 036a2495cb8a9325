"""The test format: lit's shell tests, each with a compile cache of its own.

Those of RECORDED run a second time with CHI_RECORD=1, by which every kernel
hands its launches to the run time (docs/design/0018), and a third time with
CHI_RECORD=mirror: over copies of fields that host code cannot reach
(docs/design/0019). What was compiled serves all. The scripts of these folders
take the direct form as their oracle then.

Each is a test more for each device, DEVICE/NAME, with CHI_RECORD set so that
`chic run` and `chic test` go there:

    vulkan       where there is a driver, with the validation layers on: a test
                 fails if they say anything
    swiftshader  those of swiftshader.txt, where there is Chromium's driver for
                 Vulkan, likewise
    cuda         on an NVIDIA GPU; where there is none these tests are skipped
    cuda-double  those of cuda_double.txt, on a double of NVIDIA's driver that
                 runs kernels on the processor (runtime/cuda/double)

vulkan_later.txt and cuda_later.txt name those that cannot run there yet, with
the reason; one that does by now fails until it is taken off that list.
device_tolerances.txt names those whose floats may differ there (closeness.py),
how far, and why; a name that begins with a device is for that one.
"""
import os

import lit.Test
import lit.formats

RECORDED = ("EndToEnd", "Examples")
DOUBLE = "cuda-double"
UNJUDGED = "unjudged"  # begins the reason of a test that is left out there so far
WITH_LAYERS = ("vulkan", "swiftshader")
RECORDS = {"swiftshader": "vulkan", DOUBLE: "cuda"}  # of CHI_RECORD, if not the device's name
HERE = os.path.dirname(os.path.abspath(__file__))
# That tests on devices set.
VARIABLES = ("CHI_RECORD", "CHI_TOLERANCE", "VK_INSTANCE_LAYERS", "VK_LAYER_SETTINGS_PATH",
             "VK_ICD_FILENAMES", "LD_LIBRARY_PATH", "CHI_PTX", "CUDA_DOUBLE_COMPILER",
             "CUDA_DOUBLE")
LAYER_SETTINGS = """khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
khronos_validation.report_flags = error,warn
khronos_validation.log_filename = {log}
"""


def entries(name):
    """The lines of a list of tests here: NAME REASON, as a dictionary."""
    with open(os.path.join(HERE, name)) as file:
        lines = [line.split(maxsplit=1) for line in file if line.strip() and line[0] != "#"]
    return {line[0]: line[1].strip() if len(line) > 1 else "" for line in lines}


class DeviceTest(lit.Test.Test):
    """A test of another folder, on a device."""

    def __init__(self, suite, path, config, device, later):
        super().__init__(suite, (device, *path), config)
        self.device = device
        self.reason = later.get("/".join(path), "")
        if self.reason:
            self.xfails = ["*"]

    def getSourcePath(self):
        return self.suite.getSourcePath(self.path_in_suite[1:])


class ChiTest(lit.formats.ShTest):
    """Runs the RUN lines with lit's own shell; a hung test fails at lit's time limit."""

    def __init__(self):
        super().__init__(execute_external=False)
        on_cuda = entries("cuda_later.txt")
        self.later = {"vulkan": entries("vulkan_later.txt"), "swiftshader": {},
                      "cuda": on_cuda, DOUBLE: on_cuda}
        self.for_swiftshader = entries("swiftshader.txt")
        self.for_double = entries("cuda_double.txt")
        self.tolerances = {name: said.split()[0]
                           for name, said in entries("device_tolerances.txt").items()}

    def devices_of(self, path_in_suite, features):
        """Where a test runs, too."""
        name = "/".join(path_in_suite)
        if path_in_suite[0] not in RECORDED:
            return []
        devices = ["cuda"]
        if "vulkan" in features:
            devices.append("vulkan")
        if name in self.for_swiftshader and "swiftshader" in features:
            devices.append("swiftshader")
        if name in self.for_double and "no-sanitizer" in features:
            devices.append(DOUBLE)
        return [device for device in devices
                if not self.later[device].get(name, "").startswith(UNJUDGED)]

    def getTestsForPath(self, testSuite, path_in_suite, litConfig, localConfig):
        for test in super().getTestsForPath(testSuite, path_in_suite, litConfig, localConfig):
            yield test
            for device in self.devices_of(path_in_suite, localConfig.available_features):
                yield DeviceTest(testSuite, path_in_suite, localConfig, device, self.later[device])

    def execute(self, test, litConfig):
        environment = test.config.environment
        cache = os.path.join(os.path.dirname(test.getExecPath()), "Output",
                             os.path.basename(test.getExecPath()) + ".cache")
        # The configuration object is shared by the tests of a folder that run
        # in one process, one after another: setting it here is safe.
        environment["CHI_CACHE_DIR"] = cache
        environment["CUDA_DOUBLE_KERNELS"] = cache + ".kernels"
        for name in VARIABLES:
            environment.pop(name, None)
        if test.config.vulkan_driver:
            environment["VK_ICD_FILENAMES"] = test.config.vulkan_driver
        if "LD_LIBRARY_PATH" in os.environ:
            environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
        if isinstance(test, DeviceTest):
            return self.execute_on_device(test, litConfig)
        result = super().execute(test, litConfig)
        if test.path_in_suite[0] not in RECORDED or result.code != lit.Test.PASS:
            return result
        for form in ("1", "mirror"):
            environment["CHI_RECORD"] = form
            result = super().execute(test, litConfig)
            result.output = f"With CHI_RECORD={form}:\n" + result.output
            if result.code != lit.Test.PASS:
                break
        return result

    def execute_on_device(self, test, litConfig):
        config = test.config
        config.environment["CHI_RECORD"] = RECORDS.get(test.device, test.device)
        name = "/".join(test.path_in_suite[1:])
        config.environment["CHI_TOLERANCE"] = self.tolerances.get(
            f"{test.device}/{name}", self.tolerances.get(name, "0"))
        os.makedirs(os.path.dirname(test.getExecPath()), exist_ok=True)
        if test.device == "swiftshader":
            config.environment["VK_ICD_FILENAMES"] = config.swiftshader
        if test.device in WITH_LAYERS:
            result = self.execute_with_layers(test, litConfig)
        elif test.device == "cuda" and "cuda" not in config.available_features:
            return lit.Test.Result(lit.Test.UNSUPPORTED, "there is no NVIDIA GPU (/dev/nvidia*)")
        else:
            if test.device == DOUBLE:
                config.environment.update(config.cuda_double)
                # Drivers choose smaller blocks for kernels of many registers.
                config.environment["CUDA_DOUBLE"] = "block=192"
            result = super().execute(test, litConfig)
        if test.reason and result.code == lit.Test.PASS:
            result.output += (f"\nIt runs by now: take it off {config.environment['CHI_RECORD']}"
                              f"_later.txt ({test.reason})\n")
        return result

    def execute_with_layers(self, test, litConfig):
        """On Vulkan, the validation layers silent."""
        environment, path = test.config.environment, test.getExecPath()
        log = path + ".layers.txt"
        with open(path + ".settings.txt", "w") as settings:
            settings.write(LAYER_SETTINGS.format(log=log))
        if os.path.exists(log):
            os.remove(log)
        environment["VK_INSTANCE_LAYERS"] = "VK_LAYER_KHRONOS_validation"
        environment["VK_LAYER_SETTINGS_PATH"] = path + ".settings.txt"
        result = super().execute(test, litConfig)
        said = ""
        if os.path.exists(log):
            with open(log) as file:
                said = file.read()
        if said and result.code == lit.Test.PASS:
            result = lit.Test.Result(lit.Test.FAIL, "The validation layers say:\n" + said)
        return result
