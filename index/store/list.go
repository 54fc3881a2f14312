package store

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"pakbox/fault"
)

// listers is the number of list requests at a time. A store answers a request in some ten
// milliseconds, with at most a thousand objects.
const listers = 16

// List returns the objects at or below a path, in any order. Each folder is listed
// separately, many at a time. A path without objects is an error.
func (s *Store) List(ctx context.Context, path string) ([]Object, error) {
	bucket, key, err := split(path)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	l := &lister{store: s, bucket: bucket, cancel: cancel}
	if key = strings.TrimSuffix(key, "/"); key == "" {
		l.folder(ctx, "")
	} else {
		l.folder(ctx, key+"/")
		p, err := s.page(ctx, bucket, key, "") // the object itself comes first
		if err != nil {
			cancel(err)
		} else {
			l.add(slices.DeleteFunc(p.objects, func(o Object) bool { return o.Path != Scheme+bucket+"/"+key }))
		}
	}
	l.wait.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if len(l.found) == 0 {
		return nil, fault.Usagef("%s: no object found below it", path).Hint("look at the name of the bucket and the folder")
	}
	return l.found, nil
}

// Names lists the objects of a folder, without those in subfolders.
func (s *Store) Names(ctx context.Context, path string) (names []string, err error) {
	bucket, key, err := split(path)
	if err != nil {
		return nil, err
	}
	if key = strings.TrimSuffix(key, "/"); key != "" {
		key += "/"
	}
	return names, s.pages(ctx, bucket, key, func(p *page) {
		for _, o := range p.objects {
			names = append(names, o.Path[strings.LastIndexByte(o.Path, '/')+1:])
		}
	})
}

// lister collects a list from several requests.
type lister struct {
	store  *Store
	bucket string
	wait   sync.WaitGroup
	cancel context.CancelCauseFunc

	mu    sync.Mutex
	found []Object
}

func (l *lister) add(objects []Object) {
	l.mu.Lock()
	l.found = append(l.found, objects...)
	l.mu.Unlock()
}

// folder lists the objects below a prefix, in parallel with others.
func (l *lister) folder(ctx context.Context, prefix string) {
	l.wait.Go(func() {
		err := l.store.pages(ctx, l.bucket, prefix, func(p *page) {
			l.add(p.objects)
			for _, folder := range p.folders {
				l.folder(ctx, folder)
			}
		})
		if err != nil {
			l.cancel(err)
		}
	})
}

// pages calls each for every page of a list. It refuses a list that has no end: the same
// page again, or page after page without objects.
func (s *Store) pages(ctx context.Context, bucket, prefix string, each func(*page)) error {
	tokens, token, empty := map[string]bool{}, "", 0
	for {
		p, err := s.page(ctx, bucket, prefix, token)
		if err != nil {
			return err
		}
		each(p)
		if empty++; len(p.objects)+len(p.folders) > 0 {
			empty = 0
		}
		if token = p.next; token == "" {
			return nil
		}
		if tokens[token] || empty == maxEmpty {
			return fmt.Errorf("%s%s/%s: the list that the store sends has no end", Scheme, bucket, prefix)
		}
		tokens[token] = true
	}
}

// page is one answer of a list request.
type page struct {
	objects []Object
	folders []string
	next    string // token of the next page; "" for the last page
}

// page requests the objects and folders directly below a prefix.
func (s *Store) page(ctx context.Context, bucket, prefix, token string) (*page, error) {
	values := url.Values{"list-type": {"2"}, "delimiter": {"/"}, "prefix": {prefix}, "encoding-type": {"url"}}
	if token != "" {
		values.Set("continuation-token", token)
	}
	select {
	case s.lists <- struct{}{}:
		defer func() { <-s.lists }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	u := s.address(bucket, "")
	u.RawQuery = query(values)
	answer, err := s.do(ctx, request{method: "GET", path: Scheme + bucket + "/" + prefix, url: u})
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return readPage(answer.Body, bucket, prefix)
}

// Limits of a page. S3 sends at most 1,000 objects in one, and keys have at most 1,024
// bytes.
const (
	maxPage  = 16 << 20
	maxKey   = 1024
	maxEmpty = 1000 // pages without an object one after the other
)

// readPage reads a page of the list of a prefix. It refuses an answer that could make the
// caller list forever: a folder outside the prefix, or a key that is too long.
func readPage(r io.Reader, bucket, prefix string) (*page, error) {
	var list struct {
		EncodingType          string
		NextContinuationToken string
		IsTruncated           bool
		Contents              []struct {
			Key, ETag    string
			LastModified time.Time
			Size         int64
		}
		CommonPrefixes []struct{ Prefix string }
	}
	if err := xml.NewDecoder(io.LimitReader(r, maxPage)).Decode(&list); err != nil {
		return nil, err
	}
	wrong := func(key string) error {
		return fmt.Errorf("%s%s/%s: the store lists %q below it, which is not a key there", Scheme, bucket, prefix, key)
	}
	plain := func(s string) string {
		if list.EncodingType == "url" {
			if t, err := url.QueryUnescape(s); err == nil {
				return t
			}
		}
		return s
	}
	p := &page{}
	for _, c := range list.Contents {
		key := plain(c.Key)
		if !strings.HasPrefix(key, prefix) || len(key) > maxKey || c.Size < 0 {
			return nil, wrong(key)
		}
		if !strings.HasSuffix(key, "/") { // some tools make objects that stand for folders: leave them out
			p.objects = append(p.objects, Object{Scheme + bucket + "/" + key, c.Size, c.LastModified, c.ETag})
		}
	}
	for _, c := range list.CommonPrefixes {
		folder := plain(c.Prefix)
		if !strings.HasPrefix(folder, prefix) || folder == prefix || len(folder) > maxKey {
			return nil, wrong(folder)
		}
		p.folders = append(p.folders, folder)
	}
	if list.IsTruncated {
		p.next = list.NextContinuationToken
	}
	return p, nil
}
