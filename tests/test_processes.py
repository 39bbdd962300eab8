"""Parallel work: order, errors, death of a worker, laziness."""

import faulthandler
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from amparser.errors import InputError, LogicError, ProcessError
from amparser.processes import mapped

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")


def squares(batch: list[int]) -> list[int]:
    time.sleep(0.001 * (batch[0] % 3))  # batches finish out of order
    return [x * x for x in batch]


def counted(batches: Iterator[list[int]], taken: list[int]) -> Iterator[list[int]]:
    for batch in batches:
        taken.append(len(taken))
        yield batch


@pytest.mark.parametrize("processes", [1, 2, 5])
def test_answers_come_in_the_order_of_the_batches(processes) -> None:
    batches = [list(range(i, i + 1 + i % 4)) for i in range(100)]
    found = list(mapped(squares, iter(batches), processes))
    assert found == [(batch, [x * x for x in batch]) for batch in batches]


@pytest.mark.parametrize("processes", [1, 2])
def test_batches_are_drawn_on_demand(processes) -> None:
    taken: list[int] = []
    endless = ([i] for i in iter(int, 1))
    found = mapped(squares, counted(endless, taken), processes)
    for number in range(1, 200):
        next(found)
        assert len(taken) <= number + 2 * processes
    found.close()  # type: ignore[attr-defined]


def test_workers_do_the_work() -> None:
    def work(batch: list[int]) -> list[int]:
        time.sleep(0.02)  # otherwise one worker could do all before the other starts
        return [os.getpid()]

    found = mapped(work, ([i] for i in range(50)), 2)
    workers = {pid for _, [pid] in found}
    assert os.getpid() not in workers
    assert len(workers) == 2


def test_workers_share_data_loaded_before_the_fork() -> None:
    kept = {"answer": 42}
    found = mapped(
        lambda batch: [kept["answer"]], [[1], [2], [3]], 2, warm=lambda: kept.update(answer=43)
    )
    assert [answers for _, answers in found] == [[43]] * 3


def test_large_batches_and_answers_do_not_block_each_other() -> None:
    batches = [["x" * 1_000_000] * 3 for _ in range(12)]
    for batch, answers in mapped(lambda batch: batch, batches, 2):
        assert batch == answers


def test_empty_batch_flushes_answers() -> None:
    asked: list[int] = []

    def batches() -> Iterator[list[int]]:
        for i in range(6):
            asked.append(i)
            yield [i]
            if i % 2:
                yield []
                # A consumer that waits for input has all earlier answers.
                assert len(seen) == i + 1

    seen: list[int] = []
    for batch, _ in mapped(squares, batches(), 2):
        seen += batch
    assert seen == asked == list(range(6))


@pytest.mark.parametrize("processes", [1, 2])
def test_error_of_a_worker_is_raised(processes) -> None:
    def work(batch: list[int]) -> list[int]:
        if batch == [7]:
            raise LogicError("column 7")
        return batch

    with pytest.raises(LogicError, match="column 7"):
        list(mapped(work, ([i] for i in range(20)), processes))


def test_bug_in_a_worker_is_marked() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        list(mapped(lambda batch: [1 // batch[0]], [[1], [0], [2]], 2))
    assert caught.value.__notes__ == ["in a worker process"]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_dead_worker_is_an_error_without_delay(number) -> None:
    def work(batch: list[int]) -> list[int]:
        if batch == [5]:
            faulthandler.disable()  # pytest's, whose report looks like a crash of the tests
            os.kill(os.getpid(), number)
        return batch

    with pytest.raises(ProcessError, match="a worker process has ended"):
        list(mapped(work, ([i] for i in range(100)), 2))


def test_workers_end_with_their_parent() -> None:
    script = """
import os, sys, time
from amparser.processes import mapped
def work(batch):
    time.sleep(0.02)  # else one may do all
    return [os.getpid()]
found = mapped(work, ([i] for i in iter(int, 1)), 2)
print(*{next(found)[1][0] for _ in range(40)}, flush=True)
os.kill(os.getpid(), 9)
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    workers = [int(word) for word in result.stdout.split()]
    assert len(workers) == 2
    for _ in range(100):
        alive = [pid for pid in workers if is_alive(pid)]
        if not alive:
            return
        time.sleep(0.05)
    pytest.fail(f"{alive} still run")


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # An orphan may stay as a zombie.
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:  # noqa: PTH123
        return file.read().split()[2] != "Z"


def test_workers_end_when_the_iterator_is_closed() -> None:
    found = mapped(lambda batch: [os.getpid()], ([i] for i in iter(int, 1)), 2)
    workers = {next(found)[1][0] for _ in range(10)}
    found.close()  # type: ignore[attr-defined]
    assert not any(map(is_alive, workers))


def test_closing_one_iterator_keeps_the_other_running() -> None:
    endless = (([i] for i in iter(int, 1)) for _ in range(2))
    one, other = (mapped(squares, batches, 2) for batches in endless)
    next(one), next(other)
    one.close()  # type: ignore[attr-defined]
    assert next(other) == ([0], [0])
    other.close()  # type: ignore[attr-defined]


def test_zero_processes_is_an_error() -> None:
    with pytest.raises(InputError, match="expected at least 1"):
        mapped(squares, [[1]], 0)
