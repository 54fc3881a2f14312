"""The one process behind this package: pakbox ask."""
from __future__ import annotations

import atexit
import collections
import itertools
import json
import os
import subprocess
import sys
import threading
from binascii import a2b_base64, b2a_base64
from queue import SimpleQueue
from typing import Any, Dict, Iterable, Iterator, List, Optional


class Error(Exception):
    """Why a question has no answer. kind is a stable word, such as truncated. A missing file is
    also a FileNotFoundError."""

    def __new__(cls, kind: str = "", *args: Any, **kwargs: Any) -> "Error":
        if cls is Error and kind == "not_found":
            return NotFoundError.__new__(NotFoundError)
        return super().__new__(cls)

    def __init__(self, kind: str, message: str, file: str = "", entry: Optional[str] = None,
                 offset: Optional[int] = None, hints: Iterable[str] = ()):
        super().__init__(message)
        self.kind, self.message, self.file = kind, message, file
        self.entry, self.offset, self.hints = entry, offset, list(hints)


    def __str__(self) -> str:
        return self.message


class NotFoundError(Error, FileNotFoundError):
    """There is no such file."""

    def __new__(cls, *args: Any, **kwargs: Any) -> "NotFoundError":
        return FileNotFoundError.__new__(cls)  # type: ignore[return-value]


class MissingError(Error, KeyError):
    """There is no such value in a file."""


class Record(Dict[str, Any]):
    """An object of JSON whose fields are attributes too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self) -> List[str]:
        return list(super().__dir__()) + list(self)


def executable() -> str:
    """The path of the command pakbox: PAKBOX in the environment, the one that was
    installed with this package, or the one in PATH."""
    import shutil
    import sysconfig
    name = "pakbox" + (".exe" if sys.platform == "win32" else "")
    user = "nt_user" if sys.platform == "win32" else "posix_user"
    places = [os.environ.get("PAKBOX", "")]
    places += [os.path.join(d, name) for d in (
        sysconfig.get_path("scripts"), os.path.dirname(sys.executable), sysconfig.get_path("scripts", user))]
    for path in places:
        if path and os.path.isfile(path):
            return path
    found = shutil.which(name)
    if found is None:
        raise Error("not_found", "the command pakbox is not installed")
    return found


class _Reply:
    """A reply that may not be there yet."""
    __slots__ = ("line",)

    def __init__(self) -> None:
        self.line: Optional[bytes] = None


_ended = b'{"error": {"kind": "ended", "message": "pakbox ended before it answered"}}'


class _Process:
    """A thread that waits for a reply reads the replies of all threads until its own is
    there: to hand each over from a thread that reads would take most of the time of a
    small question. Questions are written by a thread of their own, so that pakbox never
    waits for somebody who reads while that one waits for room to write."""

    def __init__(self) -> None:
        self.child = subprocess.Popen([executable(), "ask"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.numbers = itertools.count(1)
        self.waiting: Dict[int, _Reply] = {}
        self.reading, self.rest = threading.Lock(), b""
        self.questions: "SimpleQueue[Optional[bytes]]" = SimpleQueue()
        threading.Thread(target=self._write, name="pakbox", daemon=True).start()

    def send(self, questions: Iterable[Dict[str, Any]]) -> List[_Reply]:
        replies, lines = [], []
        for question in questions:
            question["id"] = number = next(self.numbers)
            self.waiting[number] = reply = _Reply()
            replies.append(reply)
            lines.append(json.dumps(question) + "\n")
        self.questions.put("".join(lines).encode())
        return replies

    def _write(self) -> None:
        text = self.questions.get()
        try:
            while text is not None:
                while text:
                    text = text[self.child.stdin.write(text):]  # type: ignore[union-attr]
                text = self.questions.get()
            self.child.stdin.close()  # type: ignore[union-attr]
        except (OSError, ValueError):
            pass  # it has ended, as whoever reads next will see

    def wait(self, reply: _Reply) -> Dict[str, Any]:
        while reply.line is None:
            with self.reading:
                if reply.line is None:
                    self._read()
        return json.loads(reply.line, object_hook=Record)

    def _read(self) -> None:
        try:
            data = self.child.stdout.read(1 << 16)  # type: ignore[union-attr]
            if not data:
                self._end()
            lines = (self.rest + data).split(b"\n")
            self.rest = lines.pop()
            for line in lines:
                number = line[len(b'{"id":'):line.index(b",")]
                reply = self.waiting.pop(int(number), None) if number != b"null" else None
                if reply is not None:
                    reply.line = line
        except BaseException:  # Ctrl-C: a reply may be lost, so the process is of no use any more
            self.child.terminate()
            self.child.wait()
            self._end()
            raise

    def _end(self) -> None:
        while self.waiting:
            _, reply = self.waiting.popitem()
            reply.line = _ended

    def close(self) -> None:
        self.questions.put(None)
        try:
            self.child.wait(5)
        except subprocess.TimeoutExpired:
            self.child.kill()


_lock = threading.Lock()
_process: Optional[_Process] = None


def _running() -> _Process:
    global _process
    with _lock:
        if _process is None or _process.child.poll() is not None:
            _process = _Process()
        return _process


def _forget() -> None:
    global _process, _lock
    _process, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)  # the pipes belong to the parent


@atexit.register
def _close() -> None:
    if _process is not None:
        _process.close()


def _wait(process: _Process, reply: _Reply) -> Dict[str, Any]:
    value = process.wait(reply)
    if "error" in value:
        raise Error(**value["error"])
    return value


def _path(path: Any) -> str:
    if isinstance(path, (bytes, bytearray, memoryview)) or hasattr(path, "read"):
        raise TypeError("a path is needed, and not an open file or its content: write that to a file first")
    return os.fspath(path)


def _question(name: str, path: Any, params: Dict[str, Any]) -> Dict[str, Any]:
    return {"ask": name, "path": _path(path) if path is not None else "",
            "with": {k: _parameter(v) for k, v in params.items() if v is not None}}


def _parameter(value: Any) -> Any:
    """Files and paths as parameters are their paths."""
    if isinstance(value, (list, tuple)):
        return [_parameter(v) for v in value]
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _answer(reply: Dict[str, Any]) -> Any:
    return a2b_base64(reply["file"]["data"]) if "file" in reply else reply["answer"]


def ask(name: str, path: Any = None, /, **params: Any) -> Any:
    """Asks a question about the file at a path. pakbox.questions lists them. The
    answer is a Record, or bytes where it is a file."""
    process = _running()
    return _answer(_wait(process, process.send([_question(name, path, params)])[0]))


def content(file: Any) -> Optional[Dict[str, str]]:
    """A file as a parameter: bytes, or the path of a file."""
    if file is None:
        return None
    name = "file"
    if not isinstance(file, (bytes, bytearray, memoryview)):
        name = os.path.basename(os.fspath(file))
        with open(file, "rb") as f:
            file = f.read()
    return {"name": name, "data": b2a_base64(file, newline=False).decode()}


def several(values: Any) -> Any:
    """A list as a parameter; one text or path stands for a list of one."""
    return [values] if isinstance(values, (str, os.PathLike)) else values


def contents(files: Optional[Iterable[Any]]) -> Optional[List[Dict[str, str]]]:
    """A list of files as a parameter."""
    return None if files is None else [c for c in map(content, files) if c]


def each(name: str, paths: Iterable[Any], /, errors: str = "raise", **params: Any) -> Iterator[Any]:
    """Asks the same question about many files, several at a time, and yields the
    answers in the order of the paths. errors is raise, skip, or return, which
    yields an Error in place of the answer."""
    if errors not in ("raise", "skip", "return"):
        raise ValueError("errors: %r must be one of raise, skip, return" % errors)
    if isinstance(paths, (str, bytes, os.PathLike)):
        raise TypeError("a list of paths is needed, and not one path: [%r]" % (paths,))
    process = _running()
    sent: "collections.deque[_Reply]" = collections.deque()
    rest = iter(paths)
    while True:
        if len(sent) <= 32:
            sent.extend(process.send(_question(name, path, params) for path in itertools.islice(rest, 32)))
        if not sent:
            return
        try:
            yield _answer(_wait(process, sent.popleft()))
        except Error as error:
            if errors == "raise":
                raise
            if errors == "return":
                yield error


def run(*args: Any) -> bytes:
    """Runs a command of pakbox, such as run("map", "medals", path), and returns
    what it prints. A command that fails raises an Error."""
    process = _running()
    done = _wait(process, process.send([{"run": [str(a) for a in args]}])[0])["done"]
    if done["code"] > 1:  # 1 means that findings exist
        message = done["stderr"].strip().splitlines() or ["pakbox failed"]
        raise Error("exit_%d" % done["code"], message[0].replace("pakbox: ", "", 1), hints=message[1:])
    return a2b_base64(done["stdout"])
