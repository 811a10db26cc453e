#!/usr/bin/env python3
"""Prints the SBOM of a program as SPDX 2.3: `sbom.py PROGRAM VERSION RESOLVED CHECKOUTS`.

RESOLVED is SwiftPM's Package.resolved, and CHECKOUTS is the folder of the packages' sources. The time is that of SOURCE_DATE_EPOCH.
The commits of Package.resolved are left out, because they differ from mirror to mirror; the versions do not.
"""

import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def identifier(name: str) -> str:
    """Returns the name as SPDX allows it in an ID."""
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(name: str, version: str | None, licence: str, locator: str | None = None, location: str = "NOASSERTION") -> dict:
    found = {
        "SPDXID": identifier(name),
        "name": name,
        "versionInfo": version,
        "downloadLocation": location,
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
    }
    if locator:
        found["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}]
    return {key: value for key, value in found.items() if value is not None}


def swift_packages(resolved: Path, checkouts: Path) -> list[dict]:
    found = []
    for pin in json.loads(resolved.read_text())["pins"]:
        version = pin["state"]["version"]
        address = pin["location"].removesuffix(".git")
        locator = f"pkg:swift/{address.removeprefix('https://')}@{version}"
        text = (checkouts / Path(address).name / "LICENSE.txt").read_text()
        licence = "Apache-2.0 WITH Swift-exception" if "Runtime Library Exception" in text else "Apache-2.0"
        found.append(package(pin["identity"], version, licence, locator, f"git+{address}@{version}"))
    return found


def boringssl(checkouts: Path) -> dict:
    text = (checkouts / "swift-crypto" / "Sources" / "CCryptoBoringSSL" / "hash.txt").read_text()
    revision = re.search(r"revision ([0-9a-f]{40})", text)[1]
    address = "https://boringssl.googlesource.com/boringssl"
    return package("boringssl", revision, "Apache-2.0", f"pkg:generic/boringssl@{revision}", f"git+{address}@{revision}")


def llhttp(checkouts: Path) -> dict:
    """Returns the parser within SwiftNIO."""
    text = (checkouts / "swift-nio" / "Sources" / "CNIOLLHTTP" / "include" / "c_nio_llhttp.h").read_text()
    version = ".".join(re.search(rf"#define LLHTTP_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))
    address = "https://github.com/nodejs/llhttp"
    return package("llhttp", version, "MIT", f"pkg:github/nodejs/llhttp@{version}", f"git+{address}@v{version}")


def linked(resolved: Path, checkouts: Path) -> list[dict]:
    """Returns what the linker puts into the program."""
    jansson = output("pkg-config", "--modversion", "jansson")
    swift = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    gcc = Path(output("clang", "-print-file-name=libstdc++.a")).parent.name
    return [
        *swift_packages(resolved, checkouts),
        package("jansson", jansson, "MIT", f"pkg:generic/jansson@{jansson}"),
        package("swift-runtime", swift, "Apache-2.0 WITH Swift-exception", f"pkg:swift/github.com/swiftlang/swift@{swift}"),
        package("libstdc++", gcc, "GPL-3.0-or-later WITH GCC-exception-3.1", f"pkg:generic/gcc@{gcc}"),
    ]


# What the program opens by name when it needs it, in the version of the machine on which it runs.
OPENED = {
    "RUNTIME_DEPENDENCY_OF": [package("libcurl", None, "curl")],
    "OPTIONAL_DEPENDENCY_OF": [package("libsecret", None, "LGPL-2.1-or-later"), package("libpq", None, "PostgreSQL")],
}


def document(program: Path, version: str, resolved: Path, checkouts: Path) -> dict:
    digest = hashlib.sha256(program.read_bytes()).hexdigest()
    created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    own = package("oauth-stdio", version, "Apache-2.0", f"pkg:generic/oauth-stdio@{version}")
    own |= {"primaryPackagePurpose": "APPLICATION", "checksums": [{"algorithm": "SHA256", "checksumValue": digest}]}
    parts, contained = linked(resolved, checkouts), {"swift-crypto": boringssl(checkouts), "swift-nio": llhttp(checkouts)}
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"])]
    relations += [(own["SPDXID"], "STATIC_LINK", part["SPDXID"]) for part in parts]
    relations += [(identifier(name), "CONTAINS", part["SPDXID"]) for name, part in contained.items()]
    relations += [(part["SPDXID"], kind, own["SPDXID"]) for kind, opened in OPENED.items() for part in opened]
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"oauth-stdio-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/oauth-stdio-{version}-{digest}",
        "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: oauth-stdio-sbom"]},
        "packages": [own, *parts, *contained.values(), *(part for opened in OPENED.values() for part in opened)],
        "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other} for one, kind, other in relations],
    }


if __name__ == "__main__":
    print(json.dumps(document(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])), indent=2))
