"""What training costs for each row of train: CPU time and memory, for growing corpora.

    python tests/benchmarks/training_rows.py FOLDER [--counts 3000,10000,...] [--json FILE]

Each count is trained on twice: with all rows in memory, and streamed (`data.stream`); the weights
must be the same. Pages of files that are mapped are counted apart: they go when memory is short.

The corpus is generated into FOLDER by the grammar of a benchmark (`amparser generate`), once for
the largest count; each training learns from its first rows in a process of its own, with one
thread, for one epoch. A million rows take half an hour to generate.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from typing import Any

DEV_ROWS = 1000
HEAD = (
    "| rows of train | streamed | read, decompose: CPU s | an epoch: CPU s | ms a row "
    "| peak MiB | of it pages of files |"
)


def mapped() -> float:
    """The pages of files that are in memory, in MiB; Linux alone tells."""
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="utf-8").splitlines() if status.exists() else []
    return sum(int(line.split()[1]) / 1024 for line in lines if line.startswith("RssFile"))


def one(folder: Path, stream: str) -> dict[str, Any]:
    """Train on a folder for one epoch; the figures, measured in this process."""
    from amparser import api
    from amparser.files import checksum

    marks: dict[str, float] = {}

    def peak() -> float:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    def prepared(report: Any) -> None:
        marks.update(rows=report.train_count, prepared=time.process_time(), prepared_mib=peak())

    def progress(now: Any) -> None:
        if now.batch == now.batches:
            marks["mapped_mib"] = mapped() - before

    before = mapped()
    started = time.process_time()
    overrides = ["train.epochs=1", "train.epoch_sentences=0", "train.device=cpu"]
    model = folder / f"model-{stream}"
    api.train(
        folder,
        model,
        benchmark="slog",
        overrides=[*overrides, f"data.stream={stream}"],
        on_report=prepared,
        on_progress=progress,
    )
    return {
        "rows": int(marks["rows"]),
        "streamed": stream == "always",
        "weights": checksum(model / "model.safetensors"),
        "mapped_mib": marks["mapped_mib"],
        "prepare_seconds": marks["prepared"] - started,
        "epoch_seconds": time.process_time() - marks["prepared"],
        "prepared_mib": marks["prepared_mib"],
        "peak_mib": peak(),
    }


def head(source: Path, target: Path, count: int) -> None:
    """The first lines of a file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with source.open(encoding="utf-8") as lines, target.open("w", encoding="utf-8") as file:
        file.writelines(islice(lines, count))


def measured(corpus: Path, folder: Path, count: int, stream: str) -> dict[str, Any]:
    """The figures of a training on so many rows, in a process of its own."""
    small = folder / f"rows-{count}"
    for split, rows in (("train", count), ("dev", DEV_ROWS)):
        head(corpus / "cogs_lf" / f"{split}.tsv", small / "cogs_lf" / f"{split}.tsv", rows)
    output = subprocess.run(
        [sys.executable, __file__, "--one", str(small), "--stream", stream],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    ).stdout
    figures: dict[str, Any] = json.loads(output.splitlines()[-1])
    return figures


def main() -> None:
    """Run the benchmark and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--counts", default="3000,10000,30000,100000")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--stream", default="never", help="of the folder of --one")
    parser.add_argument("--one", action="store_true", help="measure this folder alone")
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(one(arguments.folder, arguments.stream)))
        return
    counts = sorted(map(int, arguments.counts.split(",")))
    corpus = arguments.folder / f"corpus-{counts[-1]}"
    if not (corpus / "card.json").exists():
        command = ("generate", "slog", "--output", str(corpus), "--count", str(counts[-1]))
        subprocess.run([sys.executable, "-m", "amparser", *command], check=True)
    found = []
    print(HEAD, "|--:|--|--:|--:|--:|--:|--:|", sep="\n", flush=True)
    for count in counts:
        both = [measured(corpus, arguments.folder, count, how) for how in ("never", "always")]
        assert both[0]["weights"] == both[1]["weights"], "streaming changes nothing"
        found += both
        for figures in both:
            seconds = figures["prepare_seconds"] + figures["epoch_seconds"]
            print(
                f"| {count:,} | {'yes' if figures['streamed'] else 'no'} "
                f"| {figures['prepare_seconds']:.1f} | {figures['epoch_seconds']:.1f} "
                f"| {1000 * seconds / figures['rows']:.2f} | {figures['peak_mib']:.0f} "
                f"| {figures['mapped_mib']:.0f} |",
                flush=True,
            )
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
