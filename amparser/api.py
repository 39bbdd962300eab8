"""The public functions: train, evaluate and load models of any system.

None of them prints. Progress comes by callback.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amparser.benchmarks.registry import BENCHMARKS
from amparser.errors import InputError
from amparser.learn.progress import OnProgress
from amparser.learn.system import Model, System
from amparser.learn.system_registry import SYSTEMS
from amparser.resources import bundled_model, package_data

if TYPE_CHECKING:
    from amparser.benchmarks.benchmark import Benchmark
    from amparser.evaluation.evaluate import Evaluation
    from amparser.evaluation.evaluate import OnProgress as OnEvaluated
    from amparser.induction.induce import SourceInventory
    from amparser.lexicon.lexicon import Lexicon
