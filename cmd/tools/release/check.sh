#!/bin/sh
# Proves that the same commit gives the same bytes: check.sh [SYSTEM]. Builds the
# commit in two clones, the second with an empty build cache and in a longer path,
# and compares. Then it installs the Debian package into an empty folder, runs the
# program, and removes the package.
set -e
test -z "$(git status --porcelain)" || { echo "dist: there are changes that are not committed"; exit 1; }
root=$(git rev-parse --show-toplevel)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
one=$work/a two="$work/another/and longer/place"
git clone -q "$root" "$one"
git clone -q "$root" "$two"
(cd "$one" && cmd/tools/run release -only "$1" >/dev/null)
(cd "$two" && GOCACHE="$work/cache" cmd/tools/run release -only "$1" >/dev/null)
diff "$one/dist/SHA256SUMS" "$two/dist/SHA256SUMS"
echo "two builds gave the same $(wc -l <"$one/dist/SHA256SUMS") files"

deb=$(ls "$one"/dist/*_"$(go env GOARCH)".deb 2>/dev/null) || exit 0
mkdir -p "$work/root/var/lib/dpkg/updates" "$work/root/var/lib/dpkg/info"
: >"$work/root/var/lib/dpkg/status"
dpkg="dpkg --root=$work/root --force-not-root --log=/dev/null"
$dpkg --install "$deb" >/dev/null
says=$("$work/root/usr/bin/pakbox" version)
pages=$(ls "$work/root/usr/share/man/man1" | wc -l)
test "$pages" -ge 10 || { echo "dist: the package has $pages manual pages"; exit 1; }
$dpkg --purge pakbox >/dev/null
test ! -e "$work/root/usr" || { echo "dist: the removed package left files"; exit 1; }
echo "the Debian package installs, says \"$says\", and is removed without a trace"
