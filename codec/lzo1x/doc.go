// Package lzo1x reads and writes LZO1X streams, the compressed blocks of the GBX and EterPack
// formats, among many others.
//
// It was written from the description of the stream in the Linux kernel's
// Documentation/staging/lzo.rst, which is prose, and not from any implementation. The
// run-length extension of the kernel (LZO-RLE, "version 1") is not part of LZO1X.
//
// # The stream
//
// A stream is a sequence of instructions that ends with an end marker. It knows neither its
// own length nor that of its output; both are kept by the format around it. An instruction
// copies a match, bytes of the output so far, given by length and distance back, and then
// takes literals, bytes of the input that follow it. A match carries 0 to 3 literals (S
// below); more come as a run, an instruction without a match. Matches may overlap their own
// output: distance 1 repeats a byte.
//
//	       opcode    operands     match                               distance
//	M2     1LLDDDSS  H            5 + L bytes                         8H + D + 1
//	M2     01LDDDSS  H            3 + L bytes                         8H + D + 1
//	M3     001LLLLL  [X] DS       2 + L bytes                         D + 1
//	M4     0001HLLL  [X] DS       2 + L bytes                         16384(H + 1) + D
//	M1     0000DDSS  H            2 bytes, after 1 to 3 literals      4H + D + 1
//	M1     0000DDSS  H            3 bytes, after 4 or more literals   4H + D + 2049
//	run    0000LLLL  [X]          none, 3 + L literals                (only where M1 cannot be)
//
// H is a byte. DS is a little-endian 16-bit word: 14 bits of D above the two of S. If L is
// zero in M3, M4 or a run, X is there: any number of zero bytes that count 255 each and one
// other byte, and L is their sum and 31, 7 or 15.
//
// The low opcodes have three meanings. After a match without literals they start a run; after
// one to three literals they are the near M1, which costs as much as the two bytes it stands
// for but can carry three more literals; after a run, since another run would be pointless,
// they are the far M1.
//
// M4 with H and D both zero is the end marker, usually 11 00 00.
//
// Nothing can be matched at the start, so a first byte above 17 means that many literals less
// 17, and they count as literals of a match or as a run according to their number.
//
// # Trust
//
// The decoder takes any input. It reads and writes only within the slices it is given,
// allocates nothing, and reports faults as an [*Error].
package lzo1x
