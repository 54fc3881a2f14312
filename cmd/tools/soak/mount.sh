# mount.sh FILE FOLDER mounts a file, reads what the mount shows, and unmounts it.
# Soak reads a line with "panic:" as a finding.
pakbox mount "$1" "$2" &
mount=$!
until mountpoint -q "$2"; do
	kill -0 $mount 2>/dev/null || { # a file that cannot be opened is not mounted
		wait $mount
		exit
	}
	sleep 0.01
done
find "$2" ! -type d ! -type f 2>/dev/null | sed 's/^/panic: the mount shows /' >&2
tar -C "$2" -cf - . 2>/dev/null | head -c 64M >/dev/null
kill -INT $mount
wait $mount
code=$?
umount -l "$2" 2>/dev/null
exit $code
