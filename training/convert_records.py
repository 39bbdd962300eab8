"""Throwaway: old nested records to long-form rows."""

import json, sys
from pathlib import Path
from amparser.evaluation.record import Record, Row, Interval

PAIR = "|"


def groups_of(kind):
    if PAIR in kind:
        test, function, direction, quantifier = kind.split(PAIR)
        return (test, f"{test} {direction}", function, direction, quantifier)
    quantifiers, _, modifiers = kind.partition(" ")
    if not modifiers or quantifiers == "depth":
        return (kind,)
    return (quantifiers, *modifiers.split("+"))


def tags_of(kind, benchmark):
    if benchmark in ("slog", "cogs"):
        return (kind,) if kind else ()
    return groups_of(kind)


def main(folder):
    for path in sorted(Path(folder).glob("*.json")):
        old = json.loads(path.read_text())
        if old.get("format"):
            continue
        b = old["benchmark"]
        labels = b == "monotonicity"
        published = not old["runs"]
        name = old["name"]
        dataset = ""
        data = dict(old.get("data", {}))
        if labels:
            if published:
                dataset = name.removeprefix("monotonicity-").removesuffix("-published")
            else:
                aspect = data["aspect"]
                part = name.rpartition(f"-{aspect}-")[2]
                dataset = f"{aspect}-{part}"
                data["sha256"] = data.pop("files")
        elif data:
            data = {"sha256": data}
        rename = (lambda m: "label") if labels else (lambda m: m)
        rows, runs = [], []
        for run in old["runs"]:
            info = {
                k: v
                for k, v in run.items()
                if k not in ("counts", "malformed", "unanswered", "commit")
            }
            info = {"seed": info.pop("seed"), "fraction": info.pop("fraction"), **info}
            info["training_commit"] = run.get("commit")
            runs.append(info)
            seed, fraction = run["seed"], run["fraction"]
            for split, by_decoder in run["counts"].items():
                for decoder, kinds in by_decoder.items():
                    table = {"": [0, 0, 0, 0]}
                    groups = [(tags_of(k, b), n) for k, n in kinds.items()]
                    for place in range(max((len(g) for g, _ in groups), default=0)):
                        for g, n in groups:
                            if place < len(g):
                                table.setdefault(g[place], [0, 0, 0, 0])
                    for g, n in groups:
                        for tag in dict.fromkeys(("", *g)):
                            table[tag] = [a + c for a, c in zip(table[tag], n, strict=True)]
                    for tag, (count, *right) in table.items():
                        measures = zip(("exact", "reformatted", "graph"), right, strict=True)
                        if labels:
                            assert len(set(right)) == 1
                            measures = [("label", right[0])]
                        for measure, n in measures:
                            rows.append(Row(seed, fraction, split, tag, decoder, measure, n, count))
                    total = table[""][0]
                    if "malformed" in run:
                        wrong = run["malformed"][split][decoder]
                        rows.append(
                            Row(
                                seed,
                                fraction,
                                split,
                                "",
                                decoder,
                                "malformed",
                                sum(wrong.values()),
                                total,
                            )
                        )
                        for kind, n in wrong.items():
                            rows.append(
                                Row(
                                    seed,
                                    fraction,
                                    split,
                                    "",
                                    decoder,
                                    f"malformed:{kind}",
                                    n,
                                    total,
                                )
                            )
                    if "unanswered" in run:
                        rows.append(
                            Row(
                                seed,
                                fraction,
                                split,
                                "",
                                decoder,
                                "unanswered",
                                run["unanswered"][split][decoder],
                                total,
                            )
                        )
        known = {(r.fraction, r.split, r.tag, r.decoder, r.measure) for r in rows}
        intervals, seen = [], set()
        for fraction, splits in old["fractions"].items():
            for split, by_decoder in splits.items():
                for decoder, measures in by_decoder.items():
                    for measure, figures in measures.items():
                        every = ({"": figures["overall"]} if "overall" in figures else {}) | {
                            k: v for k, v in figures["types"].items()
                        }
                        for tag, f in every.items():
                            key = (float(fraction), split, tag, decoder, rename(measure))
                            # An interval of a class of several tags belongs to no tag.
                            if not published and key not in known:
                                continue
                            if key in seen:
                                continue
                            seen.add(key)
                            intervals.append(
                                Interval(
                                    *key, f["mean"], f.get("deviation"), f.get("low"), f.get("high")
                                )
                            )
        commits = [old.get("commit"), *(r["training_commit"] for r in runs)]
        record = Record(
            name=name,
            about=old["about"],
            benchmark=b,
            system=old.get("system", "" if published else "amparser"),
            dataset=dataset,
            settings=old.get("config", {}),
            data=data,
            package_version=old.get("package_version", ""),
            evaluation_commit=old.get("commit"),
            dirty=any((c or "").endswith("+") for c in commits),
            machine=old.get("machine", {}),
            resamples=old.get("resamples", 0 if published else 10000),
            runs=runs,
            rows=rows,
            intervals=intervals,
        )
        if labels and not published and record.system in ("lstm", "treelstm", "bert"):
            from dataclasses import replace

            record = replace(record, system=f"pair-{record.system}")
        record.write(Path(folder))


main(sys.argv[1])
