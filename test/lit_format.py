"""The test format: lit's shell tests, each with a compile cache of its own.

Those of RECORDED run a second time with CHI_RECORD=1, by which every kernel
hands its launches to the run time (docs/design/0018), and a third time with
CHI_RECORD=mirror: over copies of fields that host code cannot reach
(docs/design/0019). What was compiled serves all. The scripts of these folders
take the direct form as their oracle then.
"""
import os

import lit.Test
import lit.formats

RECORDED = ("EndToEnd", "Examples")


class ChiTest(lit.formats.ShTest):
    """Runs the RUN lines with lit's own shell; a hung test fails at lit's time limit."""

    def __init__(self):
        super().__init__(execute_external=False)

    def execute(self, test, litConfig):
        config = test.config
        cache = os.path.join(os.path.dirname(test.getExecPath()), "Output",
                             os.path.basename(test.getExecPath()) + ".cache")
        # The configuration object is shared by the tests of a folder that run
        # in one process, one after another: setting it here is safe.
        config.environment["CHI_CACHE_DIR"] = cache
        config.environment.pop("CHI_RECORD", None)
        result = super().execute(test, litConfig)
        if test.path_in_suite[0] not in RECORDED or result.code != lit.Test.PASS:
            return result
        for form in ("1", "mirror"):
            config.environment["CHI_RECORD"] = form
            result = super().execute(test, litConfig)
            result.output = f"With CHI_RECORD={form}:\n" + result.output
            if result.code != lit.Test.PASS:
                break
        return result
