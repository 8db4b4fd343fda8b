"""Files of every format with something wrong in them: each is read or refused, nothing else."""
import concurrent.futures
import glob
import os
import random
import re
import subprocess

from attacks import harness

TOKENS = [b"", b"-", b"0", b"1e999", b"NaN", b"18446744073709551616", b"-1", b"null", b"[", b"]",
          b"{", b"}", b'"', b"\\", b"\0", b"\xff", b"\xc2\x9b", b"\x1b[2J", b"\n", b"\t", b"((((",
          b"'", b"#", b"=", b"..", b"**", b"9" * 40, b"a" * 300, b"\xef\xbb\xbf"]
REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BATCH = 100


def seeds(*patterns):
    found = []
    for pattern in patterns:
        for path in sorted(glob.glob(os.path.join(REPOSITORY, pattern))):
            with open(path, "rb") as file:
                found.append(file.read())
    return found


def mutated(text):
    """One to four small changes, anywhere."""
    text = bytearray(text)
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(text) + 1)
        length = random.choice((1, 1, 2, 8, 64, 1000))
        change = random.randrange(6)
        if change == 0 and text:
            text[at % len(text)] ^= 1 << random.randrange(8)
        elif change == 1:
            del text[at:at + length]
        elif change == 2:
            text[at:at] = text[at:at + length] * random.choice((1, 2, 50))
        elif change == 3:
            text[at:at + random.choice((0, 1, 4))] = random.choice(TOKENS)
        elif change == 4:
            del text[at:]
        else:
            replace_number(text)
    return bytes(text)


def replace_number(text):
    numbers = list(re.finditer(rb"[0-9]+", text))
    if numbers:
        number = random.choice(numbers)
        text[number.start():number.end()] = random.choice(TOKENS)


def mutants(site, from_seeds, ending):
    """Paths of files, in batches."""
    count = site.few(1000, 2500)
    made = [site.write(f"mutant-{i}{ending}", mutated(random.choice(from_seeds)))
            for i in range(count)]
    return [made[i:i + BATCH] for i in range(0, count, BATCH)]


def has_control_character(text):
    return any(ord(c) < 32 and c not in "\n\t" or 126 < ord(c) < 160 for c in text)


def check_words(site, done):
    if has_control_character(done.out + done.err):
        site.find(f"a control character reaches the terminal: `{done.call[:200]}`")


def mutated_programs(site):
    programs = seeds("examples/*.vy", "examples/*/*.vy", "tests/fuzz/seeds/*.vy")
    for batch in mutants(site, programs, ".vy"):
        done = site.run(["check", *batch])
        site.runs += len(batch) - 1
        check_words(site, done)
        if done.status >= harness.CRASH:
            for file in batch:
                site.run(["check", file])


def mutated_definitions(site):
    """T1 is read by the library only, so a small program of the tests does it."""
    if not os.access(site.reader, os.X_OK):
        raise harness.Skipped(f"{site.reader} is not built")
    for batch in mutants(site, seeds("tests/fuzz/seeds/formats/t1.json"), ".json"):
        site.runs += len(batch)
        done = subprocess.run([site.reader, *batch], stdout=subprocess.DEVNULL, timeout=300,
                              check=False)
        if done.returncode != 0:
            site.find(f"T1: read_definitions ended with {done.returncode}")


def simulate_each(site, from_seeds):
    def replay(file):
        done = site.run(["simulate", file, "--seeds", "1", "--evals", "2", "--jobs", "1"])
        check_words(site, done)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for batch in mutants(site, from_seeds, ".json"):
            list(pool.map(replay, batch))


def mutated_results(site):
    """T4"""
    simulate_each(site, seeds("tests/fuzz/seeds/formats/t4.json"))


def mutated_caches(site):
    """Those of Kernel Tuner."""
    simulate_each(site, seeds("tests/fuzz/seeds/formats/*cache.json"))


def mutated_stores(site):
    folder = site.path("home", ".cache", "vyre", "tuner")
    os.makedirs(folder)
    for batch in mutants(site, seeds("tests/fuzz/seeds/store/*.toml"), ".toml"):
        for file in batch:
            os.rename(file, os.path.join(folder, os.path.basename(file)))
        for call in (["store", "verify"], ["store", "list"], ["store", "list", "--json"],
                     ["store", "prune", "--all", "--dry-run"]):
            check_words(site, site.run(call))
        for name in random.sample(sorted(os.listdir(folder)), 10):
            os.rename(os.path.join(folder, name), site.path("work", name))
            check_words(site, site.run(["store", "merge", site.path("work", name)]))
        site.runs += len(batch)
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))


ATTACKS = [mutated_programs, mutated_definitions, mutated_results, mutated_caches, mutated_stores]
