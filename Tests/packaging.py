#!/usr/bin/env python3
"""Builds the packages from a clean clone, and installs, uses and removes them in new systems.

  Tests/packaging.py                    in Debian 12
  Tests/packaging.py bookworm trixie    in Debian 12 and Debian 13
  Tests/packaging.py jammy=URL          in Ubuntu 22.04, from this mirror
  Tests/packaging.py --twice            also builds in a second folder, and compares the bytes
  Tests/packaging.py --packages FOLDER  takes the packages from this folder instead of building

Needs root. Takes about 6 minutes, and 5 more with --twice.
Prints a line for each check. The status is 0 only if all passed. Debian's mirror has no Ubuntu: without one of its own, check.sh stands in
for Ubuntu 22.04, since it compares the glibc that the program needs.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".build-packaging"
DEMO = ROOT / "examples" / "demo-provider"
USUAL = ["bookworm"]
# What apt and dpkg write about any package, besides the files of the package.
CHANGING = ("proc", "var/cache", "var/log", "var/lib/apt", *(f"var/lib/dpkg/{name}" for name in ("lock", "status", "triggers")))
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp/user", "LANG": "C.UTF-8", "BROWSER": ""}
STARTED = time.monotonic()


class Failure(Exception):
    """A check that failed."""


def report(line: str) -> None:
    print(f"[{time.monotonic() - STARTED:4.0f} s] {line}", flush=True)


def check(holds: bool, claim: str) -> None:
    if not holds:
        raise Failure(claim)
    report(claim)


def run(*command, **options) -> str:
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))}:\n{done.stdout}")
    return done.stdout


def build(name: str) -> Path:
    """Builds in a new clone of the last commit, and returns the folder of the packages."""
    clone = FOLDER / name
    run("git", "clone", "-q", "--no-hardlinks", ROOT, clone)
    run(clone / "Sources" / "packaging" / "build.sh", env={**os.environ, "OAUTH_STDIO": ""})
    report(f"built in {clone.relative_to(ROOT)}")
    return clone / ".build-packages"


def bootstrap(release: str) -> Path:
    """Installs a minimal system of NAME or NAME=MIRROR. debootstrap checks the signatures."""
    name, _, mirror = release.partition("=")
    run("debootstrap", "--variant=minbase", name, FOLDER / name, *filter(None, [mirror]))
    return FOLDER / name


class System:
    """An installed release."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.name = folder.name

    def command(self, *words) -> list[str]:
        """Returns the command that runs in the system. Its /proc ends with it; Swift reads the arguments there."""
        script = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
        return ["unshare", "--mount", "sh", "-c", script, str(self.folder), *map(str, words)]

    def run(self, *words) -> str:
        return run(*self.command(*words), env=ENVIRONMENT | {"DEBIAN_FRONTEND": "noninteractive"})

    def files(self) -> dict[str, str]:
        """Returns a digest for each file, link and folder."""
        found = {}
        for folder, folders, names in os.walk(self.folder):
            for name in folders + names:
                path = Path(folder, name)
                inside = str(path.relative_to(self.folder))
                if inside.startswith(CHANGING):
                    continue
                content = os.readlink(path).encode() if path.is_symlink() else path.read_bytes() if path.is_file() else b""
                found[inside] = f"{path.lstat().st_mode:o} {hashlib.sha256(content).hexdigest()}"
        return found

    def sign_in(self, program: str, port: int) -> None:
        """Signs in at the demo provider and calls its API, as a user of the system with a new home."""
        home = self.folder / "tmp" / "user"
        configuration = json.loads((ROOT / "examples" / "demo.json").read_text().replace(":8040", f":{port}"))
        (home / ".config" / "oauth-stdio").mkdir(parents=True)
        (home / ".config" / "oauth-stdio" / "config.json").write_text(json.dumps(configuration))
        command = self.command(program, "login", "demo")
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
            try:
                shown = ""
                while "authorize?" not in shown:
                    line = process.stderr.readline()
                    shown += line
                    if not line:
                        raise Failure(f"{self.name}: {program} login: {shown}")
                url = re.search(r"http://\S+", shown)[0]
                urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"{url}&demo_auto=allow", timeout=30).close()
                shown += process.stderr.read()
                check(process.wait(60) == 0, f"{self.name}: {program} signs in")
            finally:
                process.kill()
        check('"user":"demo"' in self.run(program, "call", "demo", "me"), f"{self.name}: {program} calls the API")
        shutil.rmtree(home)


def try_packages(system: System, packages: Path, port: int) -> None:
    """Installs the Debian package, the tarball and the wheel side by side, uses all, and removes them."""
    deb, tarball, wheel = (next(packages.glob(pattern)) for pattern in ["*.deb", "*-linux-*.tar.gz", "*.whl"])
    shutil.copy(deb, system.folder / "tmp")
    shutil.copy(wheel, system.folder / "tmp")
    # Other packages stay when ours is removed, so they come first.
    system.run("apt-get", "update", "-q")
    system.run("apt-get", "satisfy", "-qy", "--no-install-recommends", run("dpkg-deb", "--field", deb, "Depends").strip(), "python3-venv")
    before = system.files()
    system.run("dpkg", "--install", f"/tmp/{deb.name}")
    listed = system.run("dpkg", "-L", "oauth-stdio").split()
    check(all((system.folder / name.lstrip("/")).exists() for name in listed), f"{system.name}: {deb.name} is installed")
    version = system.run("oauth-stdio", "--version")
    check(version.split()[1] in deb.name, f"{system.name}: {version.strip()} runs")
    system.sign_in("/usr/bin/oauth-stdio", port)

    unpacked = system.folder / "opt" / "oauth-stdio"
    unpacked.mkdir()
    run("tar", "-xzf", tarball, "--strip-components=1", "-C", unpacked)
    check(system.run("/opt/oauth-stdio/bin/oauth-stdio", "--version") == version, f"{system.name}: the program of {tarball.name} runs")
    system.sign_in("/opt/oauth-stdio/bin/oauth-stdio", port)
    shutil.rmtree(unpacked)

    system.run("python3", "-m", "venv", "/opt/environment")
    system.run("/opt/environment/bin/pip", "install", "-q", "--no-index", f"/tmp/{wheel.name}")
    check(system.run("/opt/environment/bin/oauth-stdio", "--version") == version, f"{system.name}: the program of {wheel.name} runs")
    system.sign_in("/opt/environment/bin/oauth-stdio", port)
    shutil.rmtree(system.folder / "opt" / "environment")

    system.run("dpkg", "--remove", "oauth-stdio")
    known = subprocess.run(system.command("dpkg-query", "-W", "oauth-stdio"), capture_output=True, env=ENVIRONMENT).returncode == 0
    after = system.files()
    changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    check(not known and not changed, f"{system.name}: removing it leaves nothing{''.join(f' but {name}' for name in changed)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("releases", nargs="*", default=USUAL)
    parser.add_argument("--twice", action="store_true")
    parser.add_argument("--packages", type=Path)
    options = parser.parse_args()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        # Most of installing a system is waiting for the mirror, so it runs beside the build.
        systems = [pool.submit(bootstrap, release) for release in options.releases]
        packages = options.packages or build("first")
        run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=packages)
        run("lintian", "--allow-root", "--fail-on", "error,warning", *packages.glob("*.deb"))
        report("the checksums are right, and lintian has no objection")
        if options.twice:
            sums = [folder.joinpath("SHA256SUMS").read_text() for folder in (packages, build("another/folder"))]
            check(sums[0] == sums[1], "the second build has the same bytes as the first")
        folders = [system.result() for system in systems]
    with subprocess.Popen([DEMO, "--port", "0"], stdout=subprocess.PIPE, text=True) as demo:
        try:
            port = json.loads(demo.stdout.readline())["port"]
            for folder in folders:
                try_packages(System(folder), packages, port)
        finally:
            demo.kill()
    shutil.rmtree(FOLDER)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"FAILED: {failure}", file=sys.stderr)
        sys.exit(1)
