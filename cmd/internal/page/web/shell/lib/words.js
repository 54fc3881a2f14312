// The words of a search, separated as in a shell: a word with spaces is in quotation
// marks.

import { shell } from "./format.js";

// split returns the words of a search.
export function split(text) {
  return (text.match(/(?:[^\s"]|"[^"]*"?)+/g) || []).map((word) => word.replaceAll('"', "")).filter(Boolean);
}

// join joins words to a search.
export function join(words) {
  return words.map((word) => (/\s/.test(word) ? word.replace(/^(\w+[=~<>!]+)?(.*)$/, '$1"$2"') : word)).join(" ");
}

// toggle adds a word to a search, or removes it.
export function toggle(text, word) {
  const words = split(text);
  return join(words.includes(word) ? words.filter((w) => w !== word) : [...words, word]);
}

// command is the command with the same result.
export function command(index, text) {
  return ["pakbox find", shell(index), ...split(text).map(shell)].join(" ");
}
