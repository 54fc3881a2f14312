#!/usr/bin/env python3
"""An independent decoder of 42pak archives, versions 1 and 2.

Usage: decode_vpk.py FILE <PASSPHRASE-FILE

It is written from the format's specification and shares nothing with the Go
code it checks. It asserts everything the format promises and prints what it
found as JSON; any violation ends it with an error. Needs python3-cryptography
and python3-lz4; Zstandard and Brotli go through the programs of those names.
BLAKE3 is computed here, and only for content up to 16 KiB, because it is slow
in Python.
"""
import hashlib
import hmac
import json
import struct
import subprocess
import sys

import lz4.block
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

IV = [0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
      0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19]
PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8
MASK = 0xFFFFFFFF


def compress(cv, words, counter, length, flags):
    """The compression function of BLAKE3, first half of its output."""
    v = cv + IV[:4] + [counter & MASK, counter >> 32, length, flags]

    def rotate(x, n):
        return (x >> n | x << 32 - n) & MASK

    def mix(a, b, c, d, x, y):
        v[a] = (v[a] + v[b] + x) & MASK
        v[d] = rotate(v[d] ^ v[a], 16)
        v[c] = (v[c] + v[d]) & MASK
        v[b] = rotate(v[b] ^ v[c], 12)
        v[a] = (v[a] + v[b] + y) & MASK
        v[d] = rotate(v[d] ^ v[a], 8)
        v[c] = (v[c] + v[d]) & MASK
        v[b] = rotate(v[b] ^ v[c], 7)

    m = words
    for _ in range(7):
        mix(0, 4, 8, 12, m[0], m[1])
        mix(1, 5, 9, 13, m[2], m[3])
        mix(2, 6, 10, 14, m[4], m[5])
        mix(3, 7, 11, 15, m[6], m[7])
        mix(0, 5, 10, 15, m[8], m[9])
        mix(1, 6, 11, 12, m[10], m[11])
        mix(2, 7, 8, 13, m[12], m[13])
        mix(3, 4, 9, 14, m[14], m[15])
        m = [m[i] for i in PERMUTATION]
    return [v[i] ^ v[i + 8] for i in range(8)]


def chunk_value(data, index, extra):
    cv = IV
    blocks = [data[i:i + 64] for i in range(0, len(data), 64)] or [b""]
    for i, block in enumerate(blocks):
        flags = 0
        if i == 0:
            flags |= CHUNK_START
        if i == len(blocks) - 1:
            flags |= CHUNK_END | extra
        words = list(struct.unpack("<16I", block.ljust(64, b"\0")))
        cv = compress(cv, words, index, len(block), flags)
    return cv


def tree_value(data, index, extra):
    """The chaining value of a subtree whose first chunk is the index-th."""
    if len(data) <= 1024:
        return chunk_value(data, index, extra)
    left = 1024
    while left * 2 < len(data):
        left *= 2
    words = tree_value(data[:left], index, 0) + tree_value(data[left:], index + left // 1024, 0)
    return compress(IV, words, 0, 64, PARENT | extra)


def blake3(data):
    return struct.pack("<8I", *tree_value(data, 0, ROOT))


class Cursor:
    def __init__(self, data):
        self.data, self.pos = data, 0

    def take(self, n):
        assert 0 <= n <= len(self.data) - self.pos, "record runs past its end"
        self.pos += n
        return self.data[self.pos - n:self.pos]

    def unpack(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))

    def counted(self):
        return self.take(self.unpack("i")[0])


def decompress(algorithm, data):
    size, stream = struct.unpack("<i", data[:4])[0], data[4:]
    if algorithm == 1:
        return size, lz4.block.decompress(stream, uncompressed_size=size)
    program = {2: ["zstd", "-dcq"], 3: ["brotli", "-dc"]}[algorithm]
    return size, subprocess.run(program, input=stream, stdout=subprocess.PIPE, check=True).stdout


def decode(data, passphrase):
    c = Cursor(data)
    magic, version, count, table_offset, table_size, encrypted, level = c.unpack("4sHiqiBi")
    assert magic == b"42PK" and version in (1, 2)
    algorithm = c.unpack("B")[0] if version == 2 else 1
    mangled, ticks, salt, author, comment = c.unpack("Bq32s64s128s")
    assert not any(c.take(512 - c.pos)), "reserved bytes"
    assert table_offset + table_size + 32 == len(data), "table and trailer do not end the file"
    table, trailer = data[table_offset:-32], data[-32:]
    if encrypted:
        key = hashlib.pbkdf2_hmac("sha512", b"42PK-v1:" + passphrase.encode(), salt,
                                  200000 if version == 2 else 100000, 64)
        assert hmac.new(key[32:], data[:-32], "sha256").digest() == trailer, "HMAC"
        gcm = AESGCM(key[:32])
        table = gcm.decrypt(table[:12], table[28:] + table[12:28], None)
    else:
        assert not any(trailer) and not any(salt), "trailer and salt must be zero"
    entries, position, t = [], 512, Cursor(table)
    for _ in range(count):
        stored_name, name = t.counted().decode(), t.counted().decode()
        original, stored, offset = t.unpack("qqq")
        digest = t.counted()
        compressed, sealed = t.unpack("BB")
        nonce, tag = t.counted(), t.counted()
        assert offset == -(-position // 4096) * 4096, "block of %s is misplaced" % name
        assert not any(data[position:offset]), "padding"
        position = offset + stored
        content = data[offset:position]
        assert sealed == encrypted and len(nonce) == 12 * sealed and len(tag) == 16 * sealed
        if sealed:
            content = gcm.decrypt(nonce, content + tag, None)
        if compressed:
            assert level > 0 and stored < original
            size, content = decompress(algorithm, content)
            assert size == original
        assert len(content) == original and len(digest) == 32
        if original <= 16384:
            assert blake3(content) == digest, "BLAKE3 of %s" % name
        entries.append({"name": name, "stored_name": stored_name, "compressed": bool(compressed),
                        "sha256": hashlib.sha256(content).hexdigest()})
    assert t.pos == len(table) and position == table_offset
    return {"version": version, "level": level, "algorithm": algorithm, "mangled": bool(mangled), "ticks": ticks,
            "author": author.rstrip(b"\0").decode(), "comment": comment.rstrip(b"\0").decode(), "entries": entries}


if __name__ == "__main__":
    assert blake3(b"").hex() == "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
    with open(sys.argv[1], "rb") as f:
        json.dump(decode(f.read(), sys.stdin.read()), sys.stdout)
