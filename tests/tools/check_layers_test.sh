#!/usr/bin/env bash
# One case of tools/check_layers, by name, on a tree of two or three files made for it.
#
#   check_layers_test.sh PATH_OF_CHECK_LAYERS CASE
set -euo pipefail

check_layers=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# file PATH LINE...
file() {
  mkdir -p "$tree/$(dirname "$1")"
  printf '%s\n' "${@:2}" >"$tree/$1"
}
# never ROW...: of the table of what layers never do
never() {
  file ARCHITECTURE.md "${layers[@]}" '### Never' '| layer | includes | except | uses |' '|---|---|---|---|' \
    "$@" '## More' '| `x` | `low/` | | |'
}
accepts() {
  "$check_layers" "$tree" || { echo "expected: accepted"; exit 1; }
}
# refuses TEXT: fails, and the message has the text
refuses() {
  if "$check_layers" "$tree" 2>"$tree/message"; then echo "expected: refused"; exit 1; fi
  cat "$tree/message"
  grep -qF -- "$1" "$tree/message" || { echo "expected in the message: $1"; exit 1; }
}

layers=('# A tree' '| `top` | not the table |' '## Layers' '| layer | is |' '|---|---|'
  '| `low` | the lowest |' '| `high` | above it |' '| `cli` | the top |')
file ARCHITECTURE.md "${layers[@]}" '## More' '| `x` | no |'
file include/vyre/low/a.h '#include <vector>' '#include "vyre/low/b.h"'
file src/high/a.cpp '#include "vyre/low/a.h"' '#include "high/a.h"' '#include <fmt/format.h>'
file src/cli/main.cpp '#include "high/a.h"' 'const char* home = std::getenv("HOME");'

case $2 in
  LowerLayersMayBeIncluded) accepts ;;
  AHigherLayerIsRefused)
    file src/low/c.cpp '#include <vector>' '#include "high/a.h"'
    refuses 'src/low/c.cpp:2: low includes high/a.h, but high is above it'
    ;;
  AHigherPublicHeaderInAngleBracketsIsRefused)
    file src/low/c.cpp '#include <vyre/high/a.h>'
    refuses 'low includes vyre/high/a.h'
    ;;
  NothingIncludesTheCommandLine)
    file src/high/b.cpp '#include "cli/options.h"'
    refuses 'high includes cli/options.h'
    ;;
  APublicHeaderMayNotIncludeAPrivateOne)
    file include/vyre/high/a.h '#include "low/secret.h"'
    refuses 'a public header includes the private low/secret.h'
    ;;
  AnIncludeWithoutItsLayerIsRefused)
    file src/low/c.cpp '#include "c.h"'
    refuses 'c.h is in no layer'
    ;;
  AFolderThatIsNotInTheTableIsRefused)
    file src/stray/a.cpp 'int a;'
    refuses 'the folder stray is not in the table'
    ;;
  OnlyTheCommandLineReadsTheEnvironment)
    file src/high/b.cpp '// getenv is not for us' 'auto home = getenv ("HOME");'
    refuses 'src/high/b.cpp:2: only src/cli and Context::open read the environment'
    ;;
  AnIncludeThatTheLayerNeverHasIsRefused)
    never '| `high` | `low/` | | |'
    refuses 'src/high/a.cpp:1: high never includes vyre/low/a.h'
    ;;
  AFileThatALayerNeverIncludesIsToldFromItsFolder)
    never '| `high` | `low/secret` | | |'
    accepts
    file src/high/b.cpp '#include "low/secret.h"'
    refuses 'src/high/b.cpp:1: high never includes low/secret.h'
    ;;
  AnExceptedFileMayHaveTheInclude)
    never '| `high` | `low/` | `a` | |'
    accepts
    file src/high/b.cpp '#include "low/a.h"'
    refuses 'src/high/b.cpp:1: high never includes low/a.h'
    ;;
  ANameThatTheLayerNeverUsesIsRefused)
    never '| `high` | | | `fopen` `std::cout` |'
    file src/high/b.cpp 'auto* file = std::fopen("x", "r");'
    refuses 'src/high/b.cpp:1: high never uses fopen'
    ;;
  CommentsTextAndLongerNamesAreNoUse)
    never '| `high` | | | `fopen` |'
    file src/high/b.cpp '// not fopen' 'auto text = "a \" fopen";' 'int my_fopen = 0;'
    accepts
    ;;
  WhatALayerNeverDoesAnotherMay)
    never '| `low` | `high/` | | `getenv` |'
    accepts
    ;;
  AnUnknownLayerThatNeverDoesSomethingIsRefused)
    never '| `hihg` | `low/` | | |'
    refuses 'the layer hihg is not in the table of layers'
    ;;
  ATreeWithoutATableIsRefused)
    file ARCHITECTURE.md '# A tree'
    refuses 'no table of layers'
    ;;
  *) echo "no case $2" && exit 2 ;;
esac
