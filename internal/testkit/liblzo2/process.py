import ctypes, struct, sys, time
lib = ctypes.CDLL("liblzo2.so.2")
size, now = ctypes.c_size_t, time.process_time_ns
pairs = []
with open(sys.argv[1], "rb") as f:
    while head := f.read(8):
        r, c = struct.unpack("<II", head)
        pairs.append((f.read(r), f.read(c)))
room = max(len(r) for r, c in pairs) * 2 + 4096
out, work, got = ctypes.create_string_buffer(room), ctypes.create_string_buffer(1 << 20), size()

def passes(name, decode):
    call, total = getattr(lib, name), 0
    start = now()
    for r, c in pairs:
        data = c if decode else r
        got.value = len(r) if decode else room
        call(data, size(len(data)), out, ctypes.byref(got), work)
        total += got.value
    return now() - start, total

print("ready", flush=True)
for line in sys.stdin:
    command, name, *rest = line.split()
    if command == "time":
        decode = "decompress" in name
        spent, total = passes(name, decode)
        print(spent - passes("lzo_version", decode)[0], total, flush=True)
    if command == "unpack": # count the streams that give the right bytes
        good = 0
        for r, c in pairs:
            got.value = len(r)
            code = getattr(lib, name)(c, size(len(c)), out, ctypes.byref(got), None)
            good += code == 0 and ctypes.string_at(out, got.value) == r
        print(0, good, flush=True)
    if command == "pack": # write the streams to a file
        with open(rest[0], "wb") as f:
            for r, c in pairs:
                got.value = room
                getattr(lib, name)(r, size(len(r)), out, ctypes.byref(got), work)
                f.write(struct.pack("<I", got.value) + ctypes.string_at(out, got.value))
        print(0, len(pairs), flush=True)
