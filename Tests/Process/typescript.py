"""The TypeScript compiler, and the compiled client."""

import fcntl
import subprocess
from pathlib import Path

from rpc import ROOT

PACKAGE = ROOT / "examples" / "typescript"
COMPILED = ROOT / ".build-tests" / "typescript"
# Debian packages the declarations of Node's modules in nodejs. Tests/install.sh unpacks them beside another node.
DEBIAN = Path("/usr/share/nodejs/@types")
UNPACKED = ROOT / ".build-tests" / "@types"
# The declarations of VS Code's API are those that Microsoft publishes.
VSCODE = ROOT / "Tests" / "Process" / "Editors" / "vscode" / "types"
TYPES = f"{DEBIAN if (DEBIAN / 'node').is_dir() else UNPACKED},{VSCODE}"


def tsc(project: Path, output: Path) -> list[str]:
    """Compiles a project with its own options and returns the compiler's complaints."""
    command = ["tsc", "-p", str(project), "--outDir", str(output), "--typeRoots", TYPES, "--pretty", "false"]
    return subprocess.run(command, cwd=project, stdout=subprocess.PIPE, text=True, timeout=120).stdout.splitlines()


def compile_client() -> Path:
    """Compiles the client unless the compiled one is as new as its sources, and returns its folder."""
    sources = [PACKAGE / "tsconfig.json", *(PACKAGE / "src").iterdir()]
    # The tests of another file may do the same at this moment.
    with (COMPILED.parent / "typescript.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = COMPILED / "stamp"
        if not stamp.exists() or stamp.stat().st_mtime < max(source.stat().st_mtime for source in sources):
            complaints = tsc(PACKAGE, COMPILED)
            assert not complaints, complaints
            # Node reads it to know that the files are modules.
            (COMPILED / "package.json").write_text((PACKAGE / "package.json").read_text())
            stamp.touch()
    return COMPILED
