package node

// MaxFile is the size of the largest file that is read as a whole. Sizes in object files have
// 32 bits.
const MaxFile = 1<<31 - 1
