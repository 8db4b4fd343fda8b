#!/usr/bin/env bash
# One case of tools/mutants, by name: which changes it would make to a file made for it.
#
#   mutants_test.sh PATH_OF_MUTANTS CASE
set -euo pipefail

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/tools" "$tree/src/low"
cp "$1" "$(dirname "$1")/mutation.py" "$tree/tools"
git -C "$tree" init --quiet

# of LINE...: the changes to a function of these lines, one per line
of() {
  printf '%s\n' 'namespace low {' 'enum class Kind { one = 1 };' 'void work(int limit) {' "$@" '}' '}' \
    >"$tree/src/low/a.cpp"
  PYTHONDONTWRITEBYTECODE=1 "$tree/tools/mutants" --list --count 100 "${options[@]}" low |
    sed -n 's|^src/low/a.cpp:||p' | sort
}
# expect CHANGE...: all there are, but for the early return
expect() { diff <(for each; do echo "$each"; done | sort) <(grep -v 'return; here' <<<"$found"); }

options=()
case $2 in
  AComparisonIsTurnedOrMovedByOne)
    found=$(of 'bool a = x < y;')
    [[ $found == *'4: < -> <='* || $found == *'4: < -> >'* ]]
    ;;
  TextCommentsAndTemplatesStayAsTheyAre)
    found=$(of '// a < b && c' 'auto t = std::vector<int>("a && b + 1");' '/* 1 + 1 */')
    expect
    ;;
  WhatIsOutsideOfFunctionsStaysAsItIs)
    found=$(of 'run();')
    expect '4: run() -> nothing'
    ;;
  ACallIsLeftOutAndADeclarationIsNot)
    found=$(of 'const Lock lock(mutex);' 'items.push_back(limit);')
    expect '5: items.push_back(limit) -> nothing'
    ;;
  ConditionsAreNegatedOrNeverHold)
    found=$(of 'if (auto made = make(); !made) return;')
    [[ $found == *'4: !made -> false'* || $found == *'4: !made -> !(!made)'* ]]
    ;;
  AVoidFunctionReturnsEarly)
    found=$(of 'run();')
    [[ $found == *'3: return; here'* ]]
    ;;
  ASeedGivesTheSameChanges)
    lines=('a = b + 1;' 'c = d - 2;' 'e = f && g;' 'h();')
    options=(--seed 5)
    [[ $(of "${lines[@]}") == $(of "${lines[@]}") ]]
    ;;
  OnlyLinesThatChangedLatelyAreTouchedWithoutAPath)
    of 'a = 1;' 'b = 2;' >/dev/null
    git -C "$tree" add . && git -C "$tree" -c user.name=a -c user.email=a@b commit --quiet -m a
    sed -i 's/b = 2/b = 3/' "$tree/src/low/a.cpp"
    found=$("$tree/tools/mutants" --list | grep '^src')
    [[ $found == 'src/low/a.cpp:5: '* && $(wc -l <<<"$found") == 1 ]]
    ;;
  APathThatIsNotThereIsRefused)
    if "$tree/tools/mutants" --list nowhere 2>"$tree/message"; then exit 1; fi
    grep -qF 'nowhere is neither a layer nor a file' "$tree/message"
    ;;
  *) echo "no case $2" && exit 2 ;;
esac
