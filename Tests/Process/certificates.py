"""A certificate authority of the tests, with a server's and a client's certificate."""

import datetime
import ipaddress
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat, load_pem_private_key, pkcs12,
)  # fmt: skip
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID


@dataclass
class Issued:
    """A certificate and its key, as PEM."""

    certificate: str
    key: str

    @property
    def params(self) -> dict:
        return {"certificate": self.certificate, "key": self.key}

    @property
    def combined(self) -> str:
        return self.certificate + self.key

    @property
    def private(self):
        return load_pem_private_key(self.key.encode(), None)

    def locked(self, password: str) -> str:
        """Returns the encrypted key."""
        return self.private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(password.encode())).decode()

    def pkcs12(self, password: str) -> bytes:
        certificate = x509.load_pem_x509_certificate(self.certificate.encode())
        return pkcs12.serialize_key_and_certificates(b"client", self.private, certificate, None, BestAvailableEncryption(password.encode()))

    def write(self, folder: Path, name: str) -> None:
        (folder / f"{name}.pem").write_text(self.certificate)
        (folder / f"{name}.key").write_text(self.key)


class Authority:
    """Issues certificates that are valid for a day. Its own is `certificate`."""

    def __init__(self, name: str = "Authority"):
        self.name = named(name)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.certificate = self.issue(name, is_authority=True).certificate

    def issue(self, name: str, usage=None, is_authority: bool = False, days: int = 1) -> Issued:
        key = self.key if is_authority else ec.generate_private_key(ec.SECP256R1())
        now = datetime.datetime.now(datetime.timezone.utc)
        builder = (
            x509.CertificateBuilder().subject_name(named(name)).issuer_name(self.name).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=2)).not_valid_after(now + datetime.timedelta(days=days))
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        )
        if usage:
            builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
            is_server = usage == ExtendedKeyUsageOID.SERVER_AUTH
            places = [x509.IPAddress(ipaddress.ip_address("127.0.0.1")), x509.DNSName("localhost")] if is_server else [x509.DNSName(name + ".example")]
            builder = builder.add_extension(x509.SubjectAlternativeName(places), critical=False)
        made = builder.sign(self.key, hashes.SHA256())
        private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        return Issued(made.public_bytes(Encoding.PEM).decode(), private)

    def server(self) -> Issued:
        return self.issue("server", ExtendedKeyUsageOID.SERVER_AUTH)

    def client(self, name: str = "tls", days: int = 1) -> Issued:
        return self.issue(name, ExtendedKeyUsageOID.CLIENT_AUTH, days=days)

    def write(self, folder: Path) -> None:
        """Writes `ca.pem`, and `server` and `client`, each with .pem and .key."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "ca.pem").write_text(self.certificate)
        self.server().write(folder, "server")
        self.client().write(folder, "client")


def named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Tests"), x509.NameAttribute(NameOID.COMMON_NAME, name)])
