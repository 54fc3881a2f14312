// What is typed into a search, word by word, as a shell takes it: a word with
// spaces stands in quotation marks.

import { shell } from "./format.js";

// split gives the words of a search.
export function split(text) {
  return (text.match(/(?:[^\s"]|"[^"]*"?)+/g) || []).map((word) => word.replaceAll('"', "")).filter(Boolean);
}

// join writes words as one search.
export function join(words) {
  return words.map((word) => (/\s/.test(word) ? word.replace(/^(\w+[=~<>!]+)?(.*)$/, '$1"$2"') : word)).join(" ");
}

// toggle adds a word to a search, or takes it out.
export function toggle(text, word) {
  const words = split(text);
  return join(words.includes(word) ? words.filter((w) => w !== word) : [...words, word]);
}

// command is the command that finds the same.
export function command(index, text) {
  return ["pakbox find", shell(index), ...split(text).map(shell)].join(" ");
}
