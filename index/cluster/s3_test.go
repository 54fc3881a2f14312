package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rclone/gofakes3"
	"github.com/rclone/gofakes3/s3mem"

	"pakbox/index/parquet"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
	"pakbox/index/store"
)

// secret signs requests to the stores of the tests: rclone's server, which checks the
// signature of every request.
const secret = "that-nobody-may-see"

// s3 starts a store with an empty bucket, and points the environment at it.
func s3(t *testing.T) {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket(context.Background(), "files"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend, gofakes3.WithV4Auth(map[string]string{"someone": secret})).Server())
	t.Cleanup(server.Close)
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": server.URL, "AWS_ACCESS_KEY_ID": "someone", "AWS_SECRET_ACCESS_KEY": secret, "AWS_REGION": "", "AWS_PROFILE": "",
		"AWS_SHARED_CREDENTIALS_FILE": filepath.Join(t.TempDir(), "none"), "AWS_CONFIG_FILE": filepath.Join(t.TempDir(), "none"),
	} {
		t.Setenv(name, value)
	}
}

// The objects in a store are listed completely, get the same rows as files on a
// disk, and are not read again. The pipeline writes the same tables into the store as index
// --shard writes.
func TestS3(t *testing.T) {
	s3(t)
	ctx := context.Background()
	input := collection(t)
	s, err := client()
	if err != nil {
		t.Fatal(err)
	}
	put := func(name string, data []byte) {
		t.Helper()
		if err := s.Put(ctx, "s3://files/"+name, data); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	scan.List(ctx, nil, input, func(one scan.ListEntry) {
		name := one.Path
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		put("in/"+strings.TrimPrefix(name, filepath.ToSlash(input)+"/"), data)
		n++
	}, func(_ string, err error) { t.Error(err) })
	put("inside.txt", []byte("begins with the same letters"))
	for i := range 2300 { // more than a store gives at once
		put(fmt.Sprintf("many/a&b=%d%%2F/%04d + \u00e4 ?#(1)'!*~;.txt", i%3, i), []byte{byte(i)})
	}
	for path, want := range map[string]int{"s3://files/in": n, "s3://files/in/": n, "s3://files/many": 2300, "s3://files": n + 2301, "s3://files/inside.txt": 1} {
		if list, err := s.List(ctx, path); err != nil || len(list) != want {
			t.Errorf("%s: %d objects, want %d (%v)", path, len(list), want, err)
		}
	}
	for _, path := range []string{"s3://files/i", "s3://files/none", "s3://none/in", "s3://"} {
		if _, err := s.List(ctx, path); err == nil {
			t.Errorf("%s is listed", path)
		}
	}
	if got := rowsAt(t, "s3://files/in"); got != rowsAt(t, input) {
		t.Error("other rows than on disk")
	}
	if got := rowsAt(t, "s3://files/many"); strings.Count(got, "\n") != 2300 {
		t.Errorf("%d rows of 2300 objects", strings.Count(got, "\n"))
	}

	binary := program(t)
	t.Chdir(t.TempDir())
	write(t, "here.txt", []byte("a file beside objects"))
	db, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "all.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	if r, err := scan.Run(ctx, db, []string{".", "s3://files/many", "s3://files"}, scan.Options{Store: s}); err != nil || r.Files != int64(n)+2302 {
		t.Errorf("of roots in each other %d files are read, want %d (%v)", r.Files, n+2302, err)
	}
	if r, err := scan.Run(ctx, db, []string{"."}, scan.Options{}); err != nil || r.Files != 1 || r.Removed+r.Absent > 0 {
		t.Errorf("a scan of a folder looks for objects: %+v, %v", r, err)
	}
	db.Close()

	want := local(t, "s3://files/in")
	if said, err := exec.Command(binary, "--input", "s3://files/in", "--output", "s3://files/out", "--shards", fmt.Sprint(shards)).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	out := storageOf("s3://files/out").folder("s3://files/out")
	for name, data := range want {
		if got, err := out.Get(ctx, name); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %d bytes, want %d (%v)", name, len(got), len(data), err)
		}
	}
	if m, err := parquet.Read(ctx, out); err != nil || m.Files != int64(n) || m.Parts != shards {
		t.Errorf("m = %+v, err = %v; want no error, m.Files = int64(n), m.Parts = %v", m, err, shards)
	}
	said, err := exec.Command(binary, "--input", "s3://files/none", "--output", "s3://files/out2").CombinedOutput()
	if err == nil || strings.Contains(string(said), secret) {
		t.Errorf("pipeline without a bucket: %v, want an error without the secret; output: %s", err, said)
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", secret+"-or-not")
	said, err = exec.Command(binary, "--input", "s3://files/in", "--output", "s3://files/out2").CombinedOutput()
	if err == nil || !strings.Contains(string(said), "403 SignatureDoesNotMatch") || strings.Contains(string(said), secret) {
		t.Errorf("pipeline with a wrong secret: %v, want SignatureDoesNotMatch; output: %s", err, said)
	}
}

// rowsAt scans a root twice, and gives what files and entries it has, as lines.
func rowsAt(t *testing.T, root string) string {
	t.Helper()
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "index.sqlite")
	s, err := client()
	if err != nil {
		t.Fatal(err)
	}
	for again := range 2 {
		db, err := sqlite.Open(ctx, file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := scan.Run(ctx, db, []string{root}, scan.Options{Store: s})
		if err != nil {
			t.Fatal(err)
		}
		if again == 1 && (r.Files == 0 || store.Is(root) && r.Unchanged < r.Files/2) || r.Removed > 0 {
			t.Errorf("r = %+v; want (again other than 1 or r.Files other than 0, (store.Is(root) = false or r.Unchanged at least r.Files / 2)), r.Removed at most 0", r)
		}
		db.Close()
	}
	db, err := sqlite.OpenReadOnly(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`select replace(path, ?, ''), size, hex(blake3), status, ifnull(error_message, ''), ifnull(error_entry, ''),
		(select count(*) from entries where entries.file = files.file), (select count(*) from map_blocks where map_blocks.file = files.file) from files order by path`, root)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var b strings.Builder
	for rows.Next() {
		var v [8]string
		if err := rows.Scan(&v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7]); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b, v)
	}
	return b.String()
}
