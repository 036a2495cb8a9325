import sys

import numpy

members = numpy.load(sys.argv[1])
for name in ("x", "mode", "point", "loss", "steps"):
    print(name, str(members[name].dtype).replace("dtype", ""), members[name].tolist())
