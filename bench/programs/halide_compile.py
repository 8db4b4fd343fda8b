"""A program of the set, compiled by Halide into a shared object with the schedule of one of its autoschedulers.

It has `int peer_run(void *const *inputs, void *const *outputs)` on arrays in the order of the program's buffers, which
may be the same; `void peer_start(int threads)` before and `void peer_stop(void)` at the end.
"""
import importlib
import math
import os
import pathlib
import re
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
modules = ["halide_matrices", "halide_fields"]


def module_of(name):
    """Where it is written, if it is."""
    return next((m for m in modules if f"\ndef {name}(p):" in (here / f"{m}.py").read_text()), None)


class Program:
    """What the text of a program says about its sizes and buffers."""

    def __init__(self, name):
        text = (here / f"{name}.vy").read_text()
        for uniform, kind, value in re.findall(r"^ *uniform (\w+): (\w+) = (\S+)", text, re.M):
            setattr(self, uniform, float(value) if kind == "f32" else int(value))
        self.buffers = re.findall(r"^ *buffer (\w+): (\w+)\[(.*)\] (\w+)", text, re.M)
        self.inputs = {}

    def scalar(self, name):
        return next(element for buffer, element, _, _ in self.buffers if buffer == name)

    def bytes(self, name):
        count = next(count for buffer, _, count, _ in self.buffers if buffer == name)
        return 4 * eval(count, {}, vars(self))

    def input(self, name, *extents):
        import halide as hl

        made = hl.ImageParam(hl.Float(32) if self.scalar(name) == "f32" else hl.UInt(32), len(extents), name)
        bound(made, extents)
        self.inputs[name] = (made, list(extents))
        return made


def bound(image, extents, only_strides=False):
    """Tells Halide the sizes, which it may rely on then. Buffers of a tuple have those of the first."""
    for i, extent in enumerate(extents):
        image.dim(i).set_stride(math.prod(extents[:i]))
        if not only_strides:
            image.dim(i).set_bounds(0, extent)
    image.set_estimates([(0, extent) for extent in extents])


def target():
    """Named, not detected: detection may find what the machine has not."""
    for line in open("/proc/cpuinfo"):
        if line.startswith("flags"):
            flags = set(line.split())
            break
    else:
        flags = set()
    features = {"sse41": ["sse4_1"], "avx": ["avx"], "f16c": ["f16c"], "fma": ["fma"], "avx2": ["avx2"]}
    skylake = ["avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"]
    features |= {"avx512": ["avx512f", "avx512cd"], "avx512_skylake": skylake}
    return "-".join(["x86-64-linux"] + [name for name, needed in features.items() if flags.issuperset(needed)])


def outputs_of(name, program, copied):
    """(buffer names, Func, extents). Some schedulers fuse loops only with a stage behind a sum, so sums may be copied."""
    made = getattr(importlib.import_module(module_of(name)), name)(program)
    sums = [func for _, func, _ in made if func.has_update_definition()]
    if copied and not sums:
        sys.exit("no output is a sum")
    return [
        ((names,) if isinstance(names, str) else names, copy_of(func) if copied and func in sums else func, extents)
        for names, func, extents in made
    ]


def copy_of(func):
    import halide as hl

    made, value = hl.Func(func.name() + "_copy"), func[func.args()]
    made[func.args()] = value if func.outputs() == 1 else tuple(value[i] for i in range(func.outputs()))
    return made


def glue(name, program, parameters):
    """C for the entry points; parameters are (buffer, extents, is an output) in the order of Halide's arguments."""
    order = [buffer for buffer, _, _, _ in program.buffers]
    lines = [
        "#include <HalideRuntime.h>",
        f"extern int {name}({', '.join('struct halide_buffer_t *' for _ in parameters)});",
        "static void ignore(void *user, const char *text) { (void)user; (void)text; }",
        "void peer_start(int threads) { halide_set_error_handler(ignore); halide_set_num_threads(threads); }",
        "void peer_stop(void) { halide_shutdown_thread_pool(); }",
        "int peer_run(void *const *inputs, void *const *outputs) {",
    ]
    for i, (buffer, extents, is_output) in enumerate(parameters):
        dims = ", ".join(f"{{0, {e}, {math.prod(extents[:k])}, 0}}" for k, e in enumerate(extents))
        code = "halide_type_float" if program.scalar(buffer) == "f32" else "halide_type_uint"
        place = f"{'outputs' if is_output else 'inputs'}[{order.index(buffer)}]"
        lines += [
            f"  struct halide_dimension_t d{i}[] = {{{dims}}};",
            f"  struct halide_buffer_t b{i} = {{0}};",
            f"  b{i}.host = {place}; b{i}.type.code = {code}; b{i}.type.bits = 32; b{i}.type.lanes = 1;",
            f"  b{i}.dimensions = {len(extents)}; b{i}.dim = d{i};",
        ]
    lines += [f"  return {name}({', '.join(f'&b{i}' for i in range(len(parameters)))});", "}"]
    return "\n".join(lines) + "\n"


def compile_one(name, schedule, path):
    import halide as hl

    autoscheduler, _, copied = schedule.partition("-")
    folder = pathlib.Path(hl.__file__).parent
    hl.load_plugin(str(next(folder.glob(f"lib*/libautoschedule_{autoscheduler.lower()}.so"))))
    program = Program(name)
    outputs = outputs_of(name, program, copied)
    parameters = [(buffer, extents, False) for buffer, (_, extents) in program.inputs.items()]
    for names, func, extents in outputs:
        for i, image in enumerate(func.output_buffers()):
            bound(image, extents, only_strides=i > 0)
        parameters += [(buffer, extents, True) for buffer in names]
    pipeline = hl.Pipeline([func for _, func, _ in outputs])
    goal, threads = hl.Target(target()), str(os.cpu_count())
    results = pipeline.apply_autoscheduler(goal, hl.AutoschedulerParams(autoscheduler, {"parallelism": threads}))
    stem = path.with_suffix("")
    stem.with_suffix(".schedule").write_text(results.schedule_source)
    arguments = [image for image, _ in program.inputs.values()]
    function = "halide_" + name
    pipeline.compile_to({hl.OutputFileType.object: f"{stem}.o"}, arguments, function, goal)
    pathlib.Path(f"{stem}.c").write_text(glue(function, program, parameters))
    build = ["cc", "-shared", "-fPIC", "-O1", f"-I{folder / 'include'}", f"{stem}.c", f"{stem}.o"]
    subprocess.run(build + ["-Wl,-Bsymbolic", "-o", str(path), "-lpthread", "-ldl", "-lm"], check=True)
