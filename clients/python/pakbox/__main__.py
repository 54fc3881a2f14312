"""python -m pakbox is the command pakbox."""
import subprocess
import sys

from ._process import executable

sys.exit(subprocess.call([executable()] + sys.argv[1:]))
