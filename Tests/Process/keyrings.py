"""A real gnome-keyring in a D-Bus session of its own, without a desktop."""

import os
import re
import signal
import subprocess
import time

PASSWORD = b"the password"


class Keyring:
    """The session's programs keep their state in `folder`."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "run").mkdir(parents=True, mode=0o700)
        own = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder / "run"), "XDG_DATA_HOME": str(folder / "data"), "PATH": os.environ["PATH"]}
        self.bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=own
        )
        address = self.bus.stdout.readline().decode().strip()
        # What the program under test needs to find the keyring.
        self.environment = {"DBUS_SESSION_BUS_ADDRESS": address}
        self.own = {**own, **self.environment}
        self.daemon = None

    def start(self, password: bytes | None) -> None:
        """Starts the daemon. Without a password, the keyring stays locked."""
        self.stop()
        command = ["gnome-keyring-daemon", "--foreground", "--components=secrets"]
        if password is not None:
            command.append("--unlock")
        self.daemon = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.own
        )
        self.daemon.stdin.write(password or b"")
        self.daemon.stdin.close()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            owner = self.owner()
            if owner == self.daemon.pid and (password is None or self.is_unlocked()):
                return
            if owner not in (None, self.daemon.pid):
                # A program that asked while no daemon ran has made the bus start one, which stays locked.
                os.kill(owner, signal.SIGKILL)
                return self.start(password)
            time.sleep(0.05)
        raise RuntimeError("gnome-keyring-daemon does not offer the Secret Service")

    def owner(self) -> int | None:
        """Returns the process that offers the Secret Service."""
        shown = subprocess.run(
            ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
             "org.freedesktop.DBus.GetConnectionUnixProcessID", "string:org.freedesktop.secrets"],
            env=self.own, capture_output=True, text=True).stdout
        found = re.search(r"uint32 (\d+)", shown)
        return int(found[1]) if found else None

    def is_unlocked(self) -> bool:
        """The daemon offers the service before its keyring is unlocked."""
        shown = subprocess.run(
            ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets/collection/login",
             "org.freedesktop.DBus.Properties.Get", "string:org.freedesktop.Secret.Collection", "string:Locked"],
            env=self.own, capture_output=True).stdout
        return b"boolean false" in shown

    def keys(self) -> list[str]:
        """Returns the identifiers of the keys in the keyring."""
        shown = subprocess.run(
            ["secret-tool", "search", "--all", "xdg:schema", "io.github.oauth-stdio.StoreKey"], env=self.own, capture_output=True, text=True
        )
        return re.findall(r"^attribute\.id = (.*)$", shown.stdout + shown.stderr, re.M)

    def forget(self, identifier: str) -> None:
        subprocess.run(["secret-tool", "clear", "id", identifier], env=self.own, check=True)

    def pause(self) -> None:
        self.daemon.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.daemon.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        if self.daemon:
            self.daemon.send_signal(signal.SIGCONT)
            self.daemon.terminate()
            self.daemon.wait(60)
            self.daemon = None

    def close(self) -> None:
        self.stop()
        self.bus.terminate()
        self.bus.wait(60)
