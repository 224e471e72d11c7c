"""A small set of input files as a person would have them."""

import csv
import random

TREES = {"nurse": "health", "doctor": "health", "teacher": "school", "tutor": "school"}
SCHEMA = """
[people]
id = "id"

[columns]
id = { role = "identifier" }
age = { role = "quasi", range = [18, 70] }
job = { role = "quasi", hierarchy = "job.csv" }
illness = { role = "open" }

[promises]
k = 3
"""


def write_files(folder, people=40, seed=5):
    """Write people.csv, ties.csv, schema.toml and job.csv."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(seed)
    jobs = sorted(TREES)
    rows = [(f"p{i:03d}", chance.randint(18, 70), chance.choice(jobs), chance.choice(["flu", "none"]))
            for i in range(people)]
    ties = sorted({tuple(sorted(chance.sample(range(people), 2))) for _ in range(2 * people)})
    _write(folder / "people.csv", [("id", "age", "job", "illness"), *rows])
    _write(folder / "ties.csv", [("source", "target"), *((f"p{a:03d}", f"p{b:03d}") for a, b in ties)])
    (folder / "job.csv").write_text("".join(f"{leaf};{TREES[leaf]};*\n" for leaf in jobs))
    (folder / "schema.toml").write_text(SCHEMA)
    return len(ties)


def _write(file, rows):
    with file.open("w", newline="") as out:
        csv.writer(out).writerows(rows)
