// The samples of a run, and the colours of its line.

import { lightOf } from "../../lib/colours.js";

// sampleAt is the last sample at or before a time.
export function sampleAt(times, t) {
  let low = 0,
    high = times.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (times[mid] <= t) low = mid;
    else high = mid - 1;
  }
  return low;
}

// shades are the colours of a run's samples, in sixteen steps.
export function shades(track, name) {
  const values = name && track[name];
  if (!values) return null;
  let low = Infinity,
    high = -Infinity;
  for (const v of values) {
    if (v !== null && v < low) low = v;
    if (v !== null && v > high) high = v;
  }
  return values.map((v) => Math.round(((v - low) / Math.max(1e-9, high - low)) * 15));
}

// moment is the time of a run: one for all, or one for each.
export const moment = (time, n) => (Array.isArray(time) ? time[n] : time);

// between is the position of a car at a time, interpolated between two samples.
export function between(track, t) {
  const i = sampleAt(track.time_s, t),
    k = Math.min(i + 1, track.x_m.length - 1);
  const span = track.time_s[k] - track.time_s[i];
  const part = span > 0 ? Math.max(0, Math.min(1, (t - track.time_s[i]) / span)) : 0;
  return ["x_m", "y_m", "z_m"].map((name) => track[name][i] + (track[name][k] - track[name][i]) * part);
}

// speedColour goes from blue over green to yellow, in the colours of tokens.css.
const stops = [0, 1, 2, 3].map((i) => lightOf("--speed-" + i));
export function speedColour(t) {
  const at = Math.max(0, Math.min(0.999, t)) * 3,
    i = Math.floor(at);
  return [0, 1, 2].map((k) => stops[i][k] + (stops[i + 1][k] - stops[i][k]) * (at - i));
}
