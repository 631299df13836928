"""Nothing in a folder, neither a link nor a name in a file, leads a reader out of it."""

import json

import pytest

import assay
from assay.base.errors import AssayError
from assay.contamination.documents import list_files
from assay.logs import read_logs

TABLE = "text\tlabel\none\ta\ntwo\tb\n"
LINKS = "this link leads out of the folder. Name its target instead, or set ASSAY_FOLLOW_LINKS=1 if you trust it"


@pytest.fixture
def secret(tmp_path):
    path = tmp_path / "secret.tsv"
    path.write_text(TABLE)
    return path


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "folder"
    path.mkdir()
    return path


def test_a_linked_file_of_a_folder_is_refused_unless_asked_for(folder, secret, monkeypatch):
    (folder / "data.tsv").symlink_to(secret)
    for source in (folder, str(folder / "*.tsv")):
        with pytest.raises(AssayError, match=r"data\.tsv: this link leads out of the folder") as caught:
            assay.read(source)
        assert LINKS in str(caught.value)
    with pytest.raises(AssayError, match="this link leads out"):
        list_files([folder])
    assert len(assay.read(folder / "data.tsv")) == 2  # named by the user
    monkeypatch.setenv("ASSAY_FOLLOW_LINKS", "1")
    assert len(assay.read(folder)) == 2


def test_links_that_stay_in_the_folder_are_followed(folder):
    (folder / "inner").mkdir()
    (folder / "inner" / "blob").write_text(TABLE)
    (folder / "data.tsv").symlink_to("inner/blob")
    assert len(assay.read(folder)) == 2


def test_snapshots_of_the_hub_link_to_their_blobs(folder, secret):
    (folder / "blobs").mkdir()
    (folder / "blobs" / "0").write_text(TABLE)
    home = folder / "snapshots" / "main"
    home.mkdir(parents=True)
    (home / "data.tsv").symlink_to("../../blobs/0")
    assert len(assay.read(home)) == 2
    (home / "data.tsv").unlink()
    (home / "data.tsv").symlink_to(secret)
    with pytest.raises(AssayError, match="leads out of the folder"):
        assay.read(home)


@pytest.mark.parametrize("name", ["train", "data"])
def test_a_linked_folder_is_refused(folder, tmp_path, name):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "data.tsv").write_text(TABLE)
    (folder / name).symlink_to(tmp_path / "other")
    with pytest.raises(AssayError, match=f"{name}: this link leads out of the folder"):
        assay.read(folder)


def test_tokens_and_collections_follow_no_link(folder, tmp_path):
    (tmp_path / "secret.conll").write_text("a O\n\n")
    (folder / "train.conll").symlink_to(tmp_path / "secret.conll")
    with pytest.raises(AssayError, match=r"train\.conll: this link leads out"):
        assay.read(folder)
    (folder / "train.conll").unlink()
    (tmp_path / "secret.txt").write_text("q 0 d 1\n")
    (folder / "queries.tsv").write_text("q\tquestion\n")
    (folder / "qrels.txt").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(AssayError, match=r"qrels\.txt: this link leads out"):
        assay.read(folder)


def test_files_next_to_a_log_follow_no_link(folder, tmp_path):
    (tmp_path / "secret.json").write_text('{"name": "secret"}')
    (folder / "per_instance_stats.json").write_text("[]")
    (folder / "run_spec.json").symlink_to(tmp_path / "secret.json")
    with pytest.raises(AssayError, match=r"run_spec\.json: this link leads out"):
        read_logs(folder)


@pytest.mark.parametrize("name", ["../secret", "/secret", "a/../../secret"])
def test_names_of_parts_stay_in_the_folder(folder, name):
    (folder / "dataset_dict.json").write_text(json.dumps({"splits": [name]}))
    with pytest.raises(AssayError, match=r"dataset_dict\.json: it names a file outside its folder"):
        assay.read(folder)


def test_a_saved_folder_without_splits_is_an_error(folder):
    (folder / "dataset_dict.json").write_text('{"splits": []}')
    with pytest.raises(AssayError, match="the file names no splits"):
        assay.read(folder)


@pytest.mark.parametrize("name", ["../secret", "/secret"])
def test_the_configuration_of_an_evaluation_stays_in_the_folder(folder, name):
    task = f"tasks:\n- id: t\n  config: {name}\n  field_spec:\n    input: text\n    target: label\n"
    (folder / "eval.yaml").write_text(task)
    with pytest.raises(AssayError, match=r"eval\.yaml: it names a file outside its folder"):
        assay.read(folder)


def test_parts_of_yaml_are_not_repeated_by_reference(folder):
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    (folder / "eval.yaml").write_text("\n".join([*lines, "tasks: *a11", ""]))
    with pytest.raises(AssayError, match=r"eval\.yaml: it repeats parts by reference"):
        assay.read(folder)
    (folder / "eval.yaml").write_text("tasks:\n" + "- {}\n" * 20_000)
    with pytest.raises(AssayError, match="more than 65,536 bytes"):
        assay.read(folder)


@pytest.mark.parametrize("key", ["contentUrl", "includes"])
def test_files_of_croissant_follow_no_link(folder, tmp_path, key):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "data.csv").write_text("text,label\na,b\n")
    (folder / "link").symlink_to(tmp_path / "other")
    field = {"@id": "f", "dataType": "sc:Text", "source": {"fileObject": {"@id": "d"}, "extract": {"column": "text"}}}
    content = {
        "@context": {"@vocab": "http://mlcommons.org/croissant/"},
        "distribution": [{"@id": "d", key: f"link/{'data' if key == 'contentUrl' else '*'}.csv"}],
        "recordSet": [{"@id": "r", "field": [field]}],
    }
    (folder / "meta.json").write_text(json.dumps(content))
    with pytest.raises(AssayError, match="this link leads out of the folder"):
        assay.read(folder / "meta.json")
