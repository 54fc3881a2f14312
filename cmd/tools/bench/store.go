package main

import (
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"pakbox/index/store"
)

// storeAddress is the address of the object store for the rows about objects.
const storeAddress = "127.0.0.1:39517"

// makeStore starts a store with the files of a folder, and writes out to show that it is
// ready. The store ends when out is removed.
func makeStore(dir, out string) error {
	if err := os.WriteFile(out, nil, 0o666); err != nil {
		return err
	}
	server := exec.Command(os.Args[0], "-make", "serve", out)
	if err := server.Start(); err != nil {
		return err
	}
	env := map[string]string{"AWS_ENDPOINT_URL": "http://" + storeAddress, "AWS_ACCESS_KEY_ID": "bench", "AWS_SECRET_ACCESS_KEY": "bench"}
	s, err := store.Open(func(name string) string { return env[name] })
	if err != nil {
		return err
	}
	for range 100 {
		if c, err := net.Dial("tcp", storeAddress); err == nil {
			c.Close()
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return s.Put(context.Background(), "s3://bench/files/"+filepath.ToSlash(strings.TrimPrefix(name, dir+string(filepath.Separator))), data)
	})
}

// serveStore serves an empty store in memory as long as the file while exists.
func serveStore(while string) error {
	backend := s3mem.New()
	if err := backend.CreateBucket("bench"); err != nil {
		return err
	}
	l, err := net.Listen("tcp", storeAddress)
	if err != nil {
		return err
	}
	go func() {
		for {
			if _, err := os.Stat(while); err != nil {
				l.Close()
				return
			}
			time.Sleep(time.Second)
		}
	}()
	return http.Serve(l, gofakes3.New(backend).Server())
}
