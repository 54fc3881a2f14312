"""The one process behind this package: pakbox ask."""
import atexit
import base64
import collections
import itertools
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import threading
from concurrent.futures import Future
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


class _Process:
    def __init__(self) -> None:
        self.child = subprocess.Popen([executable(), "ask"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.numbers = itertools.count(1)
        self.waiting: Dict[int, "Future[Dict[str, Any]]"] = {}
        self.writing = threading.Lock()
        threading.Thread(target=self._read, name="pakbox", daemon=True).start()

    def send(self, question: Dict[str, Any]) -> "Future[Dict[str, Any]]":
        future: "Future[Dict[str, Any]]" = Future()
        with self.writing:
            question["id"] = next(self.numbers)
            self.waiting[question["id"]] = future
            try:
                self.child.stdin.write(json.dumps(question).encode() + b"\n")  # type: ignore[union-attr]
                self.child.stdin.flush()  # type: ignore[union-attr]
            except (OSError, ValueError):
                self._end()
        return future

    def cancel(self, future: "Future[Dict[str, Any]]") -> None:
        for number, waiting in list(self.waiting.items()):
            if waiting is future:
                with self.writing:
                    self.child.stdin.write(b'{"cancel":%d}\n' % number)  # type: ignore[union-attr]
                    self.child.stdin.flush()  # type: ignore[union-attr]

    def _read(self) -> None:
        for line in self.child.stdout:  # type: ignore[union-attr]
            reply = json.loads(line, object_hook=Record)
            future = self.waiting.pop(reply["id"], None)
            if future is not None:
                future.set_result(reply)
        self._end()

    def _end(self) -> None:
        while self.waiting:
            _, future = self.waiting.popitem()
            future.set_exception(Error("ended", "pakbox ended before it answered"))

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


def _wait(process: _Process, future: "Future[Dict[str, Any]]") -> Dict[str, Any]:
    try:
        reply = future.result()
    except KeyboardInterrupt:
        process.cancel(future)
        raise
    if "error" in reply:
        raise Error(**reply["error"])
    return reply


def _question(name: str, path: Any, params: Dict[str, Any]) -> Dict[str, Any]:
    return {"ask": name, "path": os.fspath(path) if path is not None else "",
            "with": {k: v for k, v in params.items() if v is not None}}


def _answer(reply: Dict[str, Any]) -> Any:
    return base64.b64decode(reply["file"]["data"]) if "file" in reply else reply["answer"]


def ask(name: str, path: Any = None, /, **params: Any) -> Any:
    """Asks a question about the file at a path. pakbox.questions lists them. The
    answer is a Record, or bytes where it is a file."""
    process = _running()
    return _answer(_wait(process, process.send(_question(name, path, params))))


def each(name: str, paths: Iterable[Any], /, errors: str = "raise", **params: Any) -> Iterator[Any]:
    """Asks the same question about many files, several at a time, and yields the
    answers in the order of the paths. errors is raise, skip, or return, which
    yields an Error in place of the answer."""
    if errors not in ("raise", "skip", "return"):
        raise ValueError("errors: %r is none of raise, skip, return" % errors)
    process = _running()
    sent: "collections.deque[Future[Dict[str, Any]]]" = collections.deque()
    rest = iter(paths)
    while True:
        for path in itertools.islice(rest, 64 - len(sent)):
            sent.append(process.send(_question(name, path, params)))
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
    done = _wait(process, process.send({"run": [str(a) for a in args]}))["done"]
    if done["code"] > 1:  # 1 says that something was found
        message = done["stderr"].strip().splitlines() or ["pakbox failed"]
        raise Error("exit_%d" % done["code"], message[0].replace("pakbox: ", "", 1), hints=message[1:])
    return base64.b64decode(done["stdout"])
