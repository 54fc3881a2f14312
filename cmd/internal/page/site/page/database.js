// SQLite in the worker: its own WebAssembly module, fetched when an index is opened. Package
// index/engine calls these functions. The Go program reads the files piece by piece; nothing
// is written. Rows and arguments cross the border as bytes: for each value SQLite's type
// number, then 8 bytes of a number, or a length and as many bytes.

import start from "./sqlite.js";
import { unpacker } from "./unpack.js";

const [INTEGER, FLOAT, TEXT, BLOB, NULL] = [1, 2, 3, 4, 5];

// Rows are returned in batches of about this many bytes.
const batch = 64 << 10;

// SQLite does this many steps between two checks of the clock.
const steps = 10000;

export async function load() {
  globalThis.sqlite3ApiConfig = { disable: { vfs: { kvvfs: true, opfs: true, "opfs-vfs": true, "opfs-sahpool": true, "opfs-wl": true } } };
  const response = await fetch(new URL("sqlite.wasm.br", import.meta.url));
  if (!response.ok) throw new Error("sqlite.wasm.br: " + response.status);
  const wasmBinary = await new Response(response.body.pipeThrough(await unpacker())).arrayBuffer();
  return makeEngine(await start({ wasmBinary }));
}

function makeEngine({ capi, wasm, vfs }) {
  const use = readOnlyFiles(capi, wasm, vfs);
  return {
    // open opens a file: read(bytes, offset) fills bytes and returns the number of bytes read.
    // functions are added to SQL: [name, deterministic, answer].
    open: guard((size, read, functions) => {
      const database = use({ size, read }, () => wasm.scopedAllocCall(() => {
        const out = wasm.scopedAllocPtr();
        const code = capi.sqlite3_open_v2("index", out, capi.SQLITE_OPEN_READONLY, vfsName);
        return { at: wasm.peekPtr(out), code };
      }));
      if (database.code) {
        const error = failure(capi, database.at, database.code);
        capi.sqlite3_close_v2(database.at);
        return error;
      }
      return makeConnection(capi, wasm, database.at, functions);
    }),
  };
}

// failure makes an error with the wording of SQLite's driver for Go.
function failure(capi, db, code) {
  const kind = capi.sqlite3_errstr(code), words = db ? capi.sqlite3_errmsg(db) : kind;
  return { code: code & 0xFF, message: kind === words ? `${kind} (${code})` : `${kind}: ${words} (${code})` };
}

// guard makes a function return its exceptions, such as a lack of memory, as errors.
function guard(run) {
  return (...args) => {
    try {
      return run(...args);
    } catch (error) {
      return { code: -1, message: String(error.message || error) };
    }
  };
}

function makeConnection(capi, wasm, db, functions) {
  let deadline = Infinity;
  capi.sqlite3_progress_handler(db, steps, () => (Date.now() > deadline ? 1 : 0), 0);
  for (const [name, deterministic, answer] of functions) {
    const given = (_, value) => {
      const w = new Writer();
      w.value(value);
      return new Reader(answer(w.bytes())).value();
    };
    capi.sqlite3_create_function_v2(db, name, 1, capi.SQLITE_UTF8 | (deterministic ? capi.SQLITE_DETERMINISTIC : 0), 0, given, 0, 0, 0);
  }
  const connection = {
    limit: (which, value) => { capi.sqlite3_limit(db, which, value); },
    close: () => { capi.sqlite3_close_v2(db); },

    // query prepares the statements of an SQL text, and runs all but the last. It returns the
    // last one, or an error.
    query: guard((text, args, until) => {
      deadline = until;
      return wasm.scopedAllocCall(() => {
        const [begin, length] = wasm.scopedAllocCString(text, true), end = begin + length;
        const out = wasm.scopedAllocPtr(), tail = wasm.scopedAllocPtr();
        let last = null;
        for (let at = begin; at < end; at = wasm.peekPtr(tail)) {
          const code = capi.sqlite3_prepare_v3(db, at, end - at, 0, out, tail);
          const statement = wasm.peekPtr(out);
          if (code) return last?.close(), failure(capi, db, code);
          if (!statement) continue; // a comment
          if (last) {
            const trouble = last.run();
            if (trouble) return capi.sqlite3_finalize(statement), trouble;
          }
          last = makeStatement(capi, wasm, db, statement);
          const missing = last.bind(new Reader(args));
          if (missing) return last.close(), missing;
        }
        return last ?? { columns: [], next: () => new Uint8Array([0]), close() {} };
      });
    }),
    wait: (until) => { deadline = until; },
  };
  return connection;
}

function makeStatement(capi, wasm, db, at) {
  const columns = Array.from({ length: capi.sqlite3_column_count(at) }, (_, i) => capi.sqlite3_column_name(at, i));
  let open = true;
  const close = () => {
    if (open) capi.sqlite3_finalize(at);
    open = false;
  };
  // bindText passes a copy that SQLite frees: with a string, the script of SQLite 3.54.1
  // throws an error.
  const bindText = (i, text) => {
    const bytes = new TextEncoder().encode(text);
    return capi.sqlite3_bind_text(at, i, wasm.allocFromTypedArray(bytes), bytes.length, capi.SQLITE_WASM_DEALLOC);
  };
  const write = (w, i) => {
    const type = capi.sqlite3_column_type(at, i);
    switch (type) {
      case INTEGER: w.number(type, capi.sqlite3_column_int64(at, i)); break;
      case FLOAT: w.number(type, capi.sqlite3_column_double(at, i)); break;
      case NULL: w.type(NULL); break;
      default: { // a text's bytes are UTF-8
        const from = Number(capi.sqlite3_column_blob(at, i));
        w.content(type, wasm.heap8u().subarray(from, from + capi.sqlite3_column_bytes(at, i)));
      }
    }
  };
  return {
    columns, close,

    // bind sets the parameters of the statement.
    bind(args) {
      const count = capi.sqlite3_bind_parameter_count(at);
      for (let i = 1; i <= count; i++) {
        if (args.atEnd()) return { code: -1, message: `missing argument with index ${i}` };
        const value = args.value();
        const code = value === null ? capi.sqlite3_bind_null(at, i)
          : typeof value === "bigint" ? capi.sqlite3_bind_int64(at, i, value)
          : typeof value === "number" ? capi.sqlite3_bind_double(at, i, value)
          : typeof value === "string" ? bindText(i, value)
          : capi.sqlite3_bind_blob(at, i, value, value.length, capi.SQLITE_TRANSIENT);
        if (code) return failure(capi, db, code);
      }
      return null;
    },

    // next returns the next rows: each is a 1 and its values. A 0 follows the last row.
    next: guard(() => {
      const w = new Writer();
      while (w.length < batch) {
        const code = capi.sqlite3_step(at);
        if (code === capi.SQLITE_DONE) {
          w.type(0);
          break;
        }
        if (code !== capi.SQLITE_ROW) return failure(capi, db, code);
        w.type(1);
        for (let i = 0; i < columns.length; i++) write(w, i);
      }
      return w.bytes();
    }),

    // run steps through all rows without returning them, and finalizes the statement.
    run() {
      let code;
      do code = capi.sqlite3_step(at); while (code === capi.SQLITE_ROW);
      const trouble = code === capi.SQLITE_DONE ? null : failure(capi, db, code);
      close();
      return trouble;
    },
  };
}

// Writer appends values to bytes.
class Writer {
  #data = new Uint8Array(256);
  length = 0;

  #room(n) {
    if (this.length + n > this.#data.length) {
      const larger = new Uint8Array(Math.max(2 * this.#data.length, this.length + n));
      larger.set(this.#data.subarray(0, this.length));
      this.#data = larger;
    }
    const at = this.length;
    this.length += n;
    return at;
  }

  type(type) {
    const at = this.#room(1);
    this.#data[at] = type;
  }

  number(type, value) {
    this.type(type);
    const at = this.#room(8), view = new DataView(this.#data.buffer);
    if (type === INTEGER) view.setBigInt64(at, value, true);
    else view.setFloat64(at, value, true);
  }

  content(type, bytes) {
    this.type(type);
    const at = this.#room(4 + bytes.length);
    new DataView(this.#data.buffer).setUint32(at, bytes.length, true);
    this.#data.set(bytes, at + 4);
  }

  // value converts an argument of a function from the form of SQLite's script.
  value(value) {
    if (value === null || value === undefined) this.type(NULL);
    else if (typeof value === "bigint") this.number(INTEGER, value);
    else if (typeof value === "number") Number.isSafeInteger(value) ? this.number(INTEGER, BigInt(value)) : this.number(FLOAT, value);
    else if (typeof value === "string") this.content(TEXT, new TextEncoder().encode(value));
    else this.content(BLOB, value);
  }

  bytes() { return this.#data.subarray(0, this.length); }
}

// Reader reads values from bytes.
class Reader {
  #data;
  #at = 0;

  constructor(data) { this.#data = data; }

  atEnd() { return this.#at >= this.#data.length; }

  value() {
    const type = this.#data[this.#at++], view = new DataView(this.#data.buffer, this.#data.byteOffset + this.#at);
    if (type === NULL) return null;
    if (type === INTEGER || type === FLOAT) {
      this.#at += 8;
      return type === INTEGER ? view.getBigInt64(0, true) : view.getFloat64(0, true);
    }
    const from = this.#at + 4;
    this.#at = from + view.getUint32(0, true);
    const bytes = this.#data.slice(from, this.#at);
    return type === TEXT ? new TextDecoder().decode(bytes) : bytes;
  }
}

const vfsName = "pakbox";

// readOnlyFiles gives SQLite a file system of read-only files. It contains the files
// that names lists while an index is being opened, and no others.
function readOnlyFiles(capi, wasm, vfs) {
  const files = new Map(); // by the address of SQLite's structure
  let next = null;
  const fine = () => 0, readOnly = () => capi.SQLITE_READONLY;
  const io = new capi.sqlite3_io_methods();
  io.$iVersion = 1;
  const ioMethods = {
    xClose: (file) => { files.delete(file); return 0; },
    xRead: (file, to, n, at) => {
      const got = files.get(file).read(wasm.heap8u().subarray(Number(to), Number(to) + n), Number(at));
      if (got < 0) return capi.SQLITE_IOERR_READ;
      if (got === n) return 0;
      wasm.heap8u().fill(0, Number(to) + got, Number(to) + n);
      return capi.SQLITE_IOERR_SHORT_READ;
    },
    xWrite: readOnly, xTruncate: readOnly, xSync: fine,
    xFileSize: (file, out) => { wasm.poke64(out, BigInt(files.get(file).size)); return 0; },
    xLock: fine, xUnlock: fine, // no other process has the file
    xCheckReservedLock: (_, out) => { wasm.poke32(out, 0); return 0; },
    xFileControl: () => capi.SQLITE_NOTFOUND,
    xSectorSize: () => 4096,
    xDeviceCharacteristics: () => capi.SQLITE_IOCAP_IMMUTABLE,
  };
  vfs.installVfs({ io: { struct: io, methods: ioMethods } });

  const system = new capi.sqlite3_vfs(), usual = new capi.sqlite3_vfs(capi.sqlite3_vfs_find(null));
  system.$iVersion = 2;
  system.$szOsFile = capi.sqlite3_file.structInfo.sizeof;
  system.$mxPathname = 512;
  for (const method of ["$xRandomness", "$xSleep", "$xCurrentTime", "$xCurrentTimeInt64"]) system[method] = usual[method];
  usual.dispose();
  vfs.installVfs({ vfs: { struct: system, name: vfsName, methods: {
    xOpen: (_, name, at, flags, outFlags) => {
      if (!next) return capi.SQLITE_CANTOPEN;
      files.set(at, next);
      const file = new capi.sqlite3_file(at);
      file.$pMethods = io.pointer;
      file.dispose();
      if (outFlags) wasm.poke32(outFlags, capi.SQLITE_OPEN_READONLY | capi.SQLITE_OPEN_MAIN_DB);
      return 0;
    },
    xDelete: readOnly,
    xAccess: (_, name, flags, out) => { wasm.poke32(out, 0); return 0; }, // a journal never exists
    xFullPathname: (_, name, n, out) => (wasm.cstrncpy(out, name, n) < n ? 0 : capi.SQLITE_CANTOPEN),
    xGetLastError: fine,
  } } });
  return (file, open) => {
    next = file;
    try {
      return open();
    } finally {
      next = null;
    }
  };
}
