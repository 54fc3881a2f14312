#!/bin/sh
# Tests pakbox for Windows under Wine: test.sh REGEXP, the tests of cmd/pakbox to run.
# The program that the tests start is the one for Windows.
set -e
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
GOOS=windows CGO_ENABLED=0 go test -c -vet=off -tags wine -ldflags=-checklinkname=0 -o "$folder/pakbox.test.exe" ./cmd/pakbox
cd cmd/pakbox
sh "$here/wine.sh" "$folder/pakbox.test.exe" -test.run "$1"
