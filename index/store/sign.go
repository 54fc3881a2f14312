package store

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// sign signs a request with Signature Version 4 of AWS, as "Authenticating
// Requests (AWS Signature Version 4)" of the S3 API describes it.
func (s *Store) sign(req *http.Request, body []byte) {
	sum := sha256.Sum256(body)
	content := hex.EncodeToString(sum[:])
	now := s.now().UTC()
	stamp, day := now.Format("20060102T150405Z"), now.Format("20060102")
	req.Header.Set("x-amz-content-sha256", content)
	req.Header.Set("x-amz-date", stamp)
	if s.keys.id == "" {
		return
	}
	if s.keys.token != "" {
		req.Header.Set("x-amz-security-token", s.keys.token)
	}
	names := []string{"host"}
	for name := range req.Header {
		names = append(names, strings.ToLower(name))
	}
	slices.Sort(names)
	var headers strings.Builder
	for _, name := range names {
		value := req.Host
		if name != "host" {
			value = req.Header.Get(name)
		} else if value == "" {
			value = req.URL.Host
		}
		headers.WriteString(name + ":" + strings.TrimSpace(value) + "\n")
	}
	signed := strings.Join(names, ";")
	whole := strings.Join([]string{req.Method, req.URL.EscapedPath(), req.URL.RawQuery, headers.String(), signed, content}, "\n")
	hash := sha256.Sum256([]byte(whole))
	scope := day + "/" + s.region + "/s3/aws4_request"
	text := "AWS4-HMAC-SHA256\n" + stamp + "\n" + scope + "\n" + hex.EncodeToString(hash[:])
	key := []byte("AWS4" + s.keys.secret)
	for _, part := range []string{day, s.region, "s3", "aws4_request", text} {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(part))
		key = h.Sum(nil)
	}
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+s.keys.id+"/"+scope+",SignedHeaders="+signed+",Signature="+hex.EncodeToString(key))
}

// escape escapes a text for signatures: everything but letters, digits and -._~.
func escape(s string, slashes bool) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0 || c == '/' && !slashes {
			b.WriteByte(c)
		} else {
			b.WriteByte('%')
			b.WriteByte(digits[c>>4])
			b.WriteByte(digits[c&15])
		}
	}
	return b.String()
}

// query returns a query in the order and form that signatures need.
func query(values url.Values) string {
	var list []string
	for name, v := range values {
		list = append(list, escape(name, true)+"="+escape(v[0], true))
	}
	slices.Sort(list)
	return strings.Join(list, "&")
}
