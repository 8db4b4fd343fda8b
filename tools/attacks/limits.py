"""Limits of the system, from nothing to enough: each is a message and a status."""
import os

from attacks import harness


def calls(site, device="reference"):
    """One of every command that does something. Doctor takes some seconds: in short where the limit
    is about what it looks at."""
    file = site.program()
    recorded = os.path.join(os.path.dirname(__file__), "..", "..", "tests", "fuzz", "seeds",
                            "formats", "cache.json")
    return [
        ["--version"], ["devices"], ["check", file], ["check", file, "--json"],
        ["run", file, "--device", device], ["store", "list"], ["store", "verify"],
        ["simulate", os.path.abspath(recorded), "--seeds", "2"],
        ["time", file, "--device", device, "--budget", "50ms", "--json"],
        ["tune", file, "--device", device, "--budget", "2", "--json", "--again"],
    ] + ([] if site.short else [["doctor"]])


def under(site, limit, device="reference", environment=None):
    for call in calls(site, device):
        site.run(call, environment, before=limit)


def few_descriptors(site):
    for count in site.few((8, 64, 1000), (4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 64, 256, 1000)):
        under(site, f"ulimit -n {count}")
    site.run(["doctor"], before="ulimit -n 64")
    for count in site.few((64,), (16, 24, 32, 64, 128, 1000)):
        under(site, f"ulimit -n {count}", "opencl")


def little_memory(site):
    """So little that it cannot be loaded is the system's to say, with status 127."""
    large = site.program(n=5_000_000)
    for mib in site.few((24, 48, 96), (12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 192, 256)):
        limit = f"ulimit -v {mib * 1024}"
        if site.finish(site.start(["--version"], before=limit), ["--version"]).status != 0:
            continue
        more = [["check", large], ["run", large, "--device", "reference"],
                ["time", large, "--device", "reference", "--budget", "50ms"],
                ["tune", large, "--device", "reference", "--budget", "2"]]
        quiet = [call for call in calls(site) if call[0] not in ("devices", "doctor")]
        for call in quiet + more:
            site.run(call, before=limit)


def small_files(site):
    """Nothing in the store is lost where a file may not grow further."""
    site.expect(site.run(["tune", site.program(n=99), "--device", "reference", "--budget", "2"]), 0)
    kept = site.decisions()
    for blocks in site.few((0, 1), (0, 1, 2, 4, 8, 16, 64)):
        under(site, f"ulimit -f {blocks}")
        if not kept <= site.decisions():
            site.find(f"ulimit -f {blocks}: a decision is lost")


def no_path(site):
    """Without a linker PoCL cannot build kernels: that is for it to say, and not to crash."""
    site.run(["doctor"], {"PATH": ""})
    for value in site.few(("",), ("", "/nonexistent")):
        under(site, "", "reference", {"PATH": value})
        for call in calls(site, "opencl"):
            site.run(call, {"PATH": value, "POCL_CACHE_DIR": site.path("tmp", "pocl")})


def no_home(site):
    os.chmod(site.path("work"), 0o755)
    under(site, "", environment={"HOME": None})
    under(site, "", environment={"HOME": "/dev/null/home"})
    under(site, "cd /proc", environment={"HOME": None})
    done = site.run(["tune", site.program(), "--device", "reference", "--budget", "2", "--json"],
                    {"HOME": "/proc/nowhere"})
    site.expect(done, 1, '"remembered": false', "not saved")


def relative_cache(site):
    done = site.run(["tune", site.program(), "--device", "reference", "--budget", "2"],
                    {"XDG_CACHE_HOME": "somewhere"})
    site.expect(done, 0, "XDG_CACHE_HOME is ignored")
    if os.path.exists(site.path("work", "somewhere")):
        site.find("a relative XDG_CACHE_HOME was used")


def open_mask(site):
    """umask 000: what is made is still not for all to change, and the store for nobody else."""
    output = site.path("work", "out.json")
    if not site.short:
        site.run(["doctor"], before="umask 000")
    site.expect(site.run(["tune", site.program(), "--device", "reference", "--budget", "2",
                          "--output", output], before="umask 000"), 0)
    for folder, folders, names in os.walk(site.path("home")):
        for name in folders + names:
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode & 0o777
            private = path.startswith(site.path("home", ".cache", "vyre"))
            if mode & (0o077 if private else 0o002):
                site.find(f"mode {mode:o} of {path}")
    if os.stat(output).st_mode & 0o002:
        site.find("an output is for all to change")


def closed_streams(site):
    for redirection in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full", "2>/dev/full"):
        for call in calls(site):
            process = site.start(call, before=f"exec {redirection}")
            done = site.finish(process, call, f"exec {redirection}")
            if done.status >= harness.CRASH:
                site.find(str(done))


ATTACKS = [few_descriptors, little_memory, small_files, no_path, no_home, relative_cache,
           open_mask, closed_streams]
