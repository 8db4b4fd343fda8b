"""Small wrong changes to C++ sources: what each could be, and where in a text.

Works on tokens of text as clang-format leaves it (binary operators between spaces, no space around
the brackets of templates) and only inside of functions. Some changes do not compile; whoever makes
them finds out.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Change:
    kind: str
    start: int  # of the text that is replaced
    end: int
    new: str


TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*"  # a directive
    r"|0[xX][0-9a-fA-F']+[uUlL]*|\d[\d']*(?:\.\d*)?(?:[eE][-+]?\d+)?[fFuUlL]*"
    r"|[A-Za-z_]\w*|->|::|<<=|>>=|<=>|[-+*/%&|^=!<>]=|&&|\|\||\+\+|--|<<|>>|\S",
    re.M | re.S,
)

COMPARISONS = {
    "<": ["<=", ">"],
    "<=": ["<", ">"],
    ">": [">=", "<"],
    ">=": [">", "<"],
    "==": ["!="],
    "!=": ["=="],
}
SWAPS = {
    "&&": ("logic", "||"),
    "||": ("logic", "&&"),
    "+": ("arithmetic", "-"),
    "-": ("arithmetic", "+"),
    "*": ("arithmetic", "/"),
    "/": ("arithmetic", "*"),
    "+=": ("arithmetic", "-="),
    "-=": ("arithmetic", "+="),
    "min": ("extreme", "max"),
    "max": ("extreme", "min"),
    "min_element": ("extreme", "max_element"),
    "max_element": ("extreme", "min_element"),
    "front": ("extreme", "back"),
    "back": ("extreme", "front"),
    "floor": ("extreme", "ceil"),
    "ceil": ("extreme", "floor"),
    "any_of": ("extreme", "all_of"),
    "all_of": ("extreme", "any_of"),
    "true": ("constant", "false"),
    "false": ("constant", "true"),
    "continue": ("leave", "break"),
}
# Not the beginning of a statement that may be left out.
KEYWORDS = set(
    "return const constexpr static auto using if else for while do switch case default break continue "
    "template typename class struct enum namespace try catch throw delete new co_return public private "
    "goto explicit inline friend operator void bool int double float char unsigned".split()
)
OPEN = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Token:
    text: str
    start: int
    end: int


def tokens_of(text):
    """Without comments and directives; strings stay as one token each."""
    found = (Token(m.group(), m.start(), m.end()) for m in TOKEN.finditer(text))
    return [t for t in found if not t.text.startswith(("//", "/*")) and not t.text.lstrip().startswith("#")]


def closing(tokens):
    """For each opening bracket the place of what closes it."""
    pairs, stack = {}, []
    for i, token in enumerate(tokens):
        if token.text in OPEN:
            stack.append(i)
        elif token.text in OPEN.values() and stack:
            pairs[stack.pop()] = i
    return pairs


def head_before(tokens, i):
    """What stands before a brace, back to the end of what was before."""
    j = i
    while j > 0 and tokens[j - 1].text not in (";", "{", "}"):
        j -= 1
    return [t.text for t in tokens[j:i]]


def function_bodies(tokens, pairs):
    """The braces of functions that stand in namespaces and classes."""
    bodies, i = [], 0
    while i < len(tokens):
        if tokens[i].text != "{" or i not in pairs:
            i += 1
            continue
        head = head_before(tokens, i)
        if "namespace" in head or head[:1] == ["extern"]:
            i += 1
        elif any(word in head for word in ("class", "struct", "union")) and "(" not in head:
            i += 1
        else:
            if "(" in head and "enum" not in head:
                bodies.append((i, pairs[i]))
            i = pairs[i] + 1
    return bodies


def other_number(text):
    """Literals near this one, or twice and half of it."""
    digits = re.match(r"[\d']+(?:\.\d*)?(?:[eE][-+]?\d+)?", text)
    if text[:2] in ("0x", "0X") or not digits:
        return []
    body, ending = digits.group().replace("'", ""), text[digits.end() :]
    if body.isdigit():
        value = int(body)
        return [str(n) + ending for n in ([1] if value == 0 else [value + 1, value - 1])]
    value = float(body)
    made = [value * 2, value / 2] if value else [1.0]
    return [(s if "." in s or "e" in s else s + ".0") + ending for s in map(repr, made)]


class Finder:
    def __init__(self, text):
        self.text = text
        self.tokens = tokens_of(text)
        self.pairs = closing(self.tokens)
        self.changes = []

    def find(self):
        for begin, end in function_bodies(self.tokens, self.pairs):
            self.early_return(begin)
            for i in range(begin + 1, end):
                self.operators(i)
                self.numbers(i)
                self.conditions(i)
                self.statements(i, end)
        return self.changes

    def add(self, kind, start, end, new):
        self.changes.append(Change(kind, start, end, new))

    def is_spaced(self, token):
        around = self.text[token.start - 1] + self.text[token.end]
        return around[0] == " " and around[1] in " \n"

    def operators(self, i):
        token = self.tokens[i]
        if token.text in COMPARISONS and self.is_spaced(token):
            for new in COMPARISONS[token.text]:
                self.add("comparison", token.start, token.end, new)
        if token.text in SWAPS:
            kind, new = SWAPS[token.text]
            if token.text.isidentifier() or self.is_spaced(token):
                self.add(kind, token.start, token.end, new)

    def numbers(self, i):
        token = self.tokens[i]
        if token.text[0].isdigit():
            for new in other_number(token.text):
                self.add("constant", token.start, token.end, new)

    # The part of an if that is tested comes after its declaration.
    def conditions(self, i):
        if self.tokens[i].text != "if" or self.tokens[i + 1].text != "(":
            return
        end = self.pairs[i + 1]
        begin = i + 2
        for j in range(begin, end):
            if self.tokens[j].text == ";":
                begin = j + 1
        start, stop = self.tokens[begin].start, self.tokens[end].start
        cond = self.text[start:stop]
        if cond.startswith("const auto* ") or cond.startswith("auto* ") or " = " in cond:
            return
        self.add("condition", start, stop, f"!({cond})")
        self.add("condition", start, stop, "false")

    # A call or an assignment by itself.
    def statements(self, i, end):
        before = self.tokens[i - 1].text
        after_if = before == ")" and self.is_head(i - 1)
        if before not in (";", "{", "}", "else") and not after_if:
            return
        first = self.tokens[i].text
        if first in KEYWORDS or not (first.isidentifier() or first in ("++", "--", "*", "(")):
            return
        j = i
        while j < end and self.tokens[j].text != ";":
            if self.tokens[j].text == "{" and self.tokens[j - 1].text in (")", "else"):
                return  # a block, not a statement
            j = self.pairs.get(j, j) + 1
        if j >= end:
            return
        statement = self.text[self.tokens[i].start : self.tokens[j].start]
        assigns = re.match(r"[\w:.\->\[\]()*&]+ (?:[-+*/|&^]|<<|>>)?= ", statement)
        calls = re.match(r"(?:\(void\))?[\w:.\->\[\]*]+(?:<[^<>]*>)?\(", statement) and statement.endswith(")")
        if assigns or calls or first in ("++", "--"):
            self.add("statement", self.tokens[i].start, self.tokens[j].start, "")

    def is_head(self, close):
        """Whether this bracket ends the head of an if, a for or a while."""
        for i, end in self.pairs.items():
            if end == close:
                return self.tokens[i - 1].text in ("if", "for", "while")
        return False

    def early_return(self, begin):
        head = head_before(self.tokens, begin)
        if head[:1] == ["void"] and self.tokens[begin + 1].text != "}":
            self.add("leave", self.tokens[begin].end, self.tokens[begin].end, " return;")


def changes_of(text):
    return Finder(text).find()


def apply(text, change):
    return text[: change.start] + change.new + text[change.end :]
