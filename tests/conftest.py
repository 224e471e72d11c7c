"""Profiles of the property tests: how many examples, and that none is timed on a busy machine."""

import os

from hypothesis import HealthCheck, Phase, settings

_CALM = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
# the same examples on every run, so that a failure comes from a change; "long" looks for new ones
settings.register_profile("full", max_examples=40, derandomize=True, database=None,
                          phases=(Phase.explicit, Phase.generate), **_CALM)
# a planted bug must be found every time, and need not be made small: the same examples on every run
settings.register_profile("quick", max_examples=30, derandomize=True, database=None,
                          phases=(Phase.explicit, Phase.generate), **_CALM)
settings.register_profile("glance", settings.get_profile("quick"), max_examples=3)
settings.register_profile("long", max_examples=600, **_CALM)
settings.load_profile(os.environ.get("GRAPHANON_PROFILE", "full"))
