"""The test format: lit's shell tests, each with a compile cache of its own.

Those of RECORDED run a second time with CHI_RECORD=1, by which every kernel
hands its launches to the run time (docs/design/0018), and a third time with
CHI_RECORD=mirror: over copies of fields that host code cannot reach
(docs/design/0019). What was compiled serves all. The scripts of these folders
take the direct form as their oracle then.

Where there is a Vulkan device each is a test more, vulkan/NAME, with
CHI_RECORD=vulkan: `chic run` and `chic test` go there. The validation layers
are on, and a test fails if they say anything. vulkan_later.txt names those that
cannot run there yet, with the reason; one that does by now fails until it is
taken off that list. vulkan_tolerances.txt names those whose floats may differ
(closeness.py), how far, and why.
"""
import os

import lit.Test
import lit.formats

RECORDED = ("EndToEnd", "Examples")
DEVICE = "vulkan"
UNJUDGED = "unjudged"  # begins the reason of a test that is left out there so far
HERE = os.path.dirname(os.path.abspath(__file__))
LATER = os.path.join(HERE, "vulkan_later.txt")
TOLERANCES = os.path.join(HERE, "vulkan_tolerances.txt")
LAYER_SETTINGS = """khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
khronos_validation.report_flags = error,warn
khronos_validation.log_filename = {log}
"""


def listed(path):
    """What a list says of each test: what stands behind its name."""
    with open(path) as file:
        lines = [line.split(maxsplit=1) for line in file if line.strip() and line[0] != "#"]
    return {name: said.strip() for name, said in lines}


class DeviceTest(lit.Test.Test):
    """A test of another folder, on a device."""

    def __init__(self, suite, path, config, reason):
        super().__init__(suite, (DEVICE, *path), config)
        self.reason = reason
        if reason:
            self.xfails = ["*"]

    def getSourcePath(self):
        return self.suite.getSourcePath(self.path_in_suite[1:])


class ChiTest(lit.formats.ShTest):
    """Runs the RUN lines with lit's own shell; a hung test fails at lit's time limit."""

    def __init__(self):
        super().__init__(execute_external=False)
        self.later = listed(LATER)
        self.tolerances = {name: said.split()[0] for name, said in listed(TOLERANCES).items()}

    def getTestsForPath(self, testSuite, path_in_suite, litConfig, localConfig):
        for test in super().getTestsForPath(testSuite, path_in_suite, litConfig, localConfig):
            yield test
            reason = self.later.get("/".join(path_in_suite))
            if (path_in_suite[0] in RECORDED and DEVICE in localConfig.available_features
                    and not (reason or "").startswith(UNJUDGED)):
                yield DeviceTest(testSuite, path_in_suite, localConfig, reason)

    def execute(self, test, litConfig):
        environment = test.config.environment
        cache = os.path.join(os.path.dirname(test.getExecPath()), "Output",
                             os.path.basename(test.getExecPath()) + ".cache")
        # The configuration object is shared by the tests of a folder that run
        # in one process, one after another: setting it here is safe.
        environment["CHI_CACHE_DIR"] = cache
        for name in ("CHI_RECORD", "CHI_TOLERANCE", "VK_INSTANCE_LAYERS",
                     "VK_LAYER_SETTINGS_PATH"):
            environment.pop(name, None)
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
        environment, path = test.config.environment, test.getExecPath()
        log = path + ".layers.txt"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".settings.txt", "w") as settings:
            settings.write(LAYER_SETTINGS.format(log=log))
        if os.path.exists(log):
            os.remove(log)
        environment["CHI_RECORD"] = DEVICE
        environment["CHI_TOLERANCE"] = self.tolerances.get("/".join(test.path_in_suite[1:]), "0")
        environment["VK_INSTANCE_LAYERS"] = "VK_LAYER_KHRONOS_validation"
        environment["VK_LAYER_SETTINGS_PATH"] = path + ".settings.txt"
        result = super().execute(test, litConfig)
        said = ""
        if os.path.exists(log):
            with open(log) as file:
                said = file.read()
        if said and result.code == lit.Test.PASS:
            result = lit.Test.Result(lit.Test.FAIL, "The validation layers say:\n" + said)
        if test.reason and result.code == lit.Test.PASS:
            result.output += f"\nIt runs by now: take it off {LATER} ({test.reason})\n"
        return result
