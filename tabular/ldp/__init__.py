"""Local differential privacy: everyone's record is randomized before anyone else sees it.

`planning` makes a plan from public lines and a budget; the `client` perturbs; the `server` estimates and decodes from
the plan and the answers alone.
"""
