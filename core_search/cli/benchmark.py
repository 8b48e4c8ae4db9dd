"""The bench command: how fast searches are on this machine, stage by stage, beside the raw engines."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core_search.cli.output import print_json
from core_search.cli.progress import progress_bar
from core_search.cli.tables import table
from core_search.settings import Settings

HEADER = ("", "p50 ms", "p95 ms", "floor p50", "ratio", "CPU ms", "floor CPU")


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--episodes", type=int, default=10_000, help="size of the memory; it is built once and kept")
    parser.add_argument(
        "--compare", type=int, default=0, help="size of a smaller memory, measured first for the growth"
    )
    parser.add_argument("--queries", type=int, default=20, help="questions of each kind")
    parser.add_argument(
        "--load-episodes", type=int, default=2_000, help="episodes whose loading is measured; 0 leaves it out"
    )
    parser.add_argument(
        "--home", type=Path, help="where the memories are kept; default: cache/bench in the home folder"
    )
    parser.add_argument("--json", action="store_true")


def _bench(given: argparse.Namespace) -> None:
    # Imported here: the other commands need none of it.
    from core_search.bench.report import run
    from core_search.bench.stored import offline

    settings = Settings.from_environment()
    home = given.home or settings.home / "cache" / "bench"
    with progress_bar("bench") as progress:
        report = run(
            offline(settings, home), given.episodes, given.queries, given.load_episodes, progress, given.compare
        )
    print_json(report) if given.json else _print(report)


def _print(report: Mapping[str, Any]) -> None:
    vectors = "synthetic vectors" if report["syntheticVectors"] else "real vectors"
    machine = report["machine"]
    print(f"{report['episodes']:,} episodes, {report['statements']:,} statements, {vectors}, offline")
    print(f"Python {machine['python']}, {machine['cores']} cores, load {_number(machine['load1'])}\n")
    rows = [("all searches", report["overall"]), ("routed by the rules", report["routedByRules"])]
    rows += [(f"{kind}, route given", figures) for kind, figures in report["queryTypes"].items()]
    print(table(HEADER, [_row(name, figures) for name, figures in rows]))
    print()
    print(table(HEADER[:5], [_row(f"stage {name}", part)[:5] for name, part in report["stages"].items()]))
    floor = ", ".join(f"{name} {_number(ms)} ms" for name, ms in report["floorByEngine"].items())
    print(f"\nfloor by engine: {floor}")
    opened = report["open"]
    print(f"open {_number(opened['openMs'])} ms, first search {_number(opened['firstSearchMs'])} ms")
    if loading := report["loading"]:
        raw = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in loading["rawS"].items())
        print(f"loading {loading['episodes']:,} episodes: {loading['loadS']:.1f} s; raw parts: {raw}")
    print()
    verdicts = [(t["name"], _number(t["value"]), _number(t["limit"]), t["verdict"]) for t in report["targets"]]
    print(table(("target", "value", "limit", "verdict"), verdicts))


def _row(name: str, figures: Mapping[str, Any]) -> tuple[str, ...]:
    keys = ("p50Ms", "p95Ms", "floorP50Ms", "ratio", "cpuP50Ms", "floorCpuP50Ms")
    return (name, *(_number(figures.get(key)) for key in keys))


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


COMMANDS = (("bench", "measure searches on a synthetic memory, stage by stage", _arguments, _bench),)
