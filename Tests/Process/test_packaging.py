"""Sources/packaging: what the packages contain. Tests/packaging.py builds them and installs them in new systems."""

import base64
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile

import pytest

from rpc import BINARY, ROOT

PACKAGING = ROOT / "Sources" / "packaging"
VERSION = subprocess.run([BINARY, "--version"], capture_output=True, check=True, text=True).stdout.split()[1]

pytestmark = [
    pytest.mark.ci, pytest.mark.skipif(not shutil.which("dpkg-deb") or not (ROOT / ".git").exists(), reason="packages a commit for Debian")]


def package(folder, **environment):
    """Packages a script in place of the program, because compressing the program takes long."""
    program = folder / "a build" / "release" / "oauth-stdio"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{BINARY}" "$@"\n')
    program.chmod(0o700)
    (folder / "a build" / "checkouts").symlink_to(ROOT / ".build" / "checkouts")
    output = folder / "some packages"
    environment = {**os.environ, "OAUTH_STDIO": str(program), **environment}
    done = subprocess.run([PACKAGING / "build.sh", output], capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done
    last = ["SHA256SUMS", "apt"] if "SIGNING_KEY" in environment else ["SHA256SUMS"]
    assert done.stdout.splitlines() == [str(output / name) for name in [*names(output), *last]]
    return output


@pytest.fixture(scope="module")
def signing_key(tmp_path_factory):
    """A maintainer's key."""
    home = tmp_path_factory.mktemp("gpg")
    home.chmod(0o700)
    # The signature has the time of the commit, so the key must be older.
    gpg = ["gpg", "--homedir", home, "--batch", "--quiet", "--faked-system-time", "20200101T000000"]
    run(*gpg, "--passphrase", "", "--quick-generate-key", "Maintainer <m@example.org>", "ed25519", "sign", "never")
    key = home / "key.asc"
    key.write_text(run(*gpg, "--armor", "--export-secret-keys"))
    run("gpgconf", "--homedir", home, "--kill", "all")
    return key


def names(output) -> list[str]:
    return [line.split()[1] for line in (output / "SHA256SUMS").read_text().splitlines()]


def only(folder, pattern: str):
    (found,) = folder.glob(pattern)
    return found


def run(*words, **options) -> str:
    return subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True, timeout=60, **options).stdout


@pytest.fixture(scope="module")
def packages(tmp_path_factory, signing_key):
    return package(tmp_path_factory.mktemp("packages"), SIGNING_KEY=str(signing_key))


def test_the_checksums_are_those_of_all_files(packages):
    assert run("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS", cwd=packages) == ""
    assert sorted([*names(packages), "SHA256SUMS", "apt"]) == sorted(path.name for path in packages.iterdir())
    assert len(names(packages)) == (8 if platform.machine() == "x86_64" else 6)


def test_another_folder_time_zone_language_and_mask_give_the_same_bytes(packages, tmp_path, signing_key):
    mask = os.umask(0o077)
    try:
        second = package(tmp_path, TZ="Asia/Tokyo", LANG="de_DE.UTF-8", GZIP="-1", XZ_DEFAULTS="-T2", SIGNING_KEY=str(signing_key))
    finally:
        os.umask(mask)
    assert (second / "SHA256SUMS").read_text() == (packages / "SHA256SUMS").read_text()
    assert (second / "apt/dists/stable/InRelease").read_bytes() == (packages / "apt/dists/stable/InRelease").read_bytes()


def test_the_debian_package_has_its_files_where_debian_looks(packages, tmp_path):
    deb = only(packages, "*.deb")
    assert deb.name.startswith(f"oauth-stdio_{VERSION}_")
    listed = [line.split() for line in run("dpkg-deb", "--contents", deb).splitlines()]
    assert {words[1] for words in listed} == {"root/root"}
    assert {words[0] for words in listed} == {"drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x"}
    assert sorted(words[5] for words in listed if not words[5].endswith("/")) == [
        "./usr/bin/oauth-stdio",
        "./usr/share/bash-completion/completions/oauth-stdio",
        "./usr/share/doc/oauth-stdio/README.md",
        "./usr/share/doc/oauth-stdio/changelog.gz",
        "./usr/share/doc/oauth-stdio/copyright",
        "./usr/share/fish/vendor_completions.d/oauth-stdio.fish",
        "./usr/share/man/man1/oauth-stdio.1.gz",
        "./usr/share/zsh/vendor-completions/_oauth-stdio",
    ]
    run("dpkg-deb", "--raw-extract", deb, tmp_path)
    assert run("md5sum", "--check", "--strict", "--quiet", "DEBIAN/md5sums", cwd=tmp_path) == ""
    # No file outlives the package as a conffile or a postrm would, and the only script tells what stays.
    assert sorted(path.name for path in (tmp_path / "DEBIAN").iterdir()) == ["control", "md5sums", "prerm"]
    said = {word: subprocess.run([tmp_path / "DEBIAN/prerm", word], capture_output=True, check=True, text=True).stderr for word in ("remove", "upgrade")}
    assert "~/.local/share/oauth-stdio" in said["remove"] and "oauth-stdio logout --all" in said["remove"] and not said["upgrade"]
    assert run(BINARY, "--man") == run("gzip", "-dc", tmp_path / "usr/share/man/man1/oauth-stdio.1.gz")


def test_the_debian_package_depends_on_what_the_program_opens(packages):
    fields = run("dpkg-deb", "--field", only(packages, "*.deb"), "Depends", "Recommends", "Suggests")
    sources = "".join(path.read_text() for path in (ROOT / "Sources").glob("C*/*.c"))
    for library, name in {
        "libcurl.so.4": "libcurl4",
        "libcurl-gnutls.so.4": "libcurl3-gnutls",
        "libsecret-1.so.0": "libsecret-1-0",
        "libpq.so.5": "libpq5",
    }.items():
        assert f'"{library}"' in sources and name in fields
    assert "libjansson" not in fields


def test_the_tarball_is_a_prefix_that_runs_where_it_is_unpacked(packages, tmp_path):
    path = only(packages, "*-linux-*.tar.gz")
    top = path.name.removesuffix(".tar.gz")
    with tarfile.open(path) as archive:
        members = archive.getmembers()
        assert {(member.uid, member.gid) for member in members} == {(0, 0)} and len({member.mtime for member in members}) == 1
    run("tar", "-xzf", path, "-C", tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == [top]
    assert sorted(str(file.relative_to(tmp_path / top)) for file in (tmp_path / top).rglob("*") if file.is_file()) == [
        "bin/oauth-stdio",
        "share/bash-completion/completions/oauth-stdio",
        "share/doc/oauth-stdio/LICENSE",
        "share/doc/oauth-stdio/README.md",
        "share/doc/oauth-stdio/copyright",
        "share/fish/vendor_completions.d/oauth-stdio.fish",
        "share/man/man1/oauth-stdio.1",
        "share/zsh/site-functions/_oauth-stdio",
    ]
    assert run(tmp_path / top / "bin" / "oauth-stdio", "--version") == f"oauth-stdio {VERSION}\n"


def test_the_wheel_carries_the_program(packages, tmp_path):
    wheel = only(packages, "*.whl")
    assert wheel.name == f"oauth_stdio-{VERSION}-py3-none-manylinux_2_35_{platform.machine()}.whl"
    run(sys.executable, "-m", "venv", tmp_path / "environment")
    run(tmp_path / "environment/bin/pip", "install", "--no-index", "--disable-pip-version-check", wheel)
    assert run(tmp_path / "environment/bin/oauth-stdio", "--version") == f"oauth-stdio {VERSION}\n"
    # pip does not check RECORD, and uv only warns.
    with zipfile.ZipFile(wheel) as archive:
        (record,) = [name for name in archive.namelist() if name.endswith("/RECORD")]
        for line in archive.read(record).decode().splitlines():
            path, digest, size = line.split(",")
            content = archive.read(path)
            made = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            assert path == record or (digest, size) == (f"sha256={made}", str(len(content)))


def test_the_wheel_carries_the_package_and_the_backend_for_keyring(packages, tmp_path):
    python = tmp_path / "environment/bin/python"
    run(sys.executable, "-m", "venv", tmp_path / "environment")
    run(python, "-m", "pip", "install", "--no-index", "--disable-pip-version-check", only(packages, "*.whl"))
    # The program that came with the package precedes the one in PATH.
    script = "from oauth_stdio import Login; from oauth_stdio.shared_process import find_program; print(find_program())"
    assert run(python, "-c", script) == f"{tmp_path}/environment/bin/oauth-stdio\n"
    libraries = ROOT / ".build-tests/hosts/lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    listed = run(python, "-m", "keyring", "--list-backends", env={**os.environ, "PYTHONPATH": str(libraries)})
    assert "oauth_stdio_keyring.Keyring (priority: 9)" in listed
    # pip installs the same from the folder.
    settings = tomllib.loads((ROOT / "examples/python/pyproject.toml").read_text())["project"]
    assert settings["entry-points"] == {"keyring.backends": {"oauth-stdio": "oauth_stdio_keyring"}}


def test_the_repository_is_signed(packages, tmp_path):
    """Tests/packaging.py installs from it."""
    apt = packages / "apt"
    release = apt / "dists/stable"
    for signature in (["InRelease"], ["Release.gpg", "Release"]):
        run("gpgv", "--keyring", apt / "oauth-stdio-archive-keyring.gpg", *(release / name for name in signature))
    (packages_file,) = release.glob("main/*/Packages")
    digest = hashlib.sha256(packages_file.read_bytes()).hexdigest()
    assert f" {digest} " in (release / "Release").read_text()
    (deb,) = (apt / "pool").iterdir()
    assert f"SHA256: {hashlib.sha256(deb.read_bytes()).hexdigest()}" in packages_file.read_text()
    assert not [path for path in apt.rglob("*") if path.is_file() and b"PRIVATE" in path.read_bytes()]


@pytest.fixture(scope="module")
def npm(packages, tmp_path_factory):
    """The command, as npm installs it without a network."""
    if not shutil.which("npm") or platform.machine() != "x86_64":
        pytest.skip("needs npm on x86_64")
    folder = tmp_path_factory.mktemp("npm")
    run("npm", "install", "--prefix", folder, "--offline", "--no-audit", "--no-fund", *sorted(packages.glob("*.tgz")))
    return folder / "node_modules/.bin/oauth-stdio"


def test_npm_runs_the_program_with_its_status_and_signals(npm):
    assert run(npm, "--version") == f"oauth-stdio {VERSION}\n"
    assert subprocess.run([npm, "nonsense"], capture_output=True).returncode == 2
    assert run(npm, input='{"jsonrpc":"2.0","id":1,"method":"accounts"}\n', env={**os.environ, "HOME": str(npm.parent)}).startswith('{"jsonrpc"')
    with subprocess.Popen([npm, "--store", "memory"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        process.stdin.write('{"jsonrpc":"2.0","id":1,"method":"accounts"}\n')
        process.stdin.flush()
        assert process.stdout.readline()
        process.terminate()
        assert process.wait(60) == 143


def test_npm_says_what_to_do_where_the_part_is_missing(npm):
    part = npm.parents[1] / "oauth-stdio-linux-x64"
    part.rename(npm.parents[1] / "elsewhere")
    try:
        done = subprocess.run([npm, "--version"], capture_output=True, text=True)
    finally:
        (npm.parents[1] / "elsewhere").rename(part)
    assert done.returncode == 1 and "npm has no package oauth-stdio-linux-x64 here" in done.stderr and "examples/install.sh" in done.stderr


def test_the_sbom_names_each_linked_library(packages):
    sbom = json.loads(only(packages, "*.spdx.json").read_text())
    assert sbom["spdxVersion"] == "SPDX-2.3" and sbom["dataLicense"] == "CC0-1.0"
    found = {package["name"]: package for package in sbom["packages"]}
    versions = {pin["identity"]: pin["state"]["version"] for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]}
    versions |= {"oauth-stdio": VERSION, "jansson": run("pkg-config", "--modversion", "jansson").strip()}
    assert versions == {name: found[name]["versionInfo"] for name in versions}
    assert {"swift-crypto", "boringssl", "swift-nio", "llhttp", "swift-runtime", "libstdc++", "libcurl"} <= found.keys()
    with tarfile.open(only(packages, "*-linux-*.tar.gz")) as archive:
        program = next(member for member in archive.getmembers() if member.name.endswith("/bin/oauth-stdio"))
        digest = hashlib.sha256(archive.extractfile(program).read()).hexdigest()
    assert found["oauth-stdio"]["checksums"] == [{"algorithm": "SHA256", "checksumValue": digest}]
    identifiers = [package["SPDXID"] for package in sbom["packages"]]
    ends = {relation[end] for relation in sbom["relationships"] for end in ("spdxElementId", "relatedSpdxElement")}
    assert len(identifiers) == len(set(identifiers)) and ends == {*identifiers, "SPDXRef-DOCUMENT"}


# Homebrew's words that the formula uses, on a system that is `system`. Prints what a download needs, and installs from the current folder.
HOMEBREW = r"""
require "fileutils"
require "json"
require "pathname"
$system, $prefix = ARGV[1], Pathname.new(ARGV[2])
module OS
  def self.mac? = $system == "macos"
end
class Pathname
  def install(*names) = names.each { |name| FileUtils.cp_r(name, self) }
end
class Formula
  class << self
    attr_reader :facts
    %i[desc homepage version license url sha256].each { |word| define_method(word) { |value| (@facts ||= {})[word] = value } }
    def on_linux = ($system == "linux" and yield)
    def on_macos = ($system == "macos" and yield)
    def on_intel = yield
    def depends_on(_) = nil
    def test = nil
  end
  def prefix = $prefix
end
load ARGV[0]
OauthStdio.new.install unless OS.mac?
puts JSON.generate(OauthStdio.facts)
"""


@pytest.mark.skipif(not shutil.which("ruby"), reason="reads a formula")
@pytest.mark.parametrize("system, pattern", [("linux", "*-linux-*.tar.gz"), ("macos", f"oauth-stdio-{VERSION}.tar.gz")])
def test_the_formula_downloads_and_installs_the_tarball(packages, tmp_path, system, pattern):
    formula, archive = packages / "oauth-stdio.rb", only(packages, pattern)
    assert "@" not in formula.read_text()
    assert run("ruby", "-wc", formula) == "Syntax OK\n"
    unpacked, prefix = tmp_path / "unpacked", tmp_path / "prefix"
    unpacked.mkdir()
    prefix.mkdir()
    run("tar", "-xzf", archive, "--strip-components=1", "-C", unpacked)
    facts = json.loads(run("ruby", "-e", HOMEBREW, formula, system, prefix, cwd=unpacked))
    assert facts["sha256"] == hashlib.sha256(archive.read_bytes()).hexdigest()
    assert facts["url"].rpartition("/")[2] == archive.name and facts["version"] == VERSION
    if system == "linux":
        assert run(prefix / "bin" / "oauth-stdio", "--version") == f"oauth-stdio {VERSION}\n"
    else:
        # What the formula runs in the source.
        assert (unpacked / "Package.swift").exists() and os.access(unpacked / "examples" / "install.sh", os.X_OK)


@pytest.mark.skipif("OAUTH_STDIO" in os.environ or not shutil.which("readelf"), reason="looks at a release binary of Linux")
def test_the_tested_program_is_fit_for_a_package():
    done = subprocess.run([PACKAGING / "check.sh", BINARY, ROOT], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_script_builds_the_release_alike():
    """What is tested and measured is what is shipped."""
    for name in [
        "Sources/packaging/build.sh", "Sources/packaging/formula.rb", "examples/install.sh", "examples/quickstart.sh", "Tests/run.sh",
        "Tests/regenerate.sh", "Tests/Benchmarks/run.sh",
    ]:
        text = (ROOT / name).read_text()
        assert "release.sh" in text and "swift build -c release" not in text, name


@pytest.mark.skipif(not shutil.which("cc") or not shutil.which("readelf"), reason="compiles a program")
def test_the_check_finds_the_path_of_the_build_and_late_symbols(tmp_path):
    source, program = tmp_path / "main.c", tmp_path / "main"
    source.write_text('#include <stdio.h>\nint main(void) { return puts(__FILE__) < 0; }\n')

    def faults(*flags) -> list[str]:
        run("cc", "-o", program, source, *flags)
        done = subprocess.run([PACKAGING / "check.sh", program, tmp_path], capture_output=True, text=True, timeout=60)
        assert (done.returncode == 0) == (done.stderr == "")
        return [line.removeprefix(f"{program} ") for line in done.stderr.splitlines()]

    good = ["-s", "-Wl,-z,now", f"-ffile-prefix-map={tmp_path}=."]
    assert faults(*good) == []
    assert faults(*good[:2]) == [f"contains the path of its build, {tmp_path}"]
    assert faults(*good, "-Wl,-rpath,/elsewhere") == ["looks for libraries in a folder of its build"]
    assert faults("-s", "-Wl,-z,lazy", good[2]) == ["resolves symbols late, so that its table of them stays writable"]
    assert faults(*good[1:]) == ["has symbols or debugging information"]
