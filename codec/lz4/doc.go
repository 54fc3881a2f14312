// Package lz4 reads and writes LZ4 blocks, at twelve levels that really differ.
//
// A block is LZ4 without the frame: no magic, no sizes, no checksum. The format is
// lz4_Block_format.md of the LZ4 project. Levels are numbered as in liblz4, and
// from level 3 up the sizes of blocks agree within a fraction of a percent:
//
//   - 1 takes the first match from a small table (fast.go);
//   - 2 to 9 follow chains of earlier positions, each level twice as far, and
//     look for better matches that overlap the last one (hc.go);
//   - 10 to 12 price all ways through the data (opt.go).
//
// The chain of 16-bit steps, the backward search from the end of a match and the
// step to the rarest chain are ideas of Yann Collet's lz4hc (liblz4,
// BSD-2-Clause). Where lz4hc has rules for overlaps, all levels from 2 up take
// the cheapest path (window.go).
//
// The result depends on input and level alone. Working memory comes from a pool:
// 16 KiB for a call at level 1, 300 KiB at the others.
package lz4
