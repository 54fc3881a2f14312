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
from binascii import a2b_base64
from typing import Any, Dict, Iterable, Iterator, List, Optional


class Error(Exception):
    """Why there is no answer. kind is a stable word, such as truncated."""

    def __init__(self, kind: str, message: str, file: str = "", entry: Optional[str] = None,
                 offset: Optional[int] = None, hints: Iterable[str] = ()):
        super().__init__(message)
        self.kind, self.message, self.file = kind, message, file
        self.entry, self.offset, self.hints = entry, offset, list(hints)


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
    """A reply that may not be there yet. A concurrent.futures.Future would do, at
    several times the cost of a small question."""
    __slots__ = ("number", "line", "there")

    def __init__(self, number: int) -> None:
        self.number, self.there = number, threading.Lock()
        self.there.acquire()

    def set(self, line: bytes) -> None:
        self.line = line
        self.there.release()

    def wait(self) -> Dict[str, Any]:
        with self.there:
            return json.loads(self.line, object_hook=Record)


_ended = b'{"error": {"kind": "ended", "message": "pakbox ended before it answered"}}'


class _Process:
    def __init__(self) -> None:
        self.child = subprocess.Popen([executable(), "ask"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.numbers = itertools.count(1)
        self.waiting: Dict[int, _Reply] = {}
        self.writing = threading.Lock()
        threading.Thread(target=self._read, name="pakbox", daemon=True).start()

    def send(self, questions: Iterable[Dict[str, Any]]) -> List[_Reply]:
        replies, lines = [], []
        for question in questions:
            reply = _Reply(next(self.numbers))
            question["id"] = reply.number
            self.waiting[reply.number] = reply
            replies.append(reply)
            lines.append(json.dumps(question))
        lines.append("")
        with self.writing:
            try:
                self.child.stdin.write("\n".join(lines).encode())  # type: ignore[union-attr]
                self.child.stdin.flush()  # type: ignore[union-attr]
            except (OSError, ValueError):
                self._end()
        return replies

    def cancel(self, reply: _Reply) -> None:
        with self.writing:
            self.child.stdin.write(b'{"cancel":%d}\n' % reply.number)  # type: ignore[union-attr]
            self.child.stdin.flush()  # type: ignore[union-attr]

    def _read(self) -> None:
        for line in self.child.stdout:  # type: ignore[union-attr]
            number = line[len(b'{"id":'):line.index(b",")]  # the rest is decoded by the thread that waits
            reply = self.waiting.pop(int(number), None) if number != b"null" else None
            if reply is not None:
                reply.set(line)
        self._end()

    def _end(self) -> None:
        while self.waiting:
            try:
                _, reply = self.waiting.popitem()
            except KeyError:  # the other thread ends them too
                return
            reply.set(_ended)

    def close(self) -> None:
        try:
            self.child.stdin.close()  # type: ignore[union-attr]
            self.child.wait(5)
        except (OSError, subprocess.TimeoutExpired):
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
    try:
        value = reply.wait()
    except KeyboardInterrupt:
        process.cancel(reply)
        raise
    if "error" in value:
        raise Error(**value["error"])
    return value


def _question(name: str, path: Any, params: Dict[str, Any]) -> Dict[str, Any]:
    return {"ask": name, "path": os.fspath(path) if path is not None else "",
            "with": {k: v for k, v in params.items() if v is not None}}


def _answer(reply: Dict[str, Any]) -> Any:
    return a2b_base64(reply["file"]["data"]) if "file" in reply else reply["answer"]


def ask(name: str, path: Any = None, /, **params: Any) -> Any:
    """Asks a question about the file at a path. pakbox.questions lists them. The
    answer is a Record, or bytes where it is a file."""
    process = _running()
    return _answer(_wait(process, process.send([_question(name, path, params)])[0]))


def each(name: str, paths: Iterable[Any], /, errors: str = "raise", **params: Any) -> Iterator[Any]:
    """Asks the same question about many files, several at a time, and yields the
    answers in the order of the paths. errors is raise, skip, or return, which
    yields an Error in place of the answer."""
    if errors not in ("raise", "skip", "return"):
        raise ValueError("errors: %r is none of raise, skip, return" % errors)
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
    if done["code"] > 1:  # 1 says that something was found
        message = done["stderr"].strip().splitlines() or ["pakbox failed"]
        raise Error("exit_%d" % done["code"], message[0].replace("pakbox: ", "", 1), hints=message[1:])
    return a2b_base64(done["stdout"])
