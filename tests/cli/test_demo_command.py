import json


def test_the_demo_makes_an_audited_release_and_a_picture(empty, tmp_path):
    done = empty("demo", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["people"], told["promises"]["k"], told["method"]) == (500, 5, "pas-caa")
    out = tmp_path / "graphanon-out"
    assert sorted(path.name for path in out.iterdir()) == ["private", "release", "report.html", "report.json", "supernodes.png"]
    assert (tmp_path / told["picture"]).read_bytes().startswith(b"\x89PNG")
    assert empty("audit", told["release"]).returncode == 0
    assert empty("demo").returncode == 2
    forced = empty("demo", "--force")
    assert forced.returncode == 0, forced.stderr
    assert all(word in forced.stdout for word in ("500 people", "supernodes", "picture", "graphanon audit"))
    assert forced.stdout.splitlines()[-1].endswith("graphanon-out/private/report-internal.html")
