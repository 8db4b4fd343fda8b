"""Disks and folders that are full, not to be written, linked or somebody else's."""
import contextlib
import os
import subprocess
import time

from attacks import harness, kills


@contextlib.contextmanager
def small_disk(folder, kib):
    """A file system of this size; only root can make one."""
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kib}k", "vyre-attack", folder],
                             stderr=subprocess.DEVNULL, check=False)
    if mounted.returncode != 0:
        raise harness.Skipped("a disk of its own needs root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=False)


def fill(folder):
    with open(os.path.join(folder, "filler"), "wb", buffering=0) as file:
        with contextlib.suppress(OSError):
            while file.write(b"x" * 4096) > 0:
                pass


def expect_kept(site, done, path):
    """The call failed with the reason, and what was there still is."""
    site.expect(done, (1, 2), "No space left")
    with open(path, "rb") as file:
        if file.read() != b"precious":
            site.find(f"`{done.call}` destroyed {os.path.basename(path)}")
    drafts = [name for name in os.listdir(os.path.dirname(path)) if name.startswith(".vyre-")]
    if drafts:
        site.find(f"`{done.call}` left {drafts[0]}")


def full_disk_outputs(site):
    folder = site.path("work", "disk")
    os.mkdir(folder)
    file = site.program(n=100_000)
    recorded = os.path.join(os.path.dirname(__file__), "..", "..", "tests", "fuzz", "seeds",
                            "formats", "cache.json")
    site.run(["store", "merge", site.write("s.toml", kills.store_text(range(200)))])
    with small_disk(folder, 64):
        target = os.path.join(folder, "out")
        with open(target, "w", encoding="utf-8") as old:
            old.write("precious")
        fill(folder)
        for call in (["run", file, "--device", "reference", "--out", f"y=@{target}"],
                     ["simulate", os.path.abspath(recorded), "--seeds", "99", "--trace", target],
                     ["store", "export", "--output", target],
                     ["tune", site.program(), "--device", "reference", "--budget", "2", "--again",
                      "--output", target],
                     ["tune", site.program(), "--device", "reference", "--budget", "2", "--again",
                      "--report", target]):
            expect_kept(site, site.run(call), target)


def full_disk_store(site):
    folder = site.path("work", "disk")
    os.mkdir(folder)
    cache = {"XDG_CACHE_HOME": folder}
    call = ["tune", "--device", "reference", "--budget", "2", "--json"]
    with small_disk(folder, 64):
        site.expect(site.run([*call, site.program(n=1)], cache), 0)
        kept = site.decisions(cache)
        fill(folder)
        done = site.run([*call, site.program(n=2)], cache)
        site.expect(done, 1, '"remembered": false', "No space left")
        if site.decisions(cache) != kept:
            site.find("a full disk changed the store")
        os.remove(os.path.join(folder, "filler"))
        site.expect(site.run([*call, site.program(n=2)], cache), 0)
        if len(site.decisions(cache)) != 2:
            site.find("after a full disk the store does not go on")


def full_scratch(site):
    """No room for what drivers compile."""
    with small_disk(site.path("tmp"), 64) as folder:
        fill(folder)
        for device in ("reference", "opencl"):
            site.run(["tune", site.program(), "--device", device, "--budget", "2"])
            site.run(["time", site.program(), "--device", device, "--budget", "50ms"])
        os.remove(os.path.join(folder, "filler"))
        site.check_nothing_is_left()


def linked_store(site):
    folder = site.path("home", ".cache", "vyre", "tuner")
    os.makedirs(folder)
    target = site.path("work", "target.toml")
    link = os.path.join(folder, "opencl-a.toml")
    os.symlink(target, link)
    for n in (1, 2):
        site.expect(site.run(["store", "merge",
                              site.write("one.toml", kills.store_text([n]))]), 0)
        if not os.path.islink(link) or not os.path.isfile(target):
            site.find("the link to a store was replaced")
    if len(site.decisions()) != 2:
        site.find("a linked store lost a decision")
    os.remove(link)
    os.symlink("opencl-a.toml", link)
    site.expect(site.run(["store", "merge", site.write("one.toml", kills.store_text([3]))]), 2)
    if not os.path.islink(link):
        site.find("a link to itself was replaced")


def same_outputs(site):
    """Two outputs that are one file, however they are spelled."""
    two = ("program two { buffer y: f32[4] write buffer z: f32[4] write grid 4 "
           "y[invocation.x] = 1.0 z[invocation.x] = 2.0 }")
    file = site.write("two.vy", two)
    os.symlink("a", site.path("work", "link"))
    os.mkdir(site.path("work", "sub"))
    for other in ("a", "./a", "sub/../a", "link", site.path("work", "a")):
        site.expect(site.run(["run", file, "--device", "reference", "--out", "y=@a", "--out",
                              f"z=@{other}"]), 2, "one file")
        site.expect(site.run(["tune", file, "--device", "reference", "--budget", "2", "--output",
                              "a", "--report", other]), 2, "one file")
    site.expect(site.run(["run", file, "--device", "reference", "--out", "y=@two.vy"]), 2)
    with open(file, "rb") as content:
        if content.read() != two.encode():
            site.find("a program was replaced by its output")


def strange_outputs(site):
    """What is no file is written to as it is."""
    file = site.program(n=4)
    run = ["run", file, "--device", "reference", "--out"]
    site.expect(site.run([*run, "y=@/dev/null"]), 0)
    site.expect(site.run([*run, "y=@/dev/full"]), 2, "No space left")
    site.expect(site.run([*run, "y=@/dev/stdout"]), 0)
    site.expect(site.run([*run, "y=@."]), 2, "directory")
    site.expect(site.run([*run, "y=@missing/y"]), 2, "No such file")
    fifo = site.path("work", "fifo")
    os.mkfifo(fifo)
    reader = subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE)
    site.expect(site.run([*run, f"y=@{fifo}"]), 0)
    if len(reader.communicate(timeout=60)[0]) != 16:
        site.find("a pipe did not get the output")
    if not os.path.exists(fifo) or os.path.isfile(fifo):
        site.find("a pipe was replaced by a file")


def foreign_scratch(site):
    """Folders that look like abandoned ones of vyre's, and are not."""
    long_ago = time.time() - 100_000
    made = []
    for name, content in (("vyre-worker-empty", None), ("vyre-worker-mine", "my lock")):
        folder = site.path("tmp", name)
        os.mkdir(folder)
        if content:
            with open(os.path.join(folder, "lock"), "w", encoding="utf-8") as lock:
                lock.write(content)
        os.utime(folder, (long_ago, long_ago))
        made.append(folder)
    site.run(["time", site.program(), "--device", "reference", "--budget", "50ms"])
    for folder in made:
        if not os.path.isdir(folder):
            site.find(f"{os.path.basename(folder)} was removed")
        else:
            subprocess.run(["rm", "-r", folder], check=True)


ATTACKS = [full_disk_outputs, full_disk_store, full_scratch, linked_store, same_outputs,
           strange_outputs, foreign_scratch]
