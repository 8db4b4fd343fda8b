#!/usr/bin/env bash
# One case of tools/drivers, by name, in a tree of its own with a ctest that prints what it is told.
#
#   drivers_test.sh PATH_OF_DRIVERS CASE
set -euo pipefail

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/tools" "$tree/tests/drivers" "$tree/bin" "$tree/build"
cp "$1" "$tree/tools/drivers"
: >"$tree/tests/drivers/explained.txt"

# ctest_prints LINE...: a ctest that prints these lines and says which driver it was given
ctest_prints() {
  { echo '#!/bin/sh'; echo 'echo "vendors: $OCL_ICD_VENDORS $POCL_DEVICES"'; printf 'echo "%s"\n' "$@"; } \
    >"$tree/bin/ctest"
  chmod +x "$tree/bin/ctest"
}
run() {
  status=0
  PATH=$tree/bin:$PATH "$tree/tools/drivers" "$@" >"$tree/out" 2>&1 || status=$?
  cat "$tree/out"
}
expect() { eval "$1" || { echo "expected: $1"; exit 1; }; }

ctest_prints ' 1/4 Test  #1: device.A.Passes .....   Passed    0.01 sec' \
  ' 2/4 Test  #2: device.A.Skips ....***Skipped   0.01 sec' \
  ' 3/4 Test #10: agreement.On/B.Fails/x2 ....***Failed    0.01 sec' \
  ' 4/4 Test #11: agreement.On/B.Crashes ....***Exception: SegFault  0.01 sec'
[[ -e /etc/OpenCL/vendors/pocl.icd || $2 == AnUnknownDriverIsRefused ]] || exit 0

case $2 in
  AFailureThatNobodyExplainedIsNamedAndFails)
    run basic
    expect '[[ $status == 1 ]]'
    expect 'grep -q "^basic  *0/2/0  *1/0/1 " "$tree/out"'
    expect 'grep -q "^basic: agreement.On/B.Fails/x2 Failed$" "$tree/out"'
    expect 'grep -q "^vendors: .*pocl.icd basic$" "$tree/build/drivers/basic.log"'
    ;;
  AFailureThatIsTheDriversIsOnlyCounted)
    printf '%s\n' '# why' 'basic agreement.On/B.*' >"$tree/tests/drivers/explained.txt"
    run basic
    expect '[[ $status == 0 ]]'
    expect 'grep -q "^basic  *0/0+2/0 " "$tree/out"'
    ;;
  WhatExplainsOneDriverDoesNotExplainAnother)
    echo 'intel agreement.*' >"$tree/tests/drivers/explained.txt"
    run basic
    expect '[[ $status == 1 ]]'
    ;;
  AnUnknownDriverIsRefused)
    run toaster
    expect '[[ $status == 2 ]]'
    expect 'grep -q "no driver .toaster." "$tree/out"'
    ;;
  *) echo "no case $2" && exit 2 ;;
esac
