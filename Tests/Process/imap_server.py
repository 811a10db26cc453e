"""A small IMAP server (RFC 3501) with TLS, for mail programs that sign in with a token: one folder with one mail."""

import base64
import re
import socketserver
import ssl
import threading

from ports import reserve_port

MAIL = b"From: a@example.com\r\nSubject: hello\r\n\r\ntext\r\n"
FETCHED = b'UID 1 FLAGS () RFC822.SIZE %d INTERNALDATE "01-Nov-2026 00:00:00 +0000"' % len(MAIL)
CAPABILITIES = b"* CAPABILITY IMAP4rev1 SASL-IR AUTH=OAUTHBEARER AUTH=XOAUTH2"
# What a command gets before its OK.
ANSWERS = {
    "CAPABILITY": [CAPABILITIES],
    "LIST": [b'* LIST () "/" INBOX'],
    "STATUS": [b"* STATUS INBOX (MESSAGES 0 RECENT 0 UNSEEN 0 UIDNEXT 1 UIDVALIDITY 1)"],
    "SELECT": [b"* 1 EXISTS", b"* 0 RECENT", b"* FLAGS ()", b"* OK [UIDVALIDITY 1] UIDs", b"* OK [UIDNEXT 2] next"],
    "SEARCH": [b"* SEARCH 1"],
    "LOGOUT": [b"* BYE"],
}
ANSWERS["EXAMINE"] = ANSWERS["SELECT"]


class IMAPServer:
    """Calls `accept(token)` for a token of `living()`. `certificate` is a file that includes the key."""

    def __init__(self, certificate, living, accept):
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate)

        class Session(socketserver.StreamRequestHandler):
            def setup(self) -> None:
                self.request = tls.wrap_socket(self.request, server_side=True)
                super().setup()

            def say(self, *lines: bytes) -> None:
                self.wfile.write(b"".join(line + b"\r\n" for line in lines))

            def handle(self) -> None:
                self.say(b"* OK ready")
                for line in self.rfile:
                    tag, words = line.split()[0], line.decode().upper().split()[1:]
                    command = words[1] if words[0] == "UID" else words[0]
                    if command == "AUTHENTICATE":
                        self.authenticate(tag, line.split()[3:])
                        continue
                    if command == "FETCH":
                        whole = re.search(rb"(RFC822|BODY(\.PEEK)?\[\])[ )\r]", line.upper())
                        self.say(b"* 1 FETCH (" + FETCHED + (b" RFC822 {%d}\r\n%s)" % (len(MAIL), MAIL) if whole else b")"))
                    self.say(*ANSWERS.get(command, []), tag + b" OK done")

            def authenticate(self, tag: bytes, first: list[bytes]) -> None:
                if not first:
                    self.say(b"+ ")
                    first = [self.rfile.readline().strip()]
                fields = base64.b64decode(first[0]).decode().split("\x01")
                token = next(field.removeprefix("auth=Bearer ") for field in fields if field.startswith("auth="))
                if token in living():
                    accept(token)
                    self.say(CAPABILITIES, tag + b" OK done")
                    return
                self.say(b"+ " + base64.b64encode(b'{"status":"401"}'))
                self.rfile.readline()
                self.say(tag + b" NO rejected")

        self.port = reserve_port()
        socketserver.ThreadingTCPServer.allow_reuse_address = True
        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", self.port), Session)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
