"""Every planted bug is caught by the laws, and without one the laws hold."""

import pytest
from mutation_check import MUTANTS, plant, run, survives


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_the_laws_notice_that(mutant):
    assert not survives(mutant)


def test_without_a_planted_bug_the_same_tests_pass(tmp_path):
    plant(None, tmp_path)
    files = sorted({mutant.tests for mutant in MUTANTS})
    result = run(" ".join(files), tmp_path, profile="glance")
    assert result.returncode == 0, result.stdout
