package pak

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"

	"pakbox/fault"
)

// dictionarySize is the length of the LZ4 dictionary of version 18.
const dictionarySize = 1006

const dictionarySHA256 = "49091f002a04ac1f1962cfa5106a0a1480223be734937d45675f11f8d71f18d2"

// checkDictionary returns an error if data is not the dictionary.
func checkDictionary(data []byte) error {
	sum := sha256.Sum256(data)
	if hex.EncodeToString(sum[:]) != dictionarySHA256 {
		return fault.New(fault.Key, "this is not the LZ4 dictionary of version 18: its SHA-256 is another")
	}
	return nil
}

// FindDictionary finds the dictionary in a program file of the game, where it is a
// constant. It begins like a DDS texture.
func FindDictionary(program []byte) ([]byte, error) {
	return findDictionary(program, dictionarySHA256)
}

func findDictionary(program []byte, want string) ([]byte, error) {
	for at := 0; ; at++ {
		i := bytes.Index(program[at:], []byte("DDS "))
		if i < 0 || at+i+dictionarySize > len(program) {
			return nil, fault.New(fault.Key, "the program does not hold the LZ4 dictionary of version 18")
		}
		at += i
		window := program[at : at+dictionarySize]
		if sum := sha256.Sum256(window); hex.EncodeToString(sum[:]) == want {
			return bytes.Clone(window), nil
		}
	}
}
