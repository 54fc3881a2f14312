// Answers questions with DuckDB: ask.mjs FOLDER QUESTIONS, a list in JSON. Each answer is a
// line with the names of its columns, a line for each row, and a line with null. Rows are
// lists of texts.
import { DuckDBInstance, DuckDBBlobValue, DuckDBListValue, DuckDBTimestampTZValue } from "@duckdb/node-api";

function text(value) {
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString("hex");
  if (value instanceof DuckDBListValue) return "[" + value.items.map(text).join(" ") + "]";
  if (value instanceof DuckDBTimestampTZValue) return value.micros + " us";
  return String(value);
}

const connection = await (await DuckDBInstance.create(":memory:")).connect();
process.chdir(process.argv[2]);
let lines = [];
async function flush() {
  const all = lines.join("");
  lines = [];
  if (!process.stdout.write(all)) await new Promise((go) => process.stdout.once("drain", go));
}
for (const question of JSON.parse(process.argv[3])) {
  const answer = await connection.stream(question);
  lines.push(JSON.stringify(answer.columnNames()) + "\n");
  for (;;) {
    const chunk = await answer.fetchChunk();
    if (!chunk || chunk.rowCount === 0) break;
    for (const row of chunk.getRows()) lines.push(JSON.stringify(row.map(text)) + "\n");
    await flush();
  }
  lines.push("null\n");
}
await flush();
