"""The engine of a bulk run on Ray Data: one machine or a cluster.

Reading is one task for each input file, and each worker is an actor with the model in memory.
A worker that dies is started again, and its shard is parsed again.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from amparser.bulk.inputs import Shard
from amparser.bulk.job import ATTEMPT, Done, Job, Worker
from amparser.corpora.parquet import INSTALL
from amparser.errors import AMParserError, ConfigError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_ATTEMPTS = 5
"""When so many workers have died at the same shard, the run ends."""


def check_installed() -> None:
    """Raise ConfigError if Ray Data is not installed."""
    try:
        import ray.data  # noqa: F401
    except ImportError as error:
        raise ConfigError(f"a bulk run on Ray needs ray ({error}); {INSTALL}") from None


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
                    if row["error"] is not None:
                        raise InputError(str(row["error"]))
                    yield Done(str(row["name"]), int(row["rows"]), int(row["failures"]))
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
    """The dataset whose rows are what the workers say of each shard, or an `error`."""
    import pyarrow as pa

    name, error = pa.field("name", pa.string()), pa.field("error", pa.string())
    shard_columns = pa.schema([name, ("data", pa.large_binary()), error])
    done_columns = pa.schema([name, ("rows", pa.int64()), ("failures", pa.int64()), error])

    def packed(number: int) -> Iterator[Any]:
        try:
            for shard in job.shards(number):
                yield pa.table([[shard.name], [shard.data], [None]], schema=shard_columns)
        except AMParserError as fault:
            yield pa.table([[""], [b""], [str(fault)]], schema=shard_columns)

    class Shards(ray.data.Datasource):  # type: ignore[misc]
        """The shards of all inputs, one a row."""

        def get_name(self) -> str:
            return "Shards"

        def estimate_inmemory_data_size(self) -> int:
            return sum(input_.path.stat().st_size for input_ in job.inputs)

        def get_read_tasks(self, *_: Any, **__: Any) -> list[Any]:
            from ray.data import ReadTask
            from ray.data.block import BlockMetadata

            unknown = BlockMetadata(
                num_rows=None, size_bytes=None, exec_stats=None, input_files=None
            )
            numbers = range(len(job.inputs))
            return [ReadTask(lambda n=n: packed(n), unknown) for n in numbers]

    class OnShard:
        """The worker of an actor."""

        def __init__(self) -> None:
            self._worker = Worker(job)

        def __call__(self, table: Any) -> Any:
            rows = [_answer(job, self._worker, row) for row in table.to_pylist()]
            return pa.Table.from_pylist(rows, schema=done_columns)

    # A block holds as many shards as fit in memory: without a cut, few workers would have any.
    shards = ray.data.read_datasource(Shards()).repartition(target_num_rows_per_block=1)
    return shards.map_batches(
        OnShard,
        batch_size=1,
        batch_format="pyarrow",
        compute=ray.data.ActorPoolStrategy(size=count),
        num_cpus=1,
        num_gpus=gpus,
    )


def _answer(job: Job, worker: Worker, row: Mapping[str, Any]) -> dict[str, Any]:
    """What a worker says of a row with a shard; errors are values, which Ray does not retry."""
    if row["error"] is not None:
        return {"error": row["error"]}
    shard = Shard(row["name"], row["data"])
    attempts = list(job.output.glob(f".{shard.name}.*{ATTEMPT}"))
    if len(attempts) >= _MOST_ATTEMPTS:
        reason = f"{len(attempts)} workers have died while they parsed it"
        return {"error": f"{job.path_of(shard.name)}: {reason}"}
    attempt = job.output / f".{shard.name}.{uuid4().hex}{ATTEMPT}"
    attempt.touch()
    try:
        done = worker(shard)
    except AMParserError as error:
        return {"error": str(error)}
    finally:
        attempt.unlink(missing_ok=True)
    return done._asdict()
