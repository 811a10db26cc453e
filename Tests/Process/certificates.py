"""Certificates of an authority of a test, for servers and clients."""

import datetime
import ipaddress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import pkcs12


class Authority:
    """Issues certificates. `folder` gets a file for each, and `ca.pem`."""

    def __init__(self, folder: Path, name: str = "authority"):
        self.folder, self.name = folder, name
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.certificate = self.issue(name, self.key, True)
        self.file = folder / f"{name}.pem"
        self.file.write_bytes(pem(self.certificate))

    def issue(self, name: str, key, is_authority: bool = False, days: int = 2, begin: int = -9, names: list[str] = ["localhost"]):
        now = datetime.datetime.now(datetime.timezone.utc)
        return (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)]))
            .issuer_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, self.name)]))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=-begin))
            .not_valid_after(now + datetime.timedelta(days=days))
            .add_extension(x509.BasicConstraints(is_authority, None), True)
            .add_extension(x509.SubjectAlternativeName(
                [x509.DNSName(each) for each in names] + [x509.IPAddress(ipaddress.ip_address("127.0.0.1"))] * (names == ["localhost"])), False)
            .sign(self.key, hashes.SHA256())
        )

    def client(self, name: str, days: int = 2) -> "Identity":
        key = ec.generate_private_key(ec.SECP256R1())
        return Identity(name, self.issue(name, key, days=days), key)

    def server(self) -> Path:
        """Returns a file with certificate and key."""
        file = self.folder / "server.pem"
        file.write_text(self.client("localhost").combined)
        return file


def pem(certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


class Identity:
    """A client's certificate and key."""

    def __init__(self, name: str, certificate, key):
        self.name, self.of, self.private = name, certificate, key
        self.certificate = pem(certificate).decode()
        self.key = self.locked(None)

    def locked(self, password: str | None) -> str:
        """Returns the key in PEM, encrypted with the password."""
        way = serialization.BestAvailableEncryption(password.encode()) if password else serialization.NoEncryption()
        return self.private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, way).decode()

    def pkcs12(self, password: str) -> bytes:
        way = serialization.BestAvailableEncryption(password.encode()) if password else serialization.NoEncryption()
        return pkcs12.serialize_key_and_certificates(self.name.encode(), self.private, self.of, None, way)

    @property
    def combined(self) -> str:
        return self.certificate + self.key

    @property
    def params(self) -> dict:
        return {"certificate": self.certificate, "key": self.key}
