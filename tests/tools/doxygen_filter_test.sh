#!/usr/bin/env bash
# One case of tools/doxygen_filter, by name.
#
#   doxygen_filter_test.sh PATH_OF_FILTER CASE
set -euo pipefail

filter=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# header NAME LINE...: what the filter makes of a header
header() {
  printf '%s\n' "${@:2}" >"$folder/$1"
  "$filter" "$folder/$1" >"$folder/out"
  cat "$folder/out"
}
has_line() { grep -qxF -- "$1" "$folder/out" || { echo "expected the line: $1"; exit 1; }; }
has_not() { ! grep -qF -- "$1" "$folder/out" || { echo "expected nothing like: $1"; exit 1; }; }

case $2 in
  CommentsBeforeAndBehindDeclarationsAreShown)
    header a.h '// Top.' '#pragma once' '  // Adds.' '  int add();' 'int b;  // counts'
    has_line '/// @file'
    has_line '/// Top.'
    has_line '/// Adds.'
    has_line 'int b;  ///< counts'
    ;;
  TheTopIsTheTextOfTheTypeThatTheFileIsNamedFor)
    header big_step.h '// Walks.' 'namespace vyre::ir {' 'class BigStep {'
    has_line '/// @class vyre::ir::BigStep'
    header other.h '// Walks.' 'namespace vyre::ir {' 'class BigStep {'
    has_not '@class'
    ;;
  IndentedLinesAreCode)
    header a.h '// Use:' '//   f<int>();' '// Then wait.' 'int a;'
    has_line '/// @code{.cpp}'
    has_line '///   f<int>();'
    has_line '/// @endcode'
    header b.h '// Use:' '//   f();' 'int a;'
    has_line '/// @endcode'
    ;;
  WhatDoxygenWouldTakeForACommandIsEscapedOutsideOfCode)
    header a.h '// Result<T> or `Array<T>`, at user@host.' 'int a;'
    has_line '/// Result\<T\> or `Array<T>`, at user\@host.'
    ;;
  LinterCommentsAndEndsOfNamespacesAreNotShown)
    header a.h '// Top.' '#pragma once' 'A(int);  // NOLINT(explicit)' '}  // namespace vyre'
    has_line 'A(int);'
    has_line '}  // namespace vyre'
    ;;
  *) echo "no case $2" && exit 2 ;;
esac
