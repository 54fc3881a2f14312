// Colours of series, readable on both grounds, as tokens.css has them.

const look = getComputedStyle(document.documentElement);
export const colours = Array.from({ length: 10 }, (_, i) => look.getPropertyValue("--series-" + (i + 1)).trim());
