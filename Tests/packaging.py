#!/usr/bin/env python3
"""Builds the packages from a clean clone, and installs, uses and removes them in new systems.

  Tests/packaging.py                    in Debian 12
  Tests/packaging.py bookworm trixie    in Debian 12 and Debian 13
  Tests/packaging.py jammy=URL          in Ubuntu 22.04, from this mirror
  Tests/packaging.py --twice            also builds in a second folder, and compares the bytes
  Tests/packaging.py --here             builds in this folder, which has a release build, instead of a clean clone

Needs root. Takes about 8 minutes, and 5 more with --twice.
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
PACKAGING = ROOT / "Sources" / "packaging"
USUAL = ["bookworm"]
PREVIOUS = "0.2.0"
# What apt and dpkg write about any package, besides the files of the package.
CHANGING = ("proc", "var/cache", "var/log", "var/lib/apt", *(f"var/lib/dpkg/{name}" for name in ("lock", "status", "triggers")))
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp/user", "LANG": "C.UTF-8", "BROWSER": ""}
# What apt shows when the package is removed, and only then.
LEAVING = "oauth-stdio logout --all"
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
    run(clone / "Sources" / "packaging" / "build.sh", env={**os.environ, "OAUTH_STDIO": "", "SIGNING_KEY": str(signing_key())})
    report(f"built in {clone.relative_to(ROOT)}")
    return clone / ".build-packages"


def build_here() -> Path:
    """Builds with the release build that is here, and returns the folder of the packages."""
    packages = FOLDER / "packages"
    run(PACKAGING / "build.sh", packages, env={**os.environ, "OAUTH_STDIO": "", "SIGNING_KEY": str(signing_key())})
    report("built here")
    return packages


def signing_key() -> Path:
    """Returns a maintainer's new key. The signatures have the time of the commit, so the key must be older."""
    home = FOLDER / "gpg"
    if not home.exists():
        home.mkdir(mode=0o700)
        gpg = ["gpg", "--homedir", home, "--batch", "--quiet", "--faked-system-time", "20200101T000000"]
        run(*gpg, "--passphrase", "", "--quick-generate-key", "Maintainer <m@example.org>", "ed25519", "sign", "never")
        (home / "key.asc").write_text(run(*gpg, "--armor", "--export-secret-keys"))
        run("gpgconf", "--homedir", home, "--kill", "all")
    return home / "key.asc"


def previous(packages: Path) -> Path:
    """Returns a folder with the packages as those of version 0.2.0: a repository, and the npm packages. No release has that version."""
    folder = FOLDER / "previous"
    folder.mkdir()
    deb = next(packages.glob("*.deb"))
    run("dpkg-deb", "--raw-extract", deb, folder / "content")
    control = folder / "content" / "DEBIAN" / "control"
    control.write_text(re.sub("^Version: .*", f"Version: {PREVIOUS}", control.read_text(), flags=re.MULTILINE))
    # apt-ftparchive finds the architecture in the name.
    former = folder / f"oauth-stdio_{PREVIOUS}_{deb.stem.split('_')[2]}.deb"
    run("dpkg-deb", "--root-owner-group", "--build", folder / "content", former)
    # apt keeps a list that is younger than the server's.
    run(PACKAGING / "apt.sh", signing_key(), folder / "apt", former, env={**os.environ, "SOURCE_DATE_EPOCH": "1577923200"})
    run("python3", PACKAGING / "npm.py", folder / "content/usr/bin/oauth-stdio", PREVIOUS, folder, env={**os.environ, "SOURCE_DATE_EPOCH": "0"})
    shutil.rmtree(folder / "content")
    return folder


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

    def sign_in(self, program: str, port: int, upgrade=None) -> None:
        """Signs in at the demo provider and calls its API, as a user of the system with a new home; then again after `upgrade()`."""
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
        for words in (["git.example.org"], ["--remove"]):
            self.run(program, "setup", "git", *words)
        check(not (home / ".gitconfig").exists(), f"{self.name}: {program} leaves no empty ~/.gitconfig")
        if upgrade:
            upgrade()
            check('"user":"demo"' in self.run(program, "call", "demo", "me"), f"{self.name}: {program} has the login after the upgrade")
        shutil.rmtree(home)


def try_packages(system: System, packages: Path, former: Path, port: int) -> None:
    """Installs the repository's package, the tarball, the wheel and the npm packages one after the other, uses each, and removes it."""
    deb, tarball, wheel = (next(packages.glob(pattern)) for pattern in ["*.deb", "*-linux-*.tar.gz", "*.whl"])
    version = f"oauth-stdio {run('dpkg-deb', '--field', deb, 'Version')}"
    shutil.copy(wheel, system.folder / "tmp")
    # Other packages stay when ours is removed, so they come first.
    system.run("apt-get", "update", "-q")
    others = ["python3-venv", "git", *(["nodejs", "npm"] if any(packages.glob("*.tgz")) else [])]
    system.run("apt-get", "satisfy", "-qy", "--no-install-recommends", run("dpkg-deb", "--field", deb, "Depends").strip(), *others)
    # With what they recommend in turn, as apt installs them.
    system.run("apt-get", "satisfy", "-qy", run("dpkg-deb", "--field", deb, "Recommends").strip())
    before = system.files()
    try_repository(system, packages, former, version, port)

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

    if "npm" in others:
        try_npm(system, packages, former, version, port)
    after = system.files()
    changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    check(not changed, f"{system.name}: removing all leaves nothing{''.join(f' but {name}' for name in changed)}")


def try_repository(system: System, packages: Path, former: Path, version: str, port: int) -> None:
    repository, key = system.folder / "opt" / "apt", system.folder / "usr/share/keyrings/oauth-stdio.gpg"
    source = system.folder / "etc/apt/sources.list.d/oauth-stdio.list"

    def install(folder: Path) -> None:
        shutil.rmtree(repository, ignore_errors=True)
        shutil.copytree(folder / "apt", repository)
        system.run("apt-get", "update", "-q")
        said = system.run("apt-get", "install", "-qy", "oauth-stdio")
        check(LEAVING not in said, f"{system.name}: installing speaks of no end")

    shutil.copy(packages / "apt" / "oauth-stdio-archive-keyring.gpg", key)
    source.write_text("deb [signed-by=/usr/share/keyrings/oauth-stdio.gpg] file:/opt/apt stable main\n")
    install(former)
    listed = system.run("dpkg", "-L", "oauth-stdio").split()
    check(all((system.folder / name.lstrip("/")).exists() for name in listed), f"{system.name}: apt installs {PREVIOUS} from the signed repository")
    system.sign_in("/usr/bin/oauth-stdio", port, lambda: install(packages))
    status = system.run("dpkg-query", "-W", "-f", "oauth-stdio ${Version}\n", "oauth-stdio")
    check(system.run("oauth-stdio", "--version") == status == version, f"{system.name}: apt has upgraded it to {version.strip()}")
    said = system.run("apt-get", "remove", "-qy", "oauth-stdio")
    check("logins stay in ~/.local/share/oauth-stdio" in said and LEAVING in said, f"{system.name}: removing tells what stays")
    for path in (key, source):
        path.unlink()
    shutil.rmtree(repository)


def try_npm(system: System, packages: Path, former: Path, version: str, port: int) -> None:
    folder = system.folder / "opt" / "npm"
    words = ["--prefix", "/opt/npm", "--offline", "--no-audit", "--no-fund", "--cache", "/opt/npm/cache"]

    def install(files: Path) -> None:
        shutil.rmtree(folder / "files", ignore_errors=True)
        (folder / "files").mkdir(parents=True)
        names = [shutil.copy(file, folder / "files") and f"/opt/npm/files/{file.name}" for file in sorted(files.glob("*.tgz"))]
        system.run("npm", "install", *words, *names)

    install(former)
    system.sign_in("/opt/npm/node_modules/.bin/oauth-stdio", port, lambda: install(packages))
    check(system.run("/opt/npm/node_modules/.bin/oauth-stdio", "--version") == version, f"{system.name}: npm has upgraded it to {version.strip()}")
    system.run("npm", "uninstall", *words, "oauth-stdio", "oauth-stdio-linux-x64")
    check(not list((folder / "node_modules").glob("*oauth*")), f"{system.name}: npm removes both parts")
    shutil.rmtree(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("releases", nargs="*", default=USUAL)
    parser.add_argument("--twice", action="store_true")
    parser.add_argument("--here", action="store_true")
    options = parser.parse_args()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        # Most of installing a system is waiting for the mirror, so it runs beside the build.
        systems = [pool.submit(bootstrap, release) for release in options.releases]
        packages = build_here() if options.here else build("first")
        run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=packages)
        former = previous(packages)
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
                try_packages(System(folder), packages, former, port)
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
