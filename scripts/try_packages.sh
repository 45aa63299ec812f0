#!/bin/bash
# try_packages.sh DIRECTORY: installs the packages of 'make package' and 'make python' on a bare Debian 12 in DIRECTORY,
# runs them, and removes them again. Needs root, debootstrap and a network; takes some minutes.
set -eu
root=$1
source=$(dirname "$0")/..
[ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase bookworm "$root" >/dev/null
mkdir -p "$root/try"
cp "$source"/build/packages/*.deb "$source"/build/wheel/*.whl "$source"/examples/estimate.c "$source"/examples/data/wine*.csv "$root/try/"
cp /etc/resolv.conf "$root/etc/"
cat >"$root/try/run.sh" <<'END'
set -eu
export DEBIAN_FRONTEND=noninteractive
install() {
    apt-get install -q -y --no-install-recommends "$@" >log 2>&1 || { cat log; exit 1; }
}
estimate() {
    python3 -c "import dedpul, numpy
label, score = numpy.loadtxt('wine_scores.csv', delimiter=',', skiprows=1, usecols=(0, 1), unpack=True)
print(dedpul.__file__, dedpul.estimate(score, label).alpha)"
}
cd /try
apt-get update -q >/dev/null
echo '== the command alone'
install ./dedpul_*.deb
dedpul fit wine.csv --model wine.model --effort low --quiet
dedpul predict wine.model wine_new.csv --quiet | head -2
echo '== the library, its headers and the Python package'
install ./*.deb gcc libc6-dev pkg-config
estimate
cc estimate.c $(pkg-config --cflags --libs dedpul) -o estimate
./estimate wine_scores.csv
apt-get purge -q -y --autoremove "*dedpul*" gcc >log 2>&1
echo "left behind: $(find /usr /etc /var/lib/dpkg/info -name '*dedpul*' | wc -l) files"
echo '== the wheel, with Python, NumPy and pip alone'
install python3-numpy python3-pip
pip install --break-system-packages --no-index --quiet ./*.whl 2>/dev/null
estimate
pip uninstall --break-system-packages --quiet --yes dedpul 2>/dev/null
END
chroot "$root" bash /try/run.sh
