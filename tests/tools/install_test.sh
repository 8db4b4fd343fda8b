#!/usr/bin/env bash
# One case of tools/install, by name, with a dpkg-query and an apt-get that only say what was asked.
#
#   install_test.sh PATH_OF_INSTALL CASE
set -euo pipefail

install=$1
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT

# stand_in NAME LINE...: a program of that name made of these lines
stand_in() {
  printf '%s\n' '#!/bin/sh' "${@:2}" >"$bin/$1"
  chmod +x "$bin/$1"
}
run() {
  status=0
  PATH=$bin "$(command -v bash)" "$install" "$@" >"$bin/out" 2>&1 || status=$?
  cat "$bin/out"
}
expect() { eval "$1" || { echo "expected: $1"; exit 1; }; }

for tool in bash env grep; do ln -s "$(command -v $tool)" "$bin/$tool"; done
stand_in id 'echo 1000'
stand_in sudo 'exec "$@"'
stand_in apt-get 'echo "apt-get $*"'
everything_but() {
  stand_in dpkg-query 'shift 2; for p; do case $p in '"$1"') ;; *) echo "$p installed" ;; esac; done'
}

case $2 in
  WithNothingMissingItAsksNothingOfApt)
    everything_but 'no-such'
    run build check
    expect '[[ $status == 0 && ! -s $bin/out ]]'
    ;;
  ItInstallsOnlyWhatIsMissing)
    everything_but 'cmake|libfmt-dev'
    run build
    expect '[[ $status == 0 ]]'
    expect 'grep -q "^apt-get.* update" "$bin/out"'
    expect 'grep -q "^apt-get.* install .* cmake libfmt-dev$" "$bin/out"'
    ;;
  ARemovedPackageIsMissing)
    stand_in dpkg-query 'shift 2; for p; do case $p in cmake) echo "$p config-files" ;; *) echo "$p installed" ;; esac; done'
    run build
    expect 'grep -q "^apt-get.* install .* cmake$" "$bin/out"'
    ;;
  BuildingDoesNotNeedClang)
    everything_but 'clang*'
    run build
    expect '[[ $status == 0 && ! -s $bin/out ]]'
    ;;
  BuildingDoesNotNeedABrowser)
    everything_but 'chromium|oclgrind'
    run build check
    expect '[[ $status == 0 && ! -s $bin/out ]]'
    run test
    expect 'grep -q "^apt-get.* install .* chromium oclgrind$" "$bin/out"'
    ;;
  OfMesaItInstallsOnlyWhatMesaNeeds)
    ln -s "$(command -v sed)" "$bin/sed"
    stand_in apt-cache 'echo "mesa-opencl-icd"; echo "  Depends: libclc-15"' \
      'echo " |Depends: libdrm2"; echo "  Depends: <libopencl1>"; echo "    ocl-icd-libopencl1"'
    everything_but '*'
    run mesa
    expect 'grep -q "^apt-get.* install .* libclc-15 libdrm2$" "$bin/out"'
    ;;
  WithoutRootOrSudoItSaysWhatIsMissing)
    rm "$bin/sudo"
    everything_but 'cmake'
    run build
    expect '[[ $status == 1 ]]'
    expect 'grep -q "^  cmake$" "$bin/out"'
    ;;
  OffDebianItNamesThePackagesAndGoesOn)
    rm "$bin/apt-get"
    run build
    expect '[[ $status == 0 ]]'
    expect 'grep -q "not Debian" "$bin/out"'
    expect 'grep -q "libsodium-dev" "$bin/out"'
    ;;
  AnUnknownGroupIsRefused)
    run kitchen
    expect '[[ $status == 2 ]]'
    expect 'grep -q "no group .kitchen." "$bin/out"'
    ;;
  *) echo "no case $2" && exit 2 ;;
esac
