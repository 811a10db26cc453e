"""A backend of the library keyring (https://pypi.org/project/keyring/): twine, poetry and others use a login for the hosts that it serves.

It stands beside the package `oauth_stdio`, because it also runs with Python 3.8, and every program with keyring loads it.
"""

from __future__ import annotations

import json
import logging
import re
import shutil
import subprocess
import sysconfig

from keyring.backend import KeyringBackend
from keyring.credentials import Credential, SimpleCredential
from keyring.errors import NoKeyringError

# The program says whether the token may go there. Programs also ask for a host alone, to which it might go without TLS, and for other services.
SERVER = re.compile(r"https?://[^/?#\s]\S*")

# The one that was installed with this module, or the one in PATH.
PROGRAM = shutil.which("oauth-stdio", path=sysconfig.get_path("scripts")) or shutil.which("oauth-stdio")

NO_KEYRING = "oauth-stdio stores no passwords, and this system has no keyring that does. Install one, such as keyrings.alt"

log = logging.getLogger("oauth_stdio")


class NothingStored(NotImplementedError, NoKeyringError):
    """The backend stores no passwords. keyring's chainer then stores one in the user's keyring; without one, this is what keyring raises."""


class Keyring(KeyringBackend):
    """Asks the program for the hosts of its accounts. It comes before the user's keyring, which may be locked, and leaves all else to it."""

    # Without the program, keyring does not use the backend.
    priority = 9 if PROGRAM else -1

    def get_credential(self, service: str, username: str | None) -> Credential | None:
        if not PROGRAM or not SERVER.fullmatch(service):
            return None
        command = [PROGRAM, "keyring", "--mode", "creds", "--output", "json", "get", service, *([username] if username else [])]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True, text=True)
            answer = json.loads(done.stdout)
            return SimpleCredential(answer["username"], answer["password"])
        except subprocess.CalledProcessError as error:
            # The program says nothing of a server without an account. Other keyrings may have a password.
            if error.stderr.strip():
                log.warning("%s", error.stderr.strip())
        except (OSError, ValueError, KeyError, TypeError) as error:
            log.debug("oauth-stdio keyring: %r", error)
        return None

    def get_password(self, service: str, username: str) -> str | None:
        credential = self.get_credential(service, username)
        return credential.password if credential else None

    def set_password(self, service: str, username: str, password: str) -> None:
        raise NothingStored(NO_KEYRING)

    def delete_password(self, service: str, username: str) -> None:
        raise NothingStored(NO_KEYRING)
