# mount.sh ARCHIVE FOLDER mounts an archive anew, and waits until it can be used.
mkdir -p "$2"
umount "$2" 2>/dev/null
pakbox --quiet mount "$1" "$2" >/dev/null 2>&1 &
for i in $(seq 500); do
	mountpoint -q "$2" && exit 0
	sleep 0.01
done
echo "$1 is not mounted" >&2
exit 1
