"""Input that is too much, of the wrong kind, or meant for the terminal."""
import json
import os
import subprocess

from attacks import kills, mutations

QUICK = 60  # seconds in which what is refused is refused


def waiting_input(site):
    """A pipe that nobody writes to is not waited for, or at least not for ever."""
    fifo = site.path("work", "fifo")
    os.mkfifo(fifo)
    file = site.program()
    for call in (["check", fifo], ["run", fifo, "--device", "reference"], ["simulate", fifo],
                 ["store", "merge", fifo],
                 ["run", file, "--device", "reference", "--in", f"x=@{fifo}"]):
        done = site.run(call, limit=QUICK)
        if done.status == 0:
            site.find(f"`{done.call}` succeeds on an empty pipe")


def strange_programs(site):
    good = site.program()
    with open(good, "rb") as file:
        text = file.read()
    site.expect(site.run(["check", site.write("bom.vy", b"\xef\xbb\xbf" + text)]), 0)
    site.expect(site.run(["check", site.write("empty.vy", b"")]), 2)
    site.expect(site.run(["check", site.write("zeros.vy", b"\0" * 100_000)]), 2)
    site.expect(site.run(["check", site.path("work")]), 2)
    site.expect(site.run(["check", "/dev/zero"], limit=QUICK), 2)
    many = "program many { " + "".join(f"buffer b{i}: u32[1] write " for i in range(5000))
    for call in (["check"], ["run", "--device", "reference"], ["time", "--device", "reference"]):
        site.run([call[0], site.write("many.vy", many + "grid 1 b0[0] = 1 }"), *call[1:]])
    deep = "program deep { buffer y: u32[1] write grid 1 y[0] = " + "(" * 100_000 + "1"
    site.expect(site.run(["check", site.write("deep.vy", deep)]), 2)


def huge_definitions(site):
    """Refused or cut down in seconds, not in minutes."""
    names = {f"p{i}": 1 for i in range(100_000)}
    results = {"schema_version": "1.0.0", "results": [
        {"timestamp": "2026-01-01T00:00:00", "configuration": names, "times": {},
         "invalidity": "correct", "correctness": 1,
         "measurements": [{"name": "time", "value": 1.0, "unit": "ms"}],
         "objectives": ["time"]}] * 2}
    file = site.write("wide.json", json.dumps(results))
    site.expect(site.run(["simulate", file, "--seeds", "1"], limit=QUICK), 2)
    if not os.access(site.reader, os.X_OK):
        return
    parameters = [{"Name": f"p{i}", "Type": "int", "Values": "[1, 2, 3, 4]"} for i in range(60)]
    total = " + ".join(f"p{i}" for i in range(60))
    definition = {"ConfigurationSpace": {"TuningParameters": parameters, "Conditions": [
        {"Expression": f"{total} == 61", "Parameters": [p["Name"] for p in parameters]}]}}
    file = site.write("t1.json", json.dumps(definition))
    site.runs += 1
    try:
        # Seconds of the processor: others may use it too.
        subprocess.run(["/bin/bash", "-c", 'ulimit -t 60; exec "$0" "$@"', site.reader, file],
                       stdout=subprocess.DEVNULL, timeout=600, check=True)
    except subprocess.SubprocessError as why:
        site.find(f"enumeration of 60 parameters: {why}")


def unfinished_recordings(site):
    """A cache that was cut off, or that does not hold its space, is scored with a note."""
    cache = {"device_name": "d", "kernel_name": "k", "problem_size": [1],
             "tune_params_keys": ["a"], "tune_params": {"a": [1, 2, 3, 4]}, "objective": "time",
             "cache": {str(a): {"a": a, "time": float(a)} for a in (1, 2, 3)}}
    text = json.dumps(cache)
    for name, content in (("part.json", text), ("cut.json", text[:-2] + ",")):
        done = site.run(["simulate", site.write(name, content), "--seeds", "1"])
        if done.status == 0 and "note" not in done.err:
            site.find(f"{name} is scored without a note")


def foreign_words(site):
    """What other languages have gets a hint."""
    program = "program p {{ buffer y: f32[4] write grid 4 let i = invocation.x {} }}"
    for word, statement in (("switch", "switch i { }"), ("&&", "if i < 2 && i > 0 { }"),
                            ("++", "y[i] ++"), ("sinus", "y[i] = sinus(1.0)")):
        file = site.write("foreign.vy", program.format(statement))
        site.expect(site.run(["check", file]), 2, word)


def words_for_terminals(site):
    """Control characters in names and contents."""
    folder = site.path("home", ".cache", "vyre", "tuner")
    os.makedirs(folder)
    evil = "\\u001b]0;evil\\u0007\\u009b2J"
    text = kills.store_text([1], f"opencl-{evil}").replace('device = "A"', f'device = "{evil}"')
    with open(os.path.join(folder, "a\x1b[31m.toml"), "w", encoding="utf-8") as file:
        file.write(text + "# \x1b[2J\n[\x1b[31m")
    for call in (["store", "list"], ["store", "list", "--json"], ["store", "verify"],
                 ["store", "show", "v1-"], ["store", "prune", "--all", "--dry-run"],
                 ["check", site.write("a\x1b[31m.vy", "program \x1b[2J {")],
                 ["run", site.program(), "--device", "evil\x1b[2J"],
                 ["run", site.program(), "--in", "x\x1b[2J=ramp"],
                 ["simulate", site.write("b\x1b[31m.json", '{"results": "\x1b[2J"}')]):
        mutations.check_words(site, site.run(call))


def failed_programs(site):
    """Each program that was asked for has a row, also one that failed."""
    bad = site.write("bad.vy", "program {")
    race = site.write("race.vy", "program race { buffer y: u32[4] write grid 8 "
                                 "y[invocation.x % 4] = invocation.x }")
    for command in ("time", "tune"):
        call = [command, bad, race, site.program(), "--device", "reference", "--json", "--budget"]
        done = site.expect(site.run([*call, "2" if command == "tune" else "50ms"]), 2)
        rows = json.loads(done.out or '{"programs": []}')["programs"]
        if [row["file"] for row in rows] != call[1:4] or not all(row["reason"] for row in rows[:2]):
            site.find(f"{command} --json: not a row for each program: {len(rows)}")


def wrong_calls(site):
    for command in ("run", "check", "time", "tune", "simulate", "devices", "doctor"):
        site.expect(site.run([command, "--frob"]), 2, "--frob")
    for call in ([], ["frob"], ["run"], ["store"], ["store", "frob"], ["simulate", "--seeds", "x"],
                 ["tune", "--budget", "-1"], ["run", "x" * 5000], ["run", "\udcff"]):
        done = site.run(call)
        if done.status != 2:
            site.find(str(done))


ATTACKS = [waiting_input, strange_programs, huge_definitions, unfinished_recordings,
           foreign_words, words_for_terminals, failed_programs, wrong_calls]
