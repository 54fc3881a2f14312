// Package lz4 reads and writes LZ4 blocks, at twelve levels that really differ.
//
// A block is the raw unit of LZ4, without the frame: no magic, no sizes, no
// checksum. The format is lz4_Block_format.md of the LZ4 project. Any LZ4
// library decodes the blocks of [AppendCompress]; [Decompress] decodes the blocks
// of any library.
//
// Levels are numbered as in liblz4, and from level 3 up they give blocks of
// the same size within a fraction of a percent:
//
//   - 1 looks for matches in a small table and takes the first it meets
//     (fast.go);
//   - 2 to 9 follow chains of earlier positions, each level twice as far as
//     the one before, and look behind the end of every match for a better one
//     that overlaps it (hc.go);
//   - 10 to 12 weigh every way of cutting the data into matches and literals,
//     with ever more effort (opt.go).
//
// Three ideas are those of Yann Collet's lz4hc (liblz4, BSD-2-Clause): the
// chain of 16-bit steps, the search from the end of a match backwards, and the
// step to the chain of the rarest part of a match. What is done with the
// matches is different: all levels from 2 up put prices on positions and take
// the cheapest path (window.go), where lz4hc has rules for overlaps.
//
// The result depends on the input and the level only. Working memory comes
// from a pool: 16 KiB per call in progress at level 1, 300 KiB at the others,
// whatever the size of the input; nothing is allocated once the pool is warm
// and the destination has room for [MaxCompressedLen] bytes.
package lz4
