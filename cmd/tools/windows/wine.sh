#!/bin/sh
# Runs a program for Windows under Wine: wine.sh PROGRAM ARGUMENT... The first run
# makes a folder that is Wine's drive C:, with the function that Wine 8 lacks.
set -e
export WINEPREFIX="${WINEPREFIX:-${TMPDIR:-/tmp}/pakbox-wine-$(id -u)}" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=;mshtml="
library=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
if [ ! -e "$library" ]; then
	wineboot -i >/dev/null 2>&1
	x86_64-w64-mingw32-gcc -shared -o "$library" "$(dirname "$0")/prng.c" -ladvapi32
fi
exec wine "$@"
