// Colours of tokens.css for drawings.

const look = getComputedStyle(document.documentElement);

// colours are the colours of series, readable on both backgrounds.
export const colours = Array.from({ length: 10 }, (_, i) => look.getPropertyValue("--series-" + (i + 1)).trim());

// parts are red, green and blue of a colour such as #1f77b4, from 0 to 1.
export const parts = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16) / 255);

// lightOf is a colour of tokens.css in parts.
export const lightOf = (name) => parts(look.getPropertyValue(name).trim());
