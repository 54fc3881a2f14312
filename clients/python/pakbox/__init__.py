"""Open, explain, check and change the files of games: maps, replays, items,
packs and paksets.

    import pakbox
    m = pakbox.open("A.Map.Gbx")
    m.name, m.medals.author, len(m.blocks())

docs/python.md shows twenty jobs. Every question that pakbox answers is a function
of pakbox.questions and a method of the file that it is about.
"""
from ._file import File, Ghost, Index, Map, Replay, Simutrans, Tree, index, open, open_all
from ._process import Error, MissingError, NotFoundError, Record, ask, each, executable, run
from . import questions

__all__ = ["Error", "File", "Ghost", "Index", "Map", "MissingError", "NotFoundError", "Record", "Replay", "Simutrans", "Tree",
           "ask", "each", "executable", "index", "open", "open_all", "questions", "run"]


def __getattr__(name: str) -> str:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version
        try:
            return version("pakbox")
        except PackageNotFoundError:
            return "0"  # a checkout, which was not installed
    raise AttributeError("module 'pakbox' has no attribute %r; pakbox.open(path) opens a file" % name)


for _public in (Error, MissingError, NotFoundError, Record, File, Ghost, Index, Map, Replay, Simutrans, Tree):
    _public.__module__ = __name__  # tracebacks show the name that programs import
