"""What all tests share: how long Hypothesis looks, and whether it looks where it looked before."""

import os

from hypothesis import settings

# "ci" draws the same examples in every run: a red build is about the commit and not about luck.
settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
# "brief" is for one more version of Python, after all of "ci" has run on another.
settings.register_profile("brief", settings.get_profile("ci"), max_examples=20)
settings.register_profile("dev", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))
