"""Fit the confidence of a packaged model again: `python tests/benchmarks/refit.py NAME FILE`.

FILE is dev. The confidence is fitted on 300 of its rows and measured on up to 500 others: area
under the ROC curve and calibration error (see `public.py`), and rank correlation with the measure
of the benchmark or `--metric`. Only `confidence` of `amparser/models/NAME/model.json` changes.
"""

import argparse
import json
import os
from pathlib import Path
from random import Random

from public import confidence
from scipy.stats import spearmanr

from amparser.benchmarks.registry import BENCHMARKS
from amparser.calibration import MOST, _confidence, _judged
from amparser.corpora.corpus import Corpus
from amparser.evaluation.gold import notation_of, read_gold
from amparser.evaluation.metric_registry import METRICS
from amparser.learn.confidence import Confidence
from amparser.learn.model_folder import CHECKSUMS, MODEL, _checksums
from amparser.parser import Parser
from amparser.resources import package_data
from amparser.schema import to_json


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("name")
    options.add_argument("file", type=Path)
    options.add_argument("--metric", default="roles-f1")
    options.add_argument("--without", nargs="*", default=[], help="tags of rows to leave out")
    given = options.parse_args()
    parser = Parser.load(given.name, "cpu")
    rows = read_gold(given.file, parser, BENCHMARKS[parser.benchmark])
    rows = [row for row in rows if not {*row.tags} & {*given.without}]
    found = _confidence(parser, Corpus([], rows), [])
    fitted = {*Random(0).sample(range(len(rows)), MOST)}
    others = [row for i, row in enumerate(rows) if i not in fitted]
    rest = Random(1).sample(others, min(500, len(others)))
    answers = [one for one in _judged(parser, rest) if one.result.figures]
    sure = [found.of(one.result.figures) for one in answers]
    strange = (Path(os.environ["AMPARSER_PUBLIC"]) / "foreign.txt").read_text().splitlines()[::3]
    foreign = [found.of(result.figures) for result in parser.parse(strange) if result.figures]
    print(confidence([(p, one.is_right) for p, one in zip(sure, answers, strict=True)], foreign))
    compare, notation = METRICS[given.metric].compare, notation_of(parser)
    counts = [next(iter(compare(notation, e, r).values())) for e, r, _ in answers]
    print(f"rank correlation {spearmanr(sure, [one.share or 0.0 for one in counts])[0]:.2f}")
    kept = [one.is_right for p, one in zip(sure, answers, strict=True) if p >= 0.5]
    right = sum(one.is_right for one in answers)
    print(f"at 0.5: {len(kept)} of {len(answers)} kept, {sum(kept)} of {right} right")
    path = package_data(f"models/{given.name}") / f"{MODEL}.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    content["confidence"] = to_json(found, Confidence)
    content[CHECKSUMS] = dict(_checksums(content))
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
