"""Registry of metrics. A new metric is registered here or as an entry point of a package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amparser.registry import Registry

if TYPE_CHECKING:
    from amparser.evaluation.metric import Metric

METRICS: Registry[Metric] = Registry(
    "metric",
    "amparser.metrics",
    {
        "match": "amparser.evaluation.metrics.match:MATCH",
        "smatch": "amparser.evaluation.metrics.smatch:SMATCH",
        "smatch-tool": "amparser.evaluation.metrics.smatch:SMATCH_TOOL",
        "edm": "amparser.benchmarks.eds.edm:EDM",
        "roles-f1": "amparser.benchmarks.eds.roles:ROLES_F1",
        "entailment": "amparser.benchmarks.sygns.entailment:ENTAILMENT",
        "counter": "amparser.benchmarks.sygns.counter:COUNTER",
        "label": "amparser.benchmarks.monotonicity.pairs:LABEL",
        "malformed": "amparser.evaluation.metrics.match:MALFORMED",
    },
)
