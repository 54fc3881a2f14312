// Package store reads and writes objects of stores with the S3 protocol. Only the index
// and the pipeline use it: no other part of pakbox uses the network for files. It signs
// requests with keys from the environment, or from the files of AWS's own tools, and
// sends the keys to nobody.
//
// It is small because it does little: list, read whole or in ranges, put whole, remove.
// The client of minio does more, and adds 1.9 MB and a dozen modules.
package store

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"pakbox/fault"
)

// Scheme begins the names of objects: s3://bucket/key.
const Scheme = "s3://"

// Is reports whether a path names objects.
func Is(path string) bool { return strings.HasPrefix(path, Scheme) }

// Object is an object in a listing.
type Object struct {
	Path     string
	Size     int64
	Modified time.Time
	Tag      string // changes with the content
}

// Store is a client. Its methods may be called from several goroutines.
type Store struct {
	keys     keys
	region   string
	endpoint *url.URL // nil for AWS
	client   *http.Client
	lists    chan struct{} // limits the list requests at a time
	now      func() time.Time
	// Patience is how long a body may take for a few kilobytes; a store that sends less is
	// given up. Open sets it to half a minute.
	Patience time.Duration
}

// keys sign requests. Without an id requests are not signed.
type keys struct{ id, secret, token string }

// tries is how often a request is made if it fails for a temporary reason: for three
// seconds in all. An object is asked for longer, for half a minute: much is done by then,
// and it would have to be begun again.
const tries, objectTries = 5, 8

// Open makes a client from the environment.
func Open(getenv func(string) string) (*Store, error) {
	c, err := configure(getenv)
	if err != nil {
		return nil, err
	}
	s := &Store{keys: c.keys, region: c.region, lists: make(chan struct{}, listers), now: time.Now, Patience: 30 * time.Second}
	if c.endpoint != "" {
		if s.endpoint, err = url.Parse(c.endpoint); err != nil || s.endpoint.Host == "" {
			return nil, fault.Usagef("%q is not an address of a store", c.endpoint).Hint("AWS_ENDPOINT_URL is such as https://storage.example.org")
		}
	}
	s.client = &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute, ResponseHeaderTimeout: time.Minute,
			TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}, DisableCompression: true,
		},
		// A signature is for one host: another would refuse it, and would see the session token.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return s, nil
}

// split splits s3://bucket/key.
func split(path string) (bucket, key string, err error) {
	bucket, key, _ = strings.Cut(strings.TrimPrefix(path, Scheme), "/")
	if !Is(path) || bucket == "" {
		return "", "", fault.Usagef("%q names no bucket", path).Hint("such as s3://bucket/folder")
	}
	return bucket, key, nil
}

// address is the URL of an object or a bucket. Stores other than AWS have all buckets at
// one host; AWS has those there whose names have dots, which its certificate does not fit.
func (s *Store) address(bucket, key string) *url.URL {
	u := url.URL{Scheme: "https", Host: "s3." + s.region + ".amazonaws.com", Path: "/" + bucket + "/" + key}
	switch {
	case s.endpoint != nil:
		u.Scheme, u.Host, u.Path = s.endpoint.Scheme, s.endpoint.Host, strings.TrimSuffix(s.endpoint.Path, "/")+u.Path
	case !strings.Contains(bucket, "."):
		u.Host, u.Path = bucket+"."+u.Host, "/"+key
	}
	u.RawPath = escape(u.Path, false)
	return &u
}

// request is a request to a store.
type request struct {
	method string
	path   string // path for error messages
	url    *url.URL
	header map[string]string
	body   []byte
	tries  int // 0 for tries
}

// do makes a request, repeats it if that may help, and returns an answer without an error
// status.
func (s *Store) do(ctx context.Context, r request) (*http.Response, error) {
	for try := 1; ; try++ {
		answer, err := s.once(ctx, r)
		var refused *refusal
		switch last := try >= max(r.tries, tries); {
		case err == nil || ctx.Err() != nil:
			return answer, err
		case errors.As(err, &refused) && !refused.passes():
			return nil, lost(err, refused.ofKeys())
		case last:
			return nil, lost(err, refused == nil || refused.status != http.StatusInternalServerError)
		}
		select {
		case <-time.After(100 * time.Millisecond << try):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (s *Store) once(ctx context.Context, r request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	req, err := http.NewRequestWithContext(ctx, r.method, r.url.String(), strings.NewReader(string(r.body)))
	if err != nil {
		cancel(nil)
		return nil, err
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	s.sign(req, r.body)
	answer, err := s.client.Do(req)
	if err != nil {
		cancel(nil)
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // leave out the address, which is long and known
		}
		return nil, &fs.PathError{Op: strings.ToLower(r.method), Path: r.path, Err: err}
	}
	answer.Body = s.watched(ctx, cancel, r.path, answer.Body)
	if answer.StatusCode < 300 {
		return answer, nil
	}
	defer answer.Body.Close()
	return nil, &fs.PathError{Op: strings.ToLower(r.method), Path: r.path, Err: s.refused(answer)}
}

// refusal is an answer with an error status.
type refusal struct {
	status int
	code   string // error code of S3
}

func (r *refusal) Error() string {
	return strings.TrimSpace(fmt.Sprintf("the store answered %d %.100s", r.status, r.code))
}

// Is makes a refusal match the errors of files, such as fs.ErrNotExist.
func (r *refusal) Is(target error) bool {
	return target == fs.ErrNotExist && r.status == http.StatusNotFound || target == fs.ErrPermission && r.status == http.StatusForbidden
}

// ofKeys reports whether the store refuses every request with these keys, such as keys
// that have expired.
func (r *refusal) ofKeys() bool {
	return slices.Contains([]string{"SignatureDoesNotMatch", "InvalidAccessKeyId", "ExpiredToken", "TokenRefreshRequired", "RequestTimeTooSkewed"}, r.code)
}

// lostStore is an error that is about the store, and not about an object.
type lostStore struct{ error }

func (l lostStore) Unwrap() error { return l.error }

func lost(err error, is bool) error {
	if is {
		return lostStore{err}
	}
	return err
}

// Lost reports whether an error is about the whole store: it does not answer, or takes
// these keys no longer. Otherwise the error is about the object that was asked for.
func Lost(err error) bool {
	var l lostStore
	return errors.As(err, &l)
}

// passes reports whether the same request may succeed later.
func (r *refusal) passes() bool { return r.status >= 500 || r.status == http.StatusTooManyRequests }

// Changed reports whether an error means that the object has changed since it was listed.
func Changed(err error) bool {
	var r *refusal
	return errors.As(err, &r) && r.status == http.StatusPreconditionFailed
}

func (s *Store) refused(answer *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 4096))
	_, rest, _ := strings.Cut(string(text), "<Code>")
	code, _, _ := strings.Cut(rest, "</Code>")
	err := &refusal{answer.StatusCode, code}
	switch where := answer.Header.Get("x-amz-bucket-region"); {
	case code == "SignatureDoesNotMatch" || code == "InvalidAccessKeyId" || code == "ExpiredToken":
		return fault.WithHint(err, "look at AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or at the profile in ~/.aws")
	case where != "" && (answer.StatusCode/100 == 3 || answer.StatusCode == http.StatusBadRequest):
		return fault.WithHint(err, "the bucket is in another region: AWS_REGION=%.100s", where)
	case s.keys.id == "" && slices.Contains([]int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden}, answer.StatusCode):
		return fault.WithHint(err, "the request had no keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE")
	}
	return err
}

// ReadAll reads an object, or its beginning if it has more than most bytes. If tag is not
// empty the object must have this tag.
func (s *Store) ReadAll(ctx context.Context, path, tag string, most int64) ([]byte, error) {
	return s.read(ctx, path, tag, "", most)
}

// Range reads n bytes of an object from offset, or fewer if it ends there. It must have
// the tag.
func (s *Store) Range(ctx context.Context, path, tag string, offset, n int64) ([]byte, error) {
	return s.read(ctx, path, tag, fmt.Sprintf("bytes=%d-%d", offset, offset+n-1), n)
}

// read reads up to most bytes, whatever the store sends.
func (s *Store) read(ctx context.Context, path, tag, part string, most int64) ([]byte, error) {
	bucket, key, err := split(path)
	if err != nil {
		return nil, err
	}
	r := request{method: "GET", path: path, url: s.address(bucket, key), header: map[string]string{}, tries: objectTries}
	if tag != "" {
		r.header["If-Match"] = tag
	}
	if part != "" {
		r.header["Range"] = part
	}
	for try := 1; ; try++ {
		answer, err := s.do(ctx, r)
		if err != nil {
			return nil, err
		}
		if part != "" && answer.StatusCode != http.StatusPartialContent {
			answer.Body.Close()
			return nil, fmt.Errorf("%s: the store sends the whole object in place of a part", path)
		}
		data, err := io.ReadAll(io.LimitReader(answer.Body, most))
		answer.Body.Close()
		stalledAgain := try > 1 && errors.Is(err, fault.Access)
		if err == nil || try == tries || stalledAgain || ctx.Err() != nil {
			return data, err
		}
	}
}

// Put writes an object as a whole.
func (s *Store) Put(ctx context.Context, path string, data []byte) error {
	return s.change(ctx, "PUT", path, data)
}

// Remove removes an object, if it exists.
func (s *Store) Remove(ctx context.Context, path string) error {
	if err := s.change(ctx, "DELETE", path, nil); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (s *Store) change(ctx context.Context, method, path string, data []byte) error {
	bucket, key, err := split(path)
	if err != nil {
		return err
	}
	answer, err := s.do(ctx, request{method: method, path: path, url: s.address(bucket, key), body: data})
	if err == nil {
		answer.Body.Close()
	}
	return err
}
