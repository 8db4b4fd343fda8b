"""Programs of the set by Halide: compiled ahead of time by each of its autoschedulers; the fastest is kept.

    halide_peer.py PEERS NAME...     prints a JSON object for each NAME: "path" of a shared object under PEERS and whose
                                     schedule it has, or what is "missing"

Halide may die of a schedule or of a target, so every schedule is compiled and run in a process of its own. Their
results are compared with those of other peers by who loads them. What was made is found again while neither Halide nor
the program nor these scripts change; what failed is in the file `log` beside it.
"""
import ctypes
import hashlib
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # beside the sources
from halide_compile import Program, compile_one, here, module_of, target

schedules = ["Mullapudi2016", "Adams2019", "Li2018", "Mullapudi2016-copied", "Adams2019-copied"]
compile_seconds, run_seconds = 400, 120


def run_one(name, path):
    """Milliseconds of the fastest of some runs."""
    import numpy

    program, random = Program(name), numpy.random.default_rng(1)

    def aligned(values):
        """A copy at the boundary of a page: less than that of a vector may end in a fault."""
        room = numpy.empty(values.size + 1024, values.dtype)
        start = -room.ctypes.data % 4096 // 4
        room[start : start + values.size] = values
        return room[start : start + values.size]

    def content(buffer, element):
        count = program.bytes(buffer) // 4
        if element == "f32":
            return aligned(random.uniform(0.1, 1, count).astype(numpy.float32))
        return aligned(random.integers(0, 1 << 32, count, dtype=numpy.uint32))

    def pointers(arrays):
        return (ctypes.c_void_p * len(arrays))(*[array.ctypes.data for array in arrays])

    inputs = [content(buffer, element) for buffer, element, _, _ in program.buffers]
    outputs, in_place = [aligned(array) for array in inputs], [aligned(array) for array in inputs]
    library = ctypes.CDLL(str(path))
    library.peer_start(os.cpu_count())
    times, start = [], time.perf_counter()
    while len(times) < 2 or (len(times) < 30 and time.perf_counter() - start < 1):
        before = time.perf_counter()
        if library.peer_run(pointers(inputs), pointers(outputs)) != 0:
            sys.exit("Halide refused its arguments")
        times.append(time.perf_counter() - before)
    library.peer_run(pointers(in_place), pointers(in_place))
    for one, other, (buffer, _, _, _) in zip(outputs, in_place, program.buffers):
        if not numpy.allclose(one, other, rtol=1e-3):
            sys.exit(f"in place {buffer} is another")
    library.peer_stop()
    print(min(times) * 1e3)


def child(seconds, *arguments):
    """What this script prints with these arguments, or why it failed."""
    command = [sys.executable, __file__, *map(str, arguments)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, f"took more than {seconds} s"
    if done.returncode != 0:
        return None, f"ended with {done.returncode}: {' '.join(done.stderr.split()[-30:])}"
    return done.stdout, ""


def contest(name, folder):
    """Milliseconds by schedule, of those that work; what became of each goes into a log."""
    times, log = {}, [f"target {target()}"]
    for schedule in schedules:
        path = folder / f"{schedule}.so"
        made, why = child(compile_seconds, "--compile", name, schedule, path)
        ran, why = child(run_seconds, "--run", name, path) if made is not None else (None, why)
        if ran is not None:
            times[schedule] = float(ran)
        log.append(f"{schedule}: {f'{times[schedule]:.3f} ms' if ran is not None else why}")
    (folder / "log").write_text("\n".join(log) + "\n")
    return times


def folder_of(name, peers):
    """Another for everything that it depends on."""
    version = importlib.metadata.version("halide")
    files = ["halide_peer.py", "halide_compile.py", "halide_terms.py", f"{module_of(name)}.py", f"{name}.vy"]
    texts = [(here / file).read_bytes() for file in files]
    key = hashlib.sha256(b"\0".join(texts + [target().encode()])).hexdigest()[:12]
    return peers / f"halide-{version}" / f"{name}-{key}"


def peer(name, peers):
    """Makes the peer unless it is there."""
    if module_of(name) is None:
        return {"missing": f"{name} is not written in Halide"}
    try:
        folder = folder_of(name, peers)
    except importlib.metadata.PackageNotFoundError:
        return {"missing": "Halide is not installed: run tools/install peers"}
    known = folder / "best.json"
    if not known.exists():
        folder.mkdir(parents=True, exist_ok=True)
        times = contest(name, folder)
        best = min(times, key=times.get, default=None)
        known.write_text(json.dumps({"schedule": best, "ms": times}) + "\n")
    found = json.loads(known.read_text())
    if found["schedule"] is None:
        return {"missing": f"no schedule by Halide works: {folder / 'log'}"}
    return found | {"path": str(folder / f"{found['schedule']}.so")}


def main(arguments):
    if arguments[0] == "--compile":
        compile_one(arguments[1], arguments[2], pathlib.Path(arguments[3]))
    elif arguments[0] == "--run":
        run_one(arguments[1], pathlib.Path(arguments[2]))
    else:
        for name in arguments[1:]:
            print(json.dumps(peer(name, pathlib.Path(arguments[0]).resolve())), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
