"""Reads an EIX/EPK pair and prints what it holds, one line per entry.

An independent reader for the tests: it shares no code with the package, takes
LZO from liblzo2 (python3-lzo) and LZ4 from liblz4 (python3-lz4), and checks
every rule of the format that the client relies on.

usage: decode_epk.py FILE.eix FILE.epk lzo|lz4 INDEXKEY DATAKEY
"""
import hashlib
import struct
import sys
import zlib

import lz4.block
import lzo

MASK = 0xFFFFFFFF
DELTA = 0x9E3779B9


def xtea_decrypt(data, key):
    assert len(data) % 8 == 0, "encrypted length"
    out = bytearray()
    for at in range(0, len(data), 8):
        y, z = struct.unpack_from("<2I", data, at)
        total = (DELTA * 32) & MASK
        while total:
            z = (z - ((((y << 4) ^ (y >> 5)) + y) ^ (total + key[(total >> 11) & 3]))) & MASK
            total = (total - DELTA) & MASK
            y = (y - ((((z << 4) ^ (z >> 5)) + z) ^ (total + key[total & 3]))) & MASK
        out += struct.pack("<2I", y, z)
    return bytes(out)


def decompress(codec, stream, size):
    if codec == "lzo":
        return lzo.decompress(stream, False, size)
    return lz4.block.decompress(stream, uncompressed_size=size)


def unpack_object(data, key, codec, encrypted):
    magic, encrypt_size, compressed_size, real_size = struct.unpack_from("<4s3I", data)
    assert magic == b"MCOZ", magic
    if encrypted:
        assert encrypt_size == (compressed_size + 19 + 7) // 8 * 8, "encrypt_size"
        assert len(data) == 16 + encrypt_size + 4, "length of an encrypted object"
        body = xtea_decrypt(data[16:16 + encrypt_size], key)
    else:
        assert encrypt_size == 0
        assert len(data) == 16 + 4 + compressed_size, "length of an object"
        body = data[16:]
    assert body[:4] == b"MCOZ", "inner mark"
    content = decompress(codec, body[4:4 + compressed_size], real_size)
    assert len(content) == real_size
    return content


def main():
    eix, epk = (open(path, "rb").read() for path in sys.argv[1:3])
    codec = sys.argv[3]
    index_key, data_key = (tuple(map(int, k.split(","))) for k in sys.argv[4:6])
    if eix[:4] == b"MCOZ":
        eix = unpack_object(eix, index_key, codec, True)
    magic, version, count = struct.unpack_from("<4sIi", eix)
    assert (magic, version) == (b"EPKD", 2), (magic, version)
    assert len(eix) == 12 + 192 * count, "length of the index"
    for number in range(count):
        record = struct.unpack_from("<i161s3xIiiIib3x", eix, 12 + 192 * number)
        ident, name, name_crc, slot, size, crc, position, kind = record
        assert ident == number, "id"
        name, _, rest = name.partition(b"\0")
        assert not rest.strip(b"\0"), "behind the name"
        assert name_crc == zlib.crc32(name), "name_crc"
        assert slot == size + 256 - size % 256, "slot"
        data = epk[position:position + slot]
        assert len(data) == slot and not data[size:].strip(b"\0"), "padding"
        data = data[:size]
        assert crc == zlib.crc32(data), "data_crc"
        if kind != 0:
            data = unpack_object(data, data_key, codec, kind == 2)
        print(name.hex(), kind, len(data), hashlib.sha256(data).hexdigest())


main()
