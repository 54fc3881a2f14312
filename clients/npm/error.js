/** Why a question has no answer. kind is a stable word, such as truncated. */
export class PakboxError extends Error {
  constructor({ kind, message, file = "", entry = null, offset = null, hints = [] }) {
    super(message);
    Object.assign(this, { name: "PakboxError", kind, file, entry, offset, hints });
  }
}
