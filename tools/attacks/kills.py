"""Writers that are killed at any moment, and many at once: no decision that was saved is lost."""
import os
import random
import signal
import time

from attacks import harness

# A decision in the short form: whoever merges it needs no device.
STORE = 'adapter = "{adapter}"\ndevice = "A"\n{lines}'


def key(number):
    return f"v1-{number:064x}"


def store_text(numbers, adapter="opencl-a"):
    lines = "".join(f'"{key(n)}" = [{n % 60 + 1}, 2, 1]\n' for n in numbers)
    return STORE.format(adapter=adapter, lines=lines)


def kill_many(site, count, call_of):
    """Starts the calls one after the other until so many were killed, at moments from the start of
    such a run to its end. Gives the numbers of those that ended by themselves."""
    started = time.monotonic()
    site.expect(site.run(call_of(0)), 0)
    longest = 1.2 * (time.monotonic() - started)
    kills = 0
    for number in range(1, 20 * count):
        call = call_of(number)
        process = site.start(call)
        harness.kill_after(process, harness.moment(longest))
        site.runs += 1
        kills += process.returncode == -signal.SIGKILL
        if process.returncode == 0:
            yield number
        elif process.returncode != -signal.SIGKILL:
            site.find(f"`vyre {' '.join(call)}` ended with {process.returncode}")
        if kills == count:
            return
    site.find(f"only {kills} of {count} could be killed in time")


def check_saved(site, saved):
    lost = saved - site.decisions()
    if lost:
        site.find(f"{len(lost)} saved decisions are lost: {sorted(lost)[0]} ...")


def killed_savers(site):
    """Processes that save, each killed at another moment."""
    saved = set()
    call = lambda n: ["store", "merge", site.write("one.toml", store_text([n]))]
    for number in kill_many(site, site.few(200, 500), call):
        saved.add(key(number))
        if len(saved) % 20 == 0:
            check_saved(site, saved)
    check_saved(site, saved)


def killed_tuners(site):
    """Tuning with outputs, killed while it starts, measures, races, saves and writes."""
    outputs = [site.path("work", name) for name in ("out.json", "page.html")]
    call = lambda n: ["tune", site.program(n=n + 1), "--device", "reference", "--budget", "2",
                      "--output", outputs[0], "--report", outputs[1]]
    saved = set()
    for _ in kill_many(site, site.few(40, 250), call):
        saved |= site.decisions()
        for output, end in zip(outputs, ("}", "</html>")):
            with open(output, encoding="utf-8") as content:
                if not content.read().rstrip().endswith(end):
                    site.find(f"{output} is neither the old one nor the new one")
    check_saved(site, saved)


def eight_writers(site):
    """Eight processes at a time merge into one store."""
    rounds = site.few(10, 60)
    files = {}
    for writer in range(8):
        for turn in range(rounds):
            numbers = [1000 * writer + 10 * turn + i for i in range(10)]
            files[writer, turn] = site.write(f"{writer}-{turn}.toml", store_text(numbers))
    for turn in range(rounds):
        calls = [["store", "merge", files[writer, turn]] for writer in range(8)]
        started = [(site.start(call), call) for call in calls]
        for process, call in started:
            site.expect(site.finish(process, call), 0)
    wanted = {key(1000 * writer + n) for writer in range(8) for n in range(10 * rounds)}
    check_saved(site, wanted)


def eight_tuners(site):
    """Eight processes at a time tune programs of their own, into one store and one output each."""
    for turn in range(site.few(1, 5)):
        calls = [["tune", site.program(n=100 * turn + writer + 1), "--device", "reference",
                  "--budget", "2", "--workers", "1", "--output", site.path("work", "same.json")]
                 for writer in range(8)]
        started = [(site.start(call), call) for call in calls]
        for process, call in started:
            site.expect(site.finish(process, call), 0)
    found = len(site.decisions())
    if found != 8 * site.few(1, 5):
        site.find(f"{found} decisions of {8 * site.few(1, 5)}")


def interrupted_tuners(site):
    """The first signal ends a run in good order, whenever it comes; the second ends it at once."""
    for n in range(1, site.few(6, 40) + 1):
        file = site.program(n=n)
        call = ["tune", file, "--device", "reference", "--budget", "4", "--json"]
        process = site.start(call)
        time.sleep(0.2 + random.random())
        for _ in range(random.choice((1, 1, 2))):
            if process.poll() is None:
                process.send_signal(random.choice((signal.SIGINT, signal.SIGTERM)))
        done = site.finish(process, call)
        ended_by_signal = done.status in (128 + signal.SIGINT, 128 + signal.SIGTERM)
        if done.status >= harness.CRASH and not ended_by_signal:
            site.find(str(done))
        claims = "1 of 1 programs have a decision" in done.err
        if claims and len(site.decisions()) == 0:
            site.find("a decision is claimed that nobody remembers")
        for name in os.listdir(site.path("home")):
            if name != ".cache":
                site.find(f"left in the home folder: {name}")


ATTACKS = [killed_savers, killed_tuners, eight_writers, eight_tuners, interrupted_tuners]
