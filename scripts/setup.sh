#!/bin/sh
# Makes or refreshes the virtual environment in .venv. Usage: scripts/setup.sh EXTRAS   (for example "test,lint")
set -eu
cd "$(dirname "$0")/.."
extras=$1
venv=.venv
python=${PYTHON:-python3}

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "Contrapposto needs Python 3.11 or newer; “$python” is older. Name another: make PYTHON=python3.12" >&2
    exit 1
}
[ -x $venv/bin/python ] || {
    echo "Making the virtual environment in $venv …"
    "$python" -m venv $venv || {
        echo "python3 could not make a virtual environment. On Debian and Ubuntu: sudo apt-get install python3-venv" >&2
        exit 1
    }
}
pip="$venv/bin/python -m pip --disable-pip-version-check"
# The newest torch brings gigabytes of CUDA with it: without a GPU a fixed version is enough and keeps set-ups alike.
if [ "$(uname -s)" = Linux ] && ! command -v nvidia-smi >/dev/null 2>&1; then
    $pip install --quiet "torch==2.13.0"
fi
echo "Installing what Contrapposto needs …"
if [ -n "$extras" ]; then $pip install --quiet -e ".[$extras]"; else $pip install --quiet -e .; fi
echo "Compiling the solver for this machine …"
$venv/bin/python -m solver.compile_kernels
