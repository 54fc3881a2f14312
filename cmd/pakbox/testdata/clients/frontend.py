# Answers lines of JSON with the functions and methods of package pakbox.
import base64
import inspect
import json
import os
import shutil
import sys

import pakbox
from pakbox import questions


def plain(value):
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


def names_of(function, params):
    """The parameters under the names that the function has for them."""
    known = inspect.signature(function).parameters
    for name in params:
        plain_name = name.replace("-", "_")
        yield (plain_name if plain_name in known else plain_name + "_"), params[name]


def method_of(request, params):
    """What the method of the object returns, if the file is of its class."""
    if not request["method"] or request["change"]:
        return None
    try:
        file = pakbox.open(request["path"])
    except pakbox.Error:
        file = pakbox.File(request["path"], pakbox.Record())
    if type(file).__name__ != request["class"]:
        file = getattr(pakbox, request["class"])(request["path"], file.facts)
    if request["method"] in ("telemetry", "query"):  # written by hand, for other results
        file.telemetry("rows") if request["method"] == "telemetry" else file.query(".")
        return None
    method = getattr(file, request["method"])
    return plain(method(**dict(names_of(method, params))))


def changed_by_method(request, params):
    """Makes the change once more, with the method, on a copy."""
    if not request["method"]:
        return
    copy = request["path"] + ".copy" + os.path.splitext(request["path"])[1]
    shutil.copyfile(request["path"], copy)
    method = getattr(getattr(pakbox, request["class"])(copy, pakbox.Record()), request["method"])
    method(**dict(names_of(method, params)), dry_run=True)


for line in sys.stdin:
    request = json.loads(line)
    params = request["params"] or {}
    function = getattr(questions, request["function"])
    try:
        if request["change"] and os.path.exists(request["path"]):
            changed_by_method(request, params)
        path = [] if request["no_file"] else [request["path"]]
        answer = function(*path, **dict(names_of(function, params)))
        if isinstance(answer, bytes):
            reply = {"file": plain(answer), "method": method_of(request, params)}
        else:
            reply = {"answer": answer, "method": method_of(request, params)}
    except pakbox.Error as error:
        reply = {"kind": error.kind, "message": error.message}
    except Exception as error:
        reply = {"kind": type(error).__name__, "message": str(error)}
    if reply.get("method", 0) is None:
        del reply["method"]
    print(json.dumps(reply), flush=True)
