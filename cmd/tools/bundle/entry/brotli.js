export { default as init, BrotliDecStream, BrotliStreamResultCode } from "brotli-dec-wasm/web";
