"""The scale of a column, as a schema file says it."""

import pytest

from graphanon.errors import InputProblem
from graphanon.io.schema_file import read_schema, schema_text


def written(tmp_path, columns):
    path = tmp_path / "schema.toml"
    path.write_text(f"[columns]\n{columns}\n", encoding="utf-8")
    return path


def test_a_scale_is_read_and_written_back(tmp_path):
    path = written(tmp_path, 'income = { role = "quasi", range = [1, 900], scale = "ratio" }\n'
                             'smoker = { role = "quasi", order = ["no", "yes"], scale = "asymmetric" }')
    schema = read_schema(path)
    assert [column.scale for column in schema.columns] == ["ratio", "asymmetric"]
    path.write_text(schema_text(schema), encoding="utf-8")
    assert read_schema(path) == schema


@pytest.mark.parametrize("column", ['a = { role = "quasi", range = [1, 9], scale = "loud" }',
                                    'a = { role = "sensitive", scale = "ratio" }'])
def test_a_scale_that_is_not_known_or_not_wanted_is_refused(tmp_path, column):
    with pytest.raises(InputProblem, match="scale"):
        read_schema(written(tmp_path, column))
