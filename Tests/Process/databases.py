"""A real PostgreSQL server on a free port, with its files in a folder of its own."""

import glob
import os
import pwd
import shutil
import subprocess
import time

from ports import reserve_port

PASSWORD = "s3cr3t-database"


class Database:
    """PostgreSQL refuses to run as root. For root, it runs as the package's user."""

    def __init__(self, folder):
        self.programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.folder = folder
        self.port = reserve_port()
        self.user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        folder.mkdir(parents=True)
        if os.geteuid() == 0:
            shutil.chown(folder, self.user)
            for parent in list(folder.parents)[:6]:
                if parent.stat().st_mode & 0o011 != 0o011 and str(parent) != "/":
                    parent.chmod(parent.stat().st_mode | 0o011)
        password = folder / "password"
        password.write_text(PASSWORD)
        shutil.chown(password, self.user)
        self.run("initdb", "-D", folder / "data", "-U", "tester", "-A", "scram-sha-256", f"--pwfile={password}", "--no-sync")
        with (folder / "data" / "postgresql.conf").open("a") as settings:
            settings.write(
                f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = off\nmax_connections = 200\n"
            )

    def run(self, program, *arguments, check=True):
        command = [os.path.join(self.programs, program), *map(str, arguments)]
        if os.geteuid() == 0:
            command = ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups", *command]
        return subprocess.run(command, check=check, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", stdin=subprocess.DEVNULL)

    def start(self):
        # While the server was down, a client's connection may have taken its port for a moment.
        for attempt in range(20):
            done = self.run("pg_ctl", "start", "-w", "-D", self.folder / "data", "-l", self.folder / "log", check=False)
            if done.returncode == 0:
                return self
            time.sleep(0.5)
        raise RuntimeError(f"PostgreSQL does not start:\n{(self.folder / 'log').read_text()[-2000:]}")

    def stop(self, mode: str = "fast"):
        self.run("pg_ctl", "stop", "-w", "-D", self.folder / "data", "-m", mode, check=False)

    def restart(self, mode: str = "fast"):
        self.stop(mode)
        self.start()

    def signal(self, name: str):
        """Sends a signal to every process of the server."""
        identifier = (self.folder / "data" / "postmaster.pid").read_text().split("\n")[0] if self.is_running else "0"
        if identifier == "0":
            return
        children = subprocess.run(["pgrep", "-P", identifier], capture_output=True, text=True).stdout.split()
        subprocess.run(["kill", f"-{name}", identifier, *children], stderr=subprocess.DEVNULL)

    @property
    def is_running(self) -> bool:
        return (self.folder / "data" / "postmaster.pid").exists()

    @property
    def uri(self) -> str:
        return f"postgresql://tester:{PASSWORD}@127.0.0.1:{self.port}/postgres"

    def query(self, statement: str) -> list[list[str]]:
        done = subprocess.run(
            [os.path.join(self.programs, "psql"), self.uri, "-AtqX", "-F", "\t", "-c", statement], check=True, capture_output=True, text=True
        )
        return [line.split("\t") for line in done.stdout.splitlines()]

    def wait_until(self, condition, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline
            time.sleep(0.02)


if __name__ == "__main__":
    # For Tests/run.sh: prints the URI of a server that runs until the end of input.
    import pathlib
    import sys
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        database = Database(pathlib.Path(folder) / "database").start()
        try:
            print(database.uri, flush=True)
            sys.stdin.read()
        finally:
            database.stop("immediate")
