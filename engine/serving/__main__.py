"""`python -m engine.serving`: see `engine.serving.command`."""

import sys

from engine.serving.command import main

sys.exit(main())
