"""The other side of enumerate_vs_kernel_tuner: builds spaces with Kernel Tuner when told to.

Reads one JSON object per line: {"parameters": {name: values}, "restrictions": [...], "list": path or ""}.
Answers each with a line "seconds size"; with "list" it also writes the configurations, one per line.
"""
import json
import sys
import time

from kernel_tuner.searchspace import Searchspace

no_limit = 1 << 30  # of threads per block: the restrictions say it all

with open(sys.argv[1], "w") as answers:
    for line in sys.stdin:
        task = json.loads(line)
        start = time.perf_counter()
        space = Searchspace(task["parameters"], task["restrictions"], no_limit)
        took = time.perf_counter() - start
        if task["list"]:
            with open(task["list"], "w") as out:
                for configuration in space.list:
                    out.write(",".join(map(str, configuration)) + "\n")
        print(took, space.size, file=answers, flush=True)
