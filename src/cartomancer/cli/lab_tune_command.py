"""`cartomancer lab tune`: the least change of content that brings scenarios into their bands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Exit, Option

from cartomancer import content, lab
from cartomancer.cli import arguments, output


def tune(
    scenarios: arguments.Scenarios,
    target: Annotated[
        str | None,
        Option(
            "--target",
            "-t",
            help="Bands: kill=50..65, panic=12.., break=10±3; of several scenarios boar:kill=50..65. Outcomes, wins, "
            "betrayal, closeness, ROOM.OUTCOME, reached.ROOM, entry.2, effective.2, tier.2, full_bond and "
            "first_down.CLASS in %; rounds, decisions, agency, diversity, knockout_spread. A scenario without any has "
            "those of the content's target sets.",
        ),
    ] = None,
    levers: Annotated[
        str | None,
        Option(
            "--levers",
            help="What may be changed, of auto_effects, pacing, dungeon_cards, visitor_cards (all four without it), "
            "visitor_stats, dungeon_profile, visitor_profile. Narrow ones are always tried first.",
        ),
    ] = None,
    only: Annotated[
        str | None,
        Option("--only", metavar="PATTERNS", help="Turn no other levers than these: 'root_hollow.*, *.trust'."),
    ] = None,
    without: Annotated[
        str | None,
        Option("--without", metavar="PATTERNS", help="Leave these levers alone: 'soul_leech.*, *.target'."),
    ] = None,
    budget: Annotated[
        int,
        Option("--budget", min=1, help="The most candidates the search plays; pruning what it found is extra."),
    ] = 800,
    runs: Annotated[int, Option("--runs", "-n", min=100, max=100_000, help="Runs of each candidate.")] = 2_000,
    seed: arguments.BatchSeed = "0",
    out: Annotated[
        Path | None, Option("--out", "-o", help="Write the patch and its report into this new folder.")
    ] = None,
    folder: Annotated[
        Path | None, Option("--content", help="A content folder of your own instead of the shipped content.")
    ] = None,
    ai_dungeon: arguments.AiDungeon = None,
    ai_visitor: arguments.AiVisitor = None,
    threads: arguments.Threads = None,
    as_json: arguments.AsJson = False,
) -> None:
    """Find the least change of content that brings scenarios into their bands, all of them at once: narrowest levers
    first, verified on seeds that the search has not seen. Exit code 1 if the targets are not reached; the best found is
    shown then.

    cartomancer lab tune boar --target "kill=30..45, panic=20..30" --levers auto_effects --out build/calmer-boar
    """
    from cartomancer.lab.tuner import patch

    number, codex = arguments.seed_or_random(seed), content.load_codex(folder)
    dungeon, visitor = arguments.specs_of(ai_dungeon, ai_visitor, codex)
    if out is not None:
        patch.refuse_taken(out)
    named = list(dict.fromkeys(scenarios))
    settings = lab.TunerSettings(
        groups=levers,
        only=_patterns(only),
        without=_patterns(without),
        budget=budget,
        runs=runs,
        seed=number,
        dungeon=dungeon,
        visitor=visitor,
        threads=threads,
    )
    with output.progress_bar(f"tuning {', '.join(named)}", budget) as done:
        found = lab.tune(named, target, settings, codex, done)
    _report(found, as_json)
    if out is not None:
        _write(found, out, folder or content.DATA)
    if found.stopped:
        raise Exit(output.STOPPED)
    raise Exit(output.OK if found.reached else output.BAD)


def _patterns(text: str | None) -> list[str]:
    return [] if text is None else [part.strip() for part in text.split(",")]


def _report(found: lab.Tuning, as_json: bool) -> None:
    from cartomancer.lab.tuner import report as tune_report

    if as_json:
        output.print_json(tune_report.as_dict(found))
        return
    output.say(f"{tune_report.title(found)}: {tune_report.verdict(found)}", style="bold")
    output.say(*(f"  {change}" for change in tune_report.changes(found)))
    columns = ("target", "band", "before", "after", "holds")
    shown = output.named_table("targets, on seeds the search has not seen", columns)
    for reading in found.readings:
        values = [tune_report.shown_value(reading.target, one) for one in (reading.before, reading.after)]
        name = tune_report.name_of(found, reading)
        shown.add_row(name, reading.target.band(), *values, "yes" if reading.holds else "no")
    output.show(shown)
    output.say(
        *tune_report.misses(found),
        *(f"{stage.group}: {tune_report.tried(stage)}" for stage in found.stages),
        f"{tune_report.played(found)}; verified on {found.held_out_runs:,} runs of seed {found.held_out_seed}, "
        + tune_report.hashes(found),
    )


def _write(found: lab.Tuning, out: Path, base: Path) -> None:
    from cartomancer.lab.tuner import patch
    from cartomancer.lab.tuner import report as tune_report

    files = patch.patch_files(found.base, found.codex, base)
    report = {f"{patch.REPORT}.md": tune_report.markdown(found), f"{patch.REPORT}.html": tune_report.page(found)}
    report[f"{patch.REPORT}.json"] = output.strict_json(tune_report.as_dict(found), indent=1) + "\n"
    output.note(*(f"written: {path}" for path in patch.write_patch(out, {**files, **report})))
