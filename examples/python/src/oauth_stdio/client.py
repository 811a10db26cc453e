"""Runs the program and exchanges messages with it. `generated.py` gives each message its types."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Mapping
from types import TracebackType
from typing import Any, ClassVar, Self

__all__ = [
    "InternalError",
    "InvalidParams",
    "InvalidRequest",
    "MethodNotFound",
    "OAuthError",
    "ParseError",
    "ProcessEnded",
    "ProcessEnding",
    "RequestCancelled",
    "Transport",
]

# The seconds after which `close` terminates a program that has not ended.
PATIENCE = 10


class OAuthError(Exception):
    """An error answer. Each kind of error is a subclass, and so is each code of JSON-RPC."""

    data: Mapping[str, Any]

    def __init__(self, code: int, message: str, data: Mapping[str, Any]):
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    @property
    def kind(self) -> str | None:
        return self.data.get("kind")

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later."""
        return bool(self.data.get("retryable"))


class ParseError(OAuthError):
    """Code -32700: the input is not JSON."""


class InvalidRequest(OAuthError):
    """Code -32600: the message is not a valid request."""


class MethodNotFound(OAuthError):
    """Code -32601: no method has this name."""


class InvalidParams(OAuthError):
    """Code -32602: the params are wrong."""

    @property
    def path(self) -> str | None:
        """The JSON pointer of the wrong param."""
        return self.data.get("path")


class InternalError(OAuthError):
    """Code -32603: the process failed in an unforeseen way."""


class RequestCancelled(OAuthError):
    """Code -32800: the client cancelled the request, for example by closing itself."""


class ProcessEnding(OAuthError):
    """Code -32000: the process ended before the request was done."""


PROTOCOL_ERRORS: Mapping[int, type[OAuthError]] = {
    -32700: ParseError,
    -32600: InvalidRequest,
    -32601: MethodNotFound,
    -32602: InvalidParams,
    -32603: InternalError,
    -32800: RequestCancelled,
    -32000: ProcessEnding,
}


class ProcessEnded(Exception):
    """The process ended without an answer. It may have done what the request wanted. The next request starts a new process."""

    def __init__(self, message: str, status: int | None):
        super().__init__(message)
        self.status = status


class Process:
    """One run of the program."""

    def __init__(self, process: asyncio.subprocess.Process, on_event: Callable[[Any], None], error: Callable[[Any], OAuthError]):
        assert process.stdin and process.stdout
        self.process, self.input, self.output = process, process.stdin, process.stdout
        self.on_event, self.error = on_event, error
        self.pending: dict[int, asyncio.Future[Any]] = {}
        self.last_id = 0
        self.reader = asyncio.get_running_loop().create_task(self.read())

    @property
    def has_ended(self) -> bool:
        return self.process.returncode is not None or self.reader.done()

    async def request(self, method: str, params: Mapping[str, object]) -> Any:
        identifier = self.post(method, params)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.pending[identifier] = answer
        try:
            return await answer
        except asyncio.CancelledError:
            self.cancel(identifier)
            raise
        finally:
            self.pending.pop(identifier, None)

    def post(self, method: str, params: Mapping[str, object]) -> int:
        """Sends a request and returns its ID. If nothing is pending, its answer is ignored."""
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": params})
        return self.last_id

    def cancel(self, identifier: int) -> None:
        self.send({"method": "$/cancelRequest", "params": {"id": identifier}})

    def send(self, message: Mapping[str, object]) -> None:
        # If the process has ended, the reader reports it.
        if not self.input.is_closing():
            self.input.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def lines(self) -> AsyncIterator[bytes]:
        """Yields each line. `StreamReader.readline` has a limit, and an answer with a large body exceeds it."""
        parts: list[bytes] = []
        while chunk := await self.output.read(1 << 16):
            *ends, rest = chunk.split(b"\n")
            for end in ends:
                yield b"".join([*parts, end])
                parts = []
            parts.append(rest)

    async def read(self) -> None:
        """Handles messages until the process ends."""
        try:
            async for line in self.lines():
                self.receive(json.loads(line))
        except (ValueError, TypeError, KeyError, RecursionError) as fault:
            # This is another program.
            self.process.kill()
            self.fail(ProcessEnded(f"the program printed something that is not JSON: {fault}", None))
        status = await self.process.wait()
        self.fail(ProcessEnded(f"the program ended with status {status}", status))

    def receive(self, message: Any) -> None:
        if "method" in message:
            self.on_event(message)
            return
        answer = self.pending.get(message["id"])
        # A cancelled request is not pending any more.
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(self.error(message["error"]))
        else:
            answer.set_result(message["result"])

    def fail(self, error: ProcessEnded) -> None:
        for answer in self.pending.values():
            if not answer.done():
                answer.set_exception(error)

    async def close(self) -> None:
        for identifier in self.pending:
            self.cancel(identifier)
        self.input.close()
        await asyncio.wait({self.reader}, timeout=PATIENCE)
        if not self.has_ended:
            self.process.terminate()
        await asyncio.wait({self.reader})
        with contextlib.suppress(OSError):
            await self.input.wait_closed()


class Transport:
    """Starts the program at the first request, and again at the first request after it has ended.

    `arguments` are options of the program, such as `"--config", "config.json"`. `environment` replaces the environment of this process.
    All requests come from one event loop. `async with` closes the client at the end.
    """

    _errors: ClassVar[Mapping[str, type[OAuthError]]] = {}

    def __init__(self, *arguments: str, program: str = "oauth-stdio", environment: Mapping[str, str] | None = None):
        self._command = [program, *arguments]
        self._environment = environment
        self._callbacks: dict[str, list[Callable[[Any], object]]] = {}
        self._initialization: Mapping[str, object] | None = None
        self._process: Process | None = None
        self._start = asyncio.Lock()
        self._closed = False

    @property
    def process_id(self) -> int | None:
        """The ID of the running process."""
        return self._process.process.pid if self._process and not self._process.has_ended else None

    async def close(self) -> None:
        """Cancels the open requests and ends the program. Later requests raise `ProcessEnded`."""
        self._closed = True
        async with self._start:
            if self._process:
                await self._process.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        await self.close()

    async def _request(self, method: str, params: Mapping[str, object]) -> Any:
        """Sends the params that are not `None` and returns the result. Cancelling the caller's task cancels the request."""
        given = {name: value for name, value in params.items() if value is not None}
        result = await (await self._running()).request(method, given)
        if method == "initialize":
            self._initialization = given
        return result

    async def _running(self) -> Process:
        async with self._start:
            if self._closed:
                raise ProcessEnded("the client is closed", None)
            if self._process is None or self._process.has_ended:
                process = await asyncio.create_subprocess_exec(
                    *self._command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, env=self._environment
                )
                self._process = Process(process, self._receive, self._error)
                if self._initialization is not None:
                    # The program reads requests in their order, so the next one need not wait for this answer.
                    self._process.post("initialize", self._initialization)
            return self._process

    @classmethod
    def _error(cls, error: Any) -> OAuthError:
        data = error.get("data") or {}
        subclass = cls._errors.get(data.get("kind", "")) or PROTOCOL_ERRORS.get(error["code"], OAuthError)
        return subclass(error["code"], error["message"], data)

    def _on(self, event: str, callback: Callable[[Any], object]) -> Callable[[], None]:
        callbacks = self._callbacks.setdefault(event, [])
        callbacks.append(callback)

        def remove() -> None:
            with contextlib.suppress(ValueError):
                callbacks.remove(callback)

        return remove

    def _receive(self, message: Any) -> None:
        for callback in list(self._callbacks.get(message["method"], [])):
            try:
                callback(message["params"])
            except Exception as error:
                context = {"message": f"the callback for {message['method']} failed", "exception": error}
                asyncio.get_running_loop().call_exception_handler(context)
