"""Files as objects."""
from __future__ import annotations  # types are for readers and checkers; they cost no time at the start

import io
import json
import os
from typing import Any, BinaryIO, Dict, Iterable, Iterator, List, Optional, TypeVar, Union

from . import questions as q
from ._process import Error, MissingError, Record, ask, each, run

PathLike = Union[str, "os.PathLike[str]"]
_F = TypeVar("_F", bound="File")


class File(q.FileFacts, q.FileQuestions):
    """A file, or something in an archive. Its facts are attributes; facts holds
    all of them. The questions about it are methods."""

    def __init__(self, path: str, facts: Record):
        self.__dict__.update(path=path, facts=facts, values=Values(path))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("%s: facts are only read; values[PATH] = VALUE and save() change the file" % name)

    def __fspath__(self) -> str:
        return self.path

    def __enter__(self: "_F") -> "_F":
        return self

    def __exit__(self, *_: Any) -> None:
        """Nothing stays open: each question opens the file."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "facts":
            raise AttributeError(name)
        try:
            return self.facts[name[:-1] if name == "class_" else name]
        except KeyError:
            raise AttributeError(_missing(self, name)) from None

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *self.facts})

    def __repr__(self) -> str:
        what = self.facts.get("name") or self.facts.get("nick")
        return "<pakbox.%s %s%s>" % (type(self).__name__, self.path, " %r" % what if what else "")

    def _repr_html_(self) -> str:
        import base64
        import html
        card = html.escape(run("info", self.path).decode())
        picture = self._picture()
        if picture is None:
            return "<pre>%s</pre>" % card
        return '<img src="data:image/%s;base64,%s" style="max-width:256px"><pre>%s</pre>' % (
            "png" if picture[:1] == b"\x89" else "jpeg", base64.b64encode(picture).decode(), card)

    def _picture(self) -> Optional[bytes]:
        return None

    def query(self, expression: str) -> List[Any]:
        """The answers to a question in the language of jq."""
        return [json.loads(line, object_hook=Record) for line in run("query", self.path, expression).splitlines()]

    @property
    def files(self) -> "Tree":
        """The content of the file, as a tree like those of importlib.resources."""
        return Tree(self.path)

    def save(self, path: Optional[PathLike] = None, force: bool = False) -> None:
        """Saves the values that were set, to another path or in the same file."""
        self.values._save(path, force)


class Values:
    """The values in a file by path: values["mapName"]. Set ones are kept until
    the file is saved."""

    def __init__(self, path: str):
        self._path, self._set = path, {}  # type: str, Dict[str, Any]

    def __getitem__(self, path: str) -> Any:
        if not isinstance(path, str):
            raise TypeError("a value is named by its path, such as values['mapName']; facts lists what is known")
        if path in self._set:
            return self._set[path]
        try:
            found = json.loads(run("--json", "get", self._path, path), object_hook=Record)
        except Error as e:
            if isinstance(e, FileNotFoundError) or not os.path.exists(self._path.split("/map.")[0]):
                raise
            raise MissingError(e.kind, e.message, e.file, e.entry, e.offset, e.hints) from None
        return found["values"][0]["value"]

    def __repr__(self) -> str:
        return "<pakbox values of %s>" % self._path

    __iter__ = None  # the values are a tree; pakbox.questions.get asks for parts of it

    def __setitem__(self, path: str, value: Any) -> None:
        self._set[path] = value

    def _save(self, path: Optional[PathLike], force: bool) -> None:
        words = {True: "true", False: "false", None: "null"}
        args = ["-q", "set", self._path]
        args += ["%s=%s" % (p, words[v] if v is None or isinstance(v, bool) else v) for p, v in self._set.items()]
        if path is not None:
            args += ["-o", os.fspath(path)] + ["--force"] * force
        run(*args)
        self._set = {}


class Map(q.MapFacts, q.MapQuestions, File):
    """A map."""

    def _picture(self) -> Optional[bytes]:
        try:
            return self.thumbnail()
        except Error:
            return None


class Replay(q.ReplayFacts, q.ReplayQuestions, File):
    """A replay or a ghost."""

    @property
    def map(self) -> Map:
        """The map in the replay."""
        return open(self.path + "/map.Map.Gbx")

    @property
    def ghosts(self) -> List["Ghost"]:
        """The runs in the file."""
        return [Ghost(self, i, g) for i, g in enumerate(ask("replay.info", self.path)["ghosts"])]

    def telemetry(self, to: Optional[str] = None, ghost: Optional[int] = None) -> Any:
        """The driven line: as a NumPy structured array, or to="rows", "pandas",
        "polars", "arrow". Without NumPy it is rows, a list of records."""
        def read(form: str) -> io.BytesIO:
            return io.BytesIO(ask("replay.telemetry.file", self.path, kind=form, ghost=ghost))
        if to is None:
            to = "numpy" if _has("numpy") else "rows"
        if to == "numpy":
            import numpy
            return numpy.load(read("npy"))
        if to == "pandas":
            import pandas
            return pandas.read_csv(read("csv"))
        if to == "polars":
            import polars
            return polars.read_csv(read("csv"))
        if to == "arrow":
            import pyarrow.parquet
            return pyarrow.parquet.read_table(read("parquet"))
        if to == "rows":
            import csv
            text = io.TextIOWrapper(read("csv"), "utf-8", newline="")
            return [Record((k, _number(k, v)) for k, v in row.items()) for row in csv.DictReader(text)]
        raise ValueError("to: %r must be one of numpy, rows, pandas, polars, arrow" % to)

    def _picture(self) -> Optional[bytes]:
        try:
            return self.picture()
        except Error:
            return None


class Ghost:
    """One run of a replay. Its facts are attributes."""

    def __init__(self, replay: Replay, number: int, facts: Record):
        self.replay, self.number, self.facts = replay, number, facts

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "facts":
            raise AttributeError(name)
        try:
            return self.facts[name]
        except KeyError:
            raise AttributeError(_missing(self, name)) from None

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *self.facts})

    def __repr__(self) -> str:
        what = [str(self.facts[k]) for k in ("nick", "race_time") if self.facts.get(k) is not None]
        return "<pakbox.Ghost %d of %s%s>" % (self.number, self.replay.path, ": " + ", ".join(what) if what else "")

    def inputs(self) -> List[Record]:
        """The inputs of the player, with times in milliseconds."""
        found = ask("replay.inputs", self.replay.path)["ghosts"]
        return [i for g in found if g["ghost"] == self.number for i in g["inputs"]]

    def telemetry(self, to: Optional[str] = None) -> Any:
        """The driven line of this run, as Replay.telemetry gives it."""
        return self.replay.telemetry(to, self.number)


class Simutrans(q.SimutransFacts, q.SimutransQuestions, File):
    """A file of Simutrans objects, or a pakset."""


class Tree:
    """A file or folder in an archive, with the methods of
    importlib.resources.abc.Traversable."""

    def __init__(self, archive: str, inside: str = ""):
        self._archive, self._inside = archive, inside

    @property
    def name(self) -> str:
        return os.path.basename(self._inside or self._archive)

    @property
    def path(self) -> str:
        """The path for open and for commands."""
        return self._archive + "/" + self._inside if self._inside else self._archive

    def __fspath__(self) -> str:
        return self.path

    def __truediv__(self, name: str) -> "Tree":
        return Tree(self._archive, self._inside + "/" + name if self._inside else name)

    def joinpath(self, *names: str) -> "Tree":
        tree = self
        for name in names:
            tree = tree / name
        return tree

    def __repr__(self) -> str:
        return "<pakbox.Tree %s>" % self.path

    def _names(self) -> List[str]:
        return [e["name"] for e in ask("ls", self._archive)["entries"]]

    def is_file(self) -> bool:
        return self._inside in self._names()

    def is_dir(self) -> bool:
        return not self._inside or any(n.startswith(self._inside + "/") for n in self._names())

    def iterdir(self) -> Iterator["Tree"]:
        before = self._inside + "/" if self._inside else ""
        parts = (n[len(before):].split("/")[0] for n in self._names() if n.startswith(before))
        for name in dict.fromkeys(parts):
            yield self / name

    def read_bytes(self) -> bytes:
        return run("cat", self.path)

    def read_text(self, encoding: Optional[str] = None) -> str:
        return self.read_bytes().decode(encoding or "utf-8")

    def open(self, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        data = io.BytesIO(self.read_bytes())
        return data if "b" in mode else io.TextIOWrapper(data, *args, **kwargs)


class Index:
    """An index of many files, made by index."""

    def __init__(self, path: PathLike):
        self.path = os.fspath(path)

    def __repr__(self) -> str:
        return "<pakbox.Index %s>" % self.path

    def sql(self, query: str) -> List[Record]:
        """The rows that a query in SQL finds."""
        return _lines(run("--json", "sql", self.path, query))

    def find(self, *words: str) -> List[Record]:
        """The rows that words find, such as find("env=Stadium", "author_time<0:45")."""
        return _lines(run("--json", "find", self.path, *words))


def index(*paths: PathLike, output: PathLike) -> Index:
    """Makes or updates an index of the files below paths."""
    run("-q", "index", *[os.fspath(p) for p in paths], "-o", os.fspath(output))
    return Index(output)


_classes = {"CGameCtnChallenge": Map, "CGameCtnReplayRecord": Replay, "CGameCtnGhost": Replay, "simutrans": Simutrans}


def _object(path: str, facts: Record) -> File:
    return _classes.get(facts.get("class_name") or facts["format"], File)(path, facts)


def open(path: PathLike) -> Any:
    """Opens the file at a path, which may lead through archives: a Map, a Replay,
    a Simutrans or a File."""
    facts = ask("info", path)
    return _object(os.fspath(path), facts)


def open_all(paths: Iterable[PathLike], errors: str = "raise") -> Iterator[Any]:
    """Opens many files, several at a time. errors is as in each."""
    for facts in each("info", paths, errors):
        yield facts if isinstance(facts, Error) else _object(facts["path"], facts)


def _lines(text: bytes) -> List[Record]:
    rows = [json.loads(line, object_hook=Record) for line in text.splitlines()]
    for row in rows:
        row.pop("schema", None)  # belongs to the line, not to the row
    return rows


def _number(column: str, text: str) -> Any:
    if column == "file":
        return text
    if text == "":
        return None
    return int(text) if column in ("ghost", "car") else float(text)


def _missing(thing: Any, name: str) -> str:
    """Why an object has no such attribute, with the names that are nearest to it."""
    import difflib
    known = [n for n in dir(thing) if not n.startswith("_")]
    near = [n for n in known if n.endswith("_" + name)] + difflib.get_close_matches(name, known)
    message = "%r has no %s" % (thing, name)
    return message + "; it has " + ", ".join(dict.fromkeys(near)) if near else message


def _has(module: str) -> bool:
    import importlib.util
    return importlib.util.find_spec(module) is not None
