export { default } from "@sqlite.org/sqlite-wasm";
