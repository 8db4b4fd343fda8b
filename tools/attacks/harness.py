"""Where an attack takes place: folders of its own, the tool to run in them, and what was found.

Every process that is started has VYRE_ATTACK in its environment, so that what is left of it can be
told from the processes of others.
"""
import glob
import json
import os
import random
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import uuid

PROGRAM = """program {name} {{
  uniform n: u32 = {n}
  buffer x: f32[n] read
  buffer y: f32[n] write
  grid n
  y[invocation.x] = x[invocation.x] * 2.0
}}
"""
# A status from 126 on is the shell's: not to be started, or ended by a signal.
CRASH = 126


class Skipped(Exception):
    """The attack cannot be made on this machine."""


class Done:
    """A process that has ended: status, out, err; status 124 if it had to be stopped."""

    def __init__(self, call, status, out, err):
        self.call, self.status, self.out, self.err = call, status, out, err

    def __str__(self):
        last = self.err.strip().splitlines()[-1:] or [""]
        return f"status {self.status} of `{self.call}`: {last[0][:200]}"


class Site:
    """Folders and the tool. `findings` is what did not hold, `runs` how often something was tried."""

    def __init__(self, build, short):
        self.vyre = os.path.abspath(os.path.join(build, "vyre"))
        self.reader = os.path.abspath(os.path.join(build, "tests", "read_definitions"))
        if not os.access(self.vyre, os.X_OK):
            raise SystemExit(f"tools/attack: there is no {self.vyre}; `make build` makes it")
        self.short = short
        self.findings = []
        self.runs = 0
        self.mark = uuid.uuid4().hex

    def __enter__(self):
        self.root = tempfile.mkdtemp(prefix="vyre-attack-")
        for name in ("home", "tmp", "work"):
            os.mkdir(self.path(name))
        return self

    def __exit__(self, *_):
        for process in self.processes():
            os.kill(process, signal.SIGKILL)
        subprocess.run(["chmod", "-R", "u+rwx", self.root], stderr=subprocess.DEVNULL, check=False)
        shutil.rmtree(self.root, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.root, *names)

    def few(self, in_short, in_full):
        return in_short if self.short else in_full

    def environment(self, changes=None):
        made = {name: value for name, value in os.environ.items() if name != "XDG_CACHE_HOME"}
        made.update(HOME=self.path("home"), TMPDIR=self.path("tmp"), VYRE_ATTACK=self.mark)
        for name, value in (changes or {}).items():
            made.pop(name, None)
            if value is not None:
                made[name] = value
        return made

    def start(self, arguments, environment=None, before=""):
        """`before` is a line of bash, such as "ulimit -n 20"."""
        words = [self.vyre, *arguments]
        if before:
            words = ["/bin/bash", "-c", before + '; exec "$0" "$@"', *words]
        return subprocess.Popen(words, cwd=self.path("work"), env=self.environment(environment),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, start_new_session=True)

    def finish(self, process, arguments, before="", limit=300):
        self.runs += 1
        call = (before + "; " if before else "") + "vyre " + shlex.join(arguments)
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            self.find(f"no end within {limit} s: `{call}`")
            return Done(call, 124, out.decode(errors="replace"), err.decode(errors="replace"))
        status = process.returncode if process.returncode >= 0 else 128 - process.returncode
        return Done(call, status, out.decode(errors="replace"), err.decode(errors="replace"))

    def run(self, arguments, environment=None, before="", limit=300):
        """Runs it, and finds a crash, a hang and a failure without a word."""
        done = self.finish(self.start(arguments, environment, before), arguments, before, limit)
        if done.status >= CRASH or (done.status != 0 and done.status != 124 and not done.err):
            self.find(str(done))
        return done

    def expect(self, done, status, *words):
        """A run that must end with this status (one or several) and have these words in its text."""
        statuses = status if isinstance(status, tuple) else (status,)
        missing = [word for word in words if word not in done.out + done.err]
        if done.status not in statuses or missing:
            self.find(f"{done}; wanted status {status}{' and ' if words else ''}{', '.join(words)}")
        return done

    def find(self, what):
        self.findings.append("".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in what))

    def write(self, name, content):
        path = self.path("work", name)
        with open(path, "wb" if isinstance(content, bytes) else "w") as file:
            file.write(content)
        return path

    def program(self, name="scaled", n=64):
        return self.write(f"{name}-{n}.vy", PROGRAM.format(name=name, n=n))

    def decisions(self, environment=None):
        """The keys in the store, after a look whether all is well with it."""
        self.expect(self.run(["store", "verify"], environment), 0)
        listed = self.run(["store", "list", "--json"], environment)
        adapters = json.loads(listed.out or '{"adapters": []}')["adapters"]
        return {decision["key"] for adapter in adapters for decision in adapter["decisions"]}

    def processes(self):
        """Of this site, those that still run."""
        mark = f"VYRE_ATTACK={self.mark}".encode()
        found = []
        for entry in os.listdir("/proc"):
            if not entry.isdigit() or int(entry) == os.getpid():
                continue
            try:
                with open(f"/proc/{entry}/environ", "rb") as file:
                    if mark in file.read().split(b"\0"):
                        found.append(int(entry))
            except OSError:
                pass
        return found

    def left_overs(self):
        left = [f"process {process}" for process in self.processes()]
        left += [f"scratch {name}" for name in os.listdir(self.path("tmp"))
                 if name.startswith("vyre-")]
        for folder, _, names in os.walk(self.root):
            left += [f"draft {os.path.join(folder, name)}" for name in names
                     if name.startswith(".vyre-")]
        return left

    def check_nothing_is_left(self, patience=8):
        """A worker takes a moment to notice that its parent was killed. Where even the worker was
        not there yet, the next session sweeps what is more than a minute old."""
        until = time.monotonic() + patience
        while self.left_overs() and time.monotonic() < until:
            time.sleep(0.1)
        folders = glob.glob(self.path("tmp", "vyre-worker-*"))
        for folder in folders:
            os.utime(folder, (0, 0))
        if folders:
            self.run(["time", self.program(), "--device", "reference", "--budget", "1ms"])
        for left in self.left_overs():
            self.find(f"left behind: {left}")


def kill_after(process, seconds):
    """Kills it at that moment, if it is still there."""
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    process.communicate()


def moment(longest):
    """Short ones are as likely as long ones: what happens at the start counts too."""
    return longest * random.random() ** 2
