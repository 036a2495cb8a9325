"""The test format: lit's shell tests, each with a compile cache of its own."""
import os

import lit.formats


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
        return super().execute(test, litConfig)
