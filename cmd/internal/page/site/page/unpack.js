// unpacker is a stream that unpacks Brotli: the browser's own one, or a fetched module in
// browsers without it, such as Chromium.
export async function unpacker() {
  try {
    return new DecompressionStream("brotli");
  } catch { /* this browser has none */ }
  const [{ init, BrotliDecStream, BrotliStreamResultCode }, packed] = await Promise.all([import("./brotli.js"), fetch(new URL("brotli.wasm.gz", import.meta.url))]);
  if (!packed.ok) throw new Error("brotli.wasm.gz: " + packed.status);
  await init({ module_or_path: await new Response(packed.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer() });
  const decoder = new BrotliDecStream();
  return new TransformStream({
    transform(chunk, controller) {
      let code;
      do {
        const part = decoder.dec(chunk, 1 << 20);
        controller.enqueue(part.buf);
        chunk = chunk.subarray(part.input_offset);
        code = part.code;
        part.free();
      } while (code === BrotliStreamResultCode.NeedsMoreOutput);
    },
  });
}
