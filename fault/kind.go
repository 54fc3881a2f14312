package fault

import "strings"

// Kind is one kind of fault. Its text is error.kind in JSON and never changes. A
// Kind is an error: errors.Is asks for a kind or for its class.
type Kind string

// The classes. Every other kind belongs to exactly one of them.
const (
	// NotFormat: the bytes do not begin like the format asked for.
	NotFormat Kind = "bad_magic"
	// Corrupt: this file is wrong.
	Corrupt Kind = "corrupt"
	// Unsupported: this file may be valid, but pakbox cannot read it yet.
	Unsupported Kind = "unsupported"
	// Key: a key or passphrase is missing or does not fit.
	Key Kind = "key"
	// Unsafe: following the file would write outside the target folder.
	Unsafe Kind = "unsafe_path"
	// Limit: following the file would cost more than the limits allow.
	Limit Kind = "limit_exceeded"
	// Access: the system denies access to the file.
	Access Kind = "io"
	// Usage: the request is wrong, whatever the file is: an unknown name, or a value out of
	// range.
	Usage Kind = "usage"
)

// Kinds of the class [NotFormat].
const (
	// Pointer: Git LFS has put a pointer in the place of the file.
	Pointer Kind = "git_lfs_pointer"
)

// Kinds of the class [Access].
const (
	NotFound   Kind = "not_found"
	Exists     Kind = "exists"
	Permission Kind = "permission"
	// Changed: the file was written while it was read.
	Changed Kind = "changed"
)

// Kinds of the class [Corrupt].
const (
	Truncated        Kind = "truncated"
	BadHeader        Kind = "bad_header"
	TableCorrupt     Kind = "table_corrupt"
	BadEntry         Kind = "bad_entry"
	EntryRange       Kind = "entry_range"
	Overlap          Kind = "overlap"
	Misaligned       Kind = "misaligned"
	NameTooLong      Kind = "name_too_long"
	DuplicateName    Kind = "duplicate_name"
	SizeMismatch     Kind = "size_mismatch"
	DecompressFailed Kind = "decompress_failed"
	HashMismatch     Kind = "hash_mismatch"
	HMACMismatch     Kind = "hmac_mismatch"
	TableAuthFailed  Kind = "table_auth_failed"
	DataAuthFailed   Kind = "data_auth_failed"
	ReservedNonzero  Kind = "reserved_nonzero"
	NonzeroTrailer   Kind = "nonzero_trailer"
	TrailingData     Kind = "trailing_data"
)

// Kinds of the class [Unsupported].
const (
	UnsupportedVersion   Kind = "unsupported_version"
	UnsupportedAlgorithm Kind = "unsupported_algorithm"
	UnknownClass         Kind = "unknown_class"
)

// Kinds of the class [Key].
const (
	PassphraseRequired Kind = "passphrase_required"
	KeyRequired        Kind = "key_required"
	WrongKey           Kind = "wrong_key"
)

var class = map[Kind]Kind{
	Truncated: Corrupt, BadHeader: Corrupt, TableCorrupt: Corrupt, BadEntry: Corrupt,
	EntryRange: Corrupt, Overlap: Corrupt, Misaligned: Corrupt, NameTooLong: Corrupt,
	DuplicateName: Corrupt, SizeMismatch: Corrupt, DecompressFailed: Corrupt,
	HashMismatch: Corrupt, HMACMismatch: Corrupt, TableAuthFailed: Corrupt,
	DataAuthFailed: Corrupt, ReservedNonzero: Corrupt, NonzeroTrailer: Corrupt,
	TrailingData: Corrupt,

	UnsupportedVersion: Unsupported, UnsupportedAlgorithm: Unsupported, UnknownClass: Unsupported,

	Pointer: NotFormat,

	NotFound: Access, Exists: Access, Permission: Access, Changed: Access,

	PassphraseRequired: Key, KeyRequired: Key, WrongKey: Key,
}

// Class returns the class k belongs to; a class is its own class.
func (k Kind) Class() Kind {
	if c, ok := class[k]; ok {
		return c
	}
	return k
}

// Error gives the kind as words, so that a Kind can serve as a sentinel.
func (k Kind) Error() string { return strings.ReplaceAll(string(k), "_", " ") }
