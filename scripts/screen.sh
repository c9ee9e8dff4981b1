#!/bin/sh
# The Debian packages that a real window needs, with a virtual screen where there is no other.
# Installs what is missing where that is possible, else prints the line to run. Never fails: the caller finds out.
packages="xvfb xauth libegl1 libgl1 libgl1-mesa-dri libopengl0 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4
 libxcb-keysyms1 libxcb-image0 libxcb-render-util0 libxcb-shape0 libxcb-xinerama0 libdbus-1-3 libfontconfig1"

[ "$(uname -s)" = Linux ] || exit 0
if ! command -v dpkg-query >/dev/null 2>&1; then
    command -v Xvfb >/dev/null 2>&1 || [ -n "$DISPLAY$WAYLAND_DISPLAY" ] ||
        echo "No screen was found. Install Xvfb and Mesa's OpenGL with your system's package manager."
    exit 0
fi
missing=""
for package in $packages; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "ok installed" || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing for the window:$missing"
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing; } >/dev/null ||
        echo "apt-get could not install:$missing"
else
    echo "The window may need packages that are missing here. Please run:"
    echo "  sudo apt-get install$missing"
fi
exit 0
