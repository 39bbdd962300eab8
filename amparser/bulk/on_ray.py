"""The engine of a bulk run on Ray Data: one machine or a cluster.

Reading is one task for each input file; Ray maps its shards over actors with the model in memory.
A worker that dies is started again, and its shard is parsed again.
"""

from __future__ import annotations

import logging
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from amparser.bulk.inputs import Shard
from amparser.bulk.job import ATTEMPT, Done, Job, Worker
from amparser.errors import AMParserError, InputError
from amparser.resources import library

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_ATTEMPTS = 5
"""When so many workers have died at the same shard, the run ends."""


def check_installed() -> None:
    """Raise ConfigError if Ray Data is not installed."""
    library("ray.data", "a bulk run on Ray", "ray")


def on_ray(workers: int | None = None, address: str | None = None) -> Callable[[Job], Any]:
    """The engine; see `amparser.bulk.job.run`.

    Args:
        workers: the number of workers, each with one CPU (default: one CPU is left free for
            reading, each other has a worker; on GPUs one worker for each).
        address: of a cluster, `auto` for the one that this machine belongs to (default: Ray is
            started on this machine and ended afterwards).
    """

    def engine(job: Job) -> Iterator[Done]:
        check_installed()
        with _session(workers, address) as ray:
            gpus = 1 if job.parser.device == "cuda" else 0
            count = _worker_count(ray.cluster_resources(), workers, gpus)
            try:
                for row in _dataset(ray, job, count, gpus).iter_rows():
                    done = pickle.loads(row["done"])
                    if isinstance(done, AMParserError):
                        raise done
                    yield done
            except ray.exceptions.RayError as error:
                raise InputError(f"Ray: {type(error).__name__}: {error}") from None

    return engine


@contextmanager
def _session(workers: int | None, address: str | None) -> Iterator[Any]:
    """Ray, connected to a cluster or started here."""
    # Ray reports its use to its makers unless told otherwise.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    import ray

    options: dict[str, Any] = {"address": address or "local"}
    if address is None:
        options |= {"num_cpus": (workers or max(1, (os.cpu_count() or 1) - 1)) + 1}
        options |= {"include_dashboard": False}
    started = not ray.is_initialized()
    if started:
        try:
            ray.init(log_to_driver=False, logging_level=logging.ERROR, **options)
        except ConnectionError as error:
            raise InputError(f"--address {address}: {error}") from None
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    for name in ("ray.data", "ray.data._internal"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        yield ray
    finally:
        if started:
            ray.shutdown()


def _worker_count(resources: dict[str, float], asked: int | None, gpus: int) -> int:
    """The number of workers of a cluster, one of whose CPUs is left free for reading.

    Raises:
        InputError: it has too few CPUs or GPUs.
    """
    cpus = int(resources.get("CPU", 0))
    most = min(cpus - 1, int(resources.get("GPU", 0))) if gpus else cpus - 1
    if most < (asked or 1):
        needed = f"{asked or 1} workers need {(asked or 1) + 1} CPUs, of which one is for reading"
        needed += f", and {asked or 1} GPUs" if gpus else ""
        raise InputError(f"{needed}; the cluster has {cpus}, and {int(resources.get('GPU', 0))}")
    return asked or most


def _dataset(ray: Any, job: Job, count: int, gpus: int) -> Any:
    """The dataset of what the workers say of each shard.

    Errors are values, to which Ray adds no text. All values are pickled, and so of one type.
    """

    class OnShard:
        """The worker of an actor."""

        def __init__(self) -> None:
            self._worker = Worker(job)

        def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
            shard = pickle.loads(row["shard"])
            if isinstance(shard, AMParserError):
                return {"done": row["shard"]}
            return {"done": pickle.dumps(_answer(job, self._worker, shard))}

    def shards(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
        try:
            for shard in job.shards(row["id"]):
                yield {"shard": pickle.dumps(shard)}
        except AMParserError as error:
            yield {"shard": pickle.dumps(error)}

    files = len(job.inputs)
    # A block holds as many shards as fit in memory: without a cut, few workers would have any.
    read = ray.data.range(files, override_num_blocks=files).flat_map(shards)
    return read.repartition(target_num_rows_per_block=1).map(
        OnShard, compute=ray.data.ActorPoolStrategy(size=count), num_cpus=1, num_gpus=gpus
    )


def _answer(job: Job, worker: Worker, shard: Shard) -> Done | AMParserError:
    """What a worker says of a shard."""
    attempts = list(job.output.glob(f".{shard.name}.*{ATTEMPT}"))
    if len(attempts) >= _MOST_ATTEMPTS:
        reason = f"{len(attempts)} workers have died while they parsed it"
        return InputError(f"{job.path_of(shard.name)}: {reason}")
    attempt = job.output / f".{shard.name}.{uuid4().hex}{ATTEMPT}"
    attempt.touch()
    try:
        return worker(shard)
    except AMParserError as error:
        return error
    finally:
        attempt.unlink(missing_ok=True)
