package pak

import (
	"bytes"
	"errors"
	"io"

	"pakbox/fault"
	"pakbox/gbx/classid"
)

// A NodeWalker finds the nodes of a GBX file while it is being decrypted. It reads the
// file from r, forward and never a byte more than the current field needs. It calls node
// with each node's class before it reads on: the main node's before the body's first
// chunk, an inline node's right after its class ID, a directly archived node's at its
// first byte. An error of node ends the walk. It may stop at the end of the main node,
// and returns that offset. Its error names the class and the offset where it had to stop.
//
// r decrypts only as far as it is read. A walker that reads ahead into a buffer therefore
// breaks the decryption.
type NodeWalker func(r io.Reader, size int64, version uint32, node func(class classid.ID) error) (end int64, err error)

var errNoWalker = fault.New(fault.UnknownClass, "the rest of an encrypted GBX can only be read by following its nodes, and nothing here understands them")

// walk decodes a GBX entry whose nodes change the cipher. The word that a node adds to
// the cipher depends on the game that wrote the pack. If games differ, it tries each: the
// right one is the game with which the nodes end where the entry ends.
func (p *Pack) walk(i int, l *layers, head []byte) ([]byte, error) {
	first := p.follow(i, l, head, &words{games: gamesOf(p.Version)[0]})
	if first.right() {
		return first.data, nil
	}
	if first.words.forked {
		for _, games := range gamesOf(p.Version)[1:] {
			if a := p.again(i, &words{games: games}); a.right() {
				return a.data, nil
			}
		}
	}
	if first.words.lacks != 0 {
		if data, ok := p.guess(i, first); ok {
			return data, nil
		}
	}
	err := first.err
	if err == nil {
		err = fault.At(fault.UnknownClass, first.end, "", "the nodes end here, and not where the entry does")
	}
	if e := (*fault.Error)(nil); errors.As(err, &e) && e.Offset == fault.NoOffset {
		c := *e
		c.Offset = int64(len(first.data))
		err = &c
	}
	return first.data[:first.certain()], fault.InEntry(err, p.paths[i])
}

// attempt is the result of decoding an entry with certain words.
type attempt struct {
	words *words
	data  []byte
	sure  int   // bytes decoded before the first doubtful word; -1 if no word was doubtful
	end   int64 // where the nodes end
	err   error
}

// right reports whether the whole entry was decoded. If a word was doubtful, the nodes
// must also end where the entry ends.
func (a *attempt) right() bool {
	return a.err == nil && (a.sure < 0 || a.end == int64(len(a.data)))
}

// certain is the number of bytes that do not depend on doubtful words.
func (a *attempt) certain() int {
	if a.sure < 0 {
		return len(a.data)
	}
	return min(a.sure, len(a.data))
}

// again decodes an entry from its beginning, with other words.
func (p *Pack) again(i int, w *words) *attempt {
	l, err := p.layers(i)
	if err != nil {
		return &attempt{words: w, sure: -1, err: err}
	}
	head, _ := l.sniff()
	return p.follow(i, l, head, w)
}

// follow decodes an entry. w gives the word that each node adds to the cipher.
func (p *Pack) follow(i int, l *layers, head []byte, w *words) *attempt {
	rec := &recorder{src: l.top, limit: int64(p.Files[i].UncompressedSize)}
	rec.data.Write(head)
	rec.unread = head
	a := &attempt{words: w, sure: -1, err: errNoWalker}
	if p.Nodes != nil {
		a.end, a.err = p.Nodes(rec, rec.limit, p.Version, func(class classid.ID) error {
			word, err := w.of(class)
			if err != nil {
				return err
			}
			if w.inDoubt() && a.sure < 0 {
				a.sure = rec.data.Len() + len(l.top.Buffered())
			}
			l.crypt.Mix(word)
			return nil
		})
	}
	if rec.err == nil {
		rec.unread = nil
		if a.err == nil {
			_, rec.err = io.Copy(io.Discard, rec)
		} else {
			// Bytes that are already decoded cannot change any more.
			rec.take(l.top.Buffered())
			if rec.data.Len() == int(rec.limit) && l.top.Ended() {
				a.err, a.end = nil, rec.limit
			}
		}
	}
	if rec.err != nil {
		a.err = p.describe(i, rec.err, false)
	}
	if a.err == nil && int64(rec.data.Len()) != rec.limit {
		a.err = fault.At(fault.SizeMismatch, int64(rec.data.Len()), "file.uncompressedSize", "the content ends after %d bytes of %d", rec.data.Len(), rec.limit)
	}
	a.data = rec.data.Bytes()
	return a
}

// guessBudget limits how many bytes are decoded while guessing the parents of classes.
const guessBudget = 32 << 20

// guess decodes an entry with classes whose parents are unknown, by trying all possible
// parents. It accepts a guess only if the nodes then end where the entry ends, and if no
// other accepted guess gives different content.
func (p *Pack) guess(i int, first *attempt) ([]byte, bool) {
	g := &guesser{p: p, i: i, games: first.words.games, budget: guessBudget, guess: map[classid.ID]uint32{}}
	g.next(first.words.lacks)
	return g.found, g.found != nil && !g.several && g.budget > 0
}

type guesser struct {
	p       *Pack
	i       int
	games   []classid.Game
	guess   map[classid.ID]uint32
	budget  int64
	found   []byte
	several bool // two guesses gave different content
}

// next tries all words for one more unknown class.
func (g *guesser) next(class classid.ID) {
	for _, word := range allWords() {
		if g.budget -= int64(g.p.Files[g.i].UncompressedSize); g.budget <= 0 || g.several {
			break
		}
		g.guess[class] = word
		a := g.p.again(g.i, &words{games: g.games, guess: g.guess})
		if a.right() {
			g.several = g.found != nil && !bytes.Equal(g.found, a.data)
			g.found = a.data
			continue
		}
		if _, guessed := g.guess[a.words.lacks]; a.words.lacks != 0 && !guessed {
			g.next(a.words.lacks)
			continue
		}
		if e := (*fault.Error)(nil); errors.As(a.err, &e) && e.Offset+8 <= int64(a.certain()) {
			break // the error comes before the guessed word: no other guess can help
		}
	}
	delete(g.guess, class)
}

// recorder keeps the bytes that a walker reads.
type recorder struct {
	src    io.Reader
	unread []byte // bytes that were read and recorded before the walk
	data   bytes.Buffer
	limit  int64
	err    error // error of src other than its end
}

func (r *recorder) Read(p []byte) (int, error) {
	if len(r.unread) > 0 {
		n := copy(p, r.unread)
		r.unread = r.unread[n:]
		return n, nil
	}
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.src.Read(p)
	if n = r.take(p[:n]); r.err != nil {
		return n, r.err
	}
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// take records p, at most up to the size of the entry.
func (r *recorder) take(p []byte) int {
	if left := r.limit - int64(r.data.Len()); int64(len(p)) > left {
		r.err = errTooLong
		p = p[:left]
	}
	r.data.Write(p)
	return len(p)
}

var errTooLong = errors.New("the content is longer than the size in the table")
