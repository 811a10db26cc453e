"""The structure of Sources, as Tests/structure.py checks it, and that the check finds what it looks for."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests"))
import structure  # noqa: E402


def test_every_import_is_declared_and_no_folders_form_a_cycle():
    done = subprocess.run([ROOT / "Tests" / "structure.py"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def write(folder: pathlib.Path, name: str, text: str):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_an_undeclared_import_is_found(tmp_path):
    target = tmp_path / "Core"
    write(target, "A.swift", "import Store\nimport Text\n#if canImport(Glibc)\n  import Glibc\n#endif\n")
    assert [line.split(": ", 1)[1] for line in structure.imports(target, {"Text"})] == ["imports Store, which Core does not declare"]


def test_a_cycle_of_folders_is_found(tmp_path):
    target = tmp_path / "Core"
    write(target, "A/One.swift", "struct One { var next: Two? }\n")
    write(target, "B/Two.swift", "struct Two { var next: Three? }\n")
    write(target, "C/Three.swift", "// One\nstruct Three { var text = \"One\" }\n")
    assert structure.cycles(target) == []
    write(target, "C/Three.swift", "struct Three { var one: One { fatalError() } }\n")
    assert [line.split(" is part")[0].split(": ")[1] for line in structure.cycles(target)] == ["A -> B", "B -> C", "C -> A"]


def test_an_unguarded_import_is_found(tmp_path):
    write(tmp_path, "A.swift", "#if canImport(Glibc)\n  import Glibc\n#endif\n")
    assert structure.unguarded(tmp_path) == []
    write(tmp_path, "A.swift", "import Glibc\n")
    assert structure.unguarded(tmp_path) == [f"{tmp_path / 'A.swift'}: imports Glibc outside an #if"]


def test_a_write_outside_the_one_place_is_found(tmp_path):
    write(tmp_path, "Account+Changing.swift", "func change() { try await store.write(grant) }\n")
    assert structure.writers(tmp_path) == []
    write(tmp_path, "Other.swift", "func other() { try await dependencies.store.remove(name) }\n")
    assert len(structure.writers(tmp_path)) == 1
