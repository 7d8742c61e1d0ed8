"""`cartomancer lab fidelity`, `lab tune` and `lab fit`: is the game within its targets, what least change brings it
there, and how a computer player would weigh it best."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

from rich.markup import escape
from typer import Argument, Exit, Option

from cartomancer import content, lab
from cartomancer.cli import arguments, output

RUNS, QUICK_RUNS = 10_000, 2_000
DECISIONS = 400
STYLES = {"met": "green", "explained": "yellow", "missed": "red", "unknown": "magenta"}


def _set_names() -> list[str]:
    sets = content.load_codex().targets
    return list(dict.fromkeys([*sets, *(asked.scenario for asked in sets.values() if asked.scenario)]))


def fidelity(
    sets: Annotated[
        list[str] | None,
        Argument(
            metavar="SET",
            help="Sets of targets, or scenarios: all of their sets. Everything without any; "
            "`cartomancer content list target` lists them.",
            autocompletion=_set_names,
        ),
    ] = None,
    runs: Annotated[
        int | None,
        Option("--runs", "-n", min=1, help=f"Runs of each batch: {RUNS:,}, or {QUICK_RUNS:,} with --quick."),
    ] = None,
    decisions: Annotated[
        int | None,
        Option(
            min=1,
            help=f"Decisions of each batch to study where a set asks about them: {DECISIONS}.",
        ),
    ] = None,
    seed: arguments.BatchSeed = "0",
    quick: Annotated[
        bool,
        Option(
            "--quick",
            help="Leave out what takes minutes (contrasts, matrices, studies of decisions, players that think); widen "
            "bands by the sampling error.",
        ),
    ] = False,
    threads: arguments.Threads = None,
    folder: arguments.Content = None,
    results: Annotated[
        Path, Option("--results", metavar="DIR", help="The folder of results: cells of a matrix are kept there.")
    ] = Path("results"),
    as_json: arguments.AsJson = False,
) -> None:
    """Measure the game against its targets: every row with its band, what was measured (95 % interval) and a verdict.

    A row is met, missed, explained (missed, and its set says why) or unknown (nothing happened that could be measured,
    or a matrix that more games would have to decide). Exit code 0 if all are met or explained, 1 otherwise. Stopped,
    it shows the sets that are whole.

    cartomancer lab fidelity boar moth
    """
    number, codex = arguments.seed_or_random(seed), content.load_codex(folder)
    wanted = lab.chosen_targets(codex, sets or (), quick)
    count = runs or (QUICK_RUNS if quick else RUNS)
    settings = lab.FidelitySettings(
        runs=count,
        seed=number,
        threads=threads,
        quick=quick,
        results=results,
        decisions=decisions or DECISIONS,
    )
    with output.progress_bar("fidelity", lab.total_runs(wanted, settings, codex)) as done:
        found = lab.fidelity_of(wanted, settings, codex, done)
    output.answer(as_json, found.as_dict(), lambda: _print_fidelity(found, codex))
    if found.left_out:
        raise output.stopped(f"stopped; not measured: {', '.join(found.left_out)}")
    raise Exit(output.OK if found.holds else output.BAD)


def _print_fidelity(found: lab.Fidelity, codex: content.Codex) -> None:
    """A table for each set, what is to be said of its rows, and how many rows have which verdict."""
    counts = found.counts
    for name, rows in groupby(found.rows, key=lambda row: row.set):
        mine, asked = list(rows), codex.targets[name]
        output.show(_table(f"{asked.title} ({name}) [{asked.source}]", mine, bool(asked.parties)))
        output.say(*(f"  {row.name}: {line}" for row in mine for line in _remarks(row)), "")
    tally = f"{counts['met']} of {len(found.rows)} met, {counts['explained']} explained, {counts['missed']} missed"
    unknown = f", {counts['unknown']} unknown" if counts["unknown"] else ""
    widened = "; bands are widened by the sampling error" if found.quick else ""
    output.say(f"{tally}{unknown} (batches of {found.runs:,} runs, seed {found.seed}{widened})", style="bold")


def _table(title: str, rows: list[lab.FidelityRow], by_party: bool) -> Any:
    """The rows of a set; those of parties in a section for each."""
    columns = ("measure", "target", "measured", "95 % interval", "verdict")
    shown = output.named_table(escape(title), columns, left=(0, 4))
    for before, row in zip([rows[0], *rows], rows, strict=False):
        if by_party and before.name.partition(".")[0] != row.name.partition(".")[0]:
            shown.add_section()
        style = STYLES[row.verdict]
        shown.add_row(row.name, row.target, _shown(row, row.value), _interval(row), f"[{style}]{row.verdict}[/]")
    return shown


def _shown(row: lab.FidelityRow, value: float | None) -> str:
    """A value in its unit."""
    if value is None:
        return "–"
    forms = {"percent": f"{value:.1f} %", "points": f"{value:+.1f}", "count": f"{value:.0f}"}
    return forms.get(row.unit, f"{value:.2f}")


def _interval(row: lab.FidelityRow) -> str:
    """Its interval; of a count, how many there may be."""
    if row.low is None or row.high is None:
        return ""
    if row.unit == "count":
        return f"at most {row.high:.0f}" if row.high > row.low else ""
    signed, digits = ("+" if row.unit == "points" else ""), 2 if row.unit == "number" else 1
    return f"{row.low:{signed}.{digits}f} … {row.high:{signed}.{digits}f}"


def _remarks(row: lab.FidelityRow) -> list[str]:
    """What stands behind a row that is not simply met."""
    note = [row.note] if row.note and (row.verdict != "met" or row.unit == "points") else []
    return [*note, *([row.reason] if row.verdict == "explained" else [])]


# --- the tuner --------------------------------------------------------------------------------------------------------


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
        Option(metavar="PATTERNS", help="Turn no other levers than these: 'root_hollow.*, *.trust'."),
    ] = None,
    without: Annotated[
        str | None,
        Option(metavar="PATTERNS", help="Leave these levers alone: 'soul_leech.*, *.target'."),
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
    number, codex = arguments.seed_or_random(seed), content.load_codex(folder)
    dungeon, visitor = arguments.specs_of(ai_dungeon, ai_visitor, codex)
    if out is not None:
        lab.patch.refuse_taken(out)
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
    _report_tuning(found, as_json)
    if out is not None:
        told = lab.tune_report
        as_text = output.strict_json(told.as_dict(found), indent=1) + "\n"
        reports = {"md": told.markdown(found), "html": told.page(found), "json": as_text}
        files = lab.patch.patch_files(found.base, found.codex, folder or content.DATA)
        files |= {f"{lab.patch.REPORT}.{suffix}": text for suffix, text in reports.items()}
        output.note(*(f"written: {path}" for path in lab.patch.write_patch(out, files)))
    if found.stopped:
        raise Exit(output.STOPPED)
    raise Exit(output.OK if found.reached else output.BAD)


def _patterns(text: str | None) -> list[str]:
    return [] if text is None else [part.strip() for part in text.split(",")]


def _report_tuning(found: lab.Tuning, as_json: bool) -> None:
    told = lab.tune_report
    if as_json:
        output.print_json(told.as_dict(found))
        return
    output.say(f"{told.title(found)}: {told.verdict(found)}", style="bold")
    output.say(*(f"  {change}" for change in told.changes(found)))
    columns = ("target", "band", "before", "after", "holds")
    output.show(output.named_table("targets, on seeds the search has not seen", columns, told.rows(found)))
    output.say(
        *told.misses(found),
        *(f"{stage.group}: {told.tried(stage)}" for stage in found.stages),
        f"{told.played(found)}; verified on {found.held_out_runs:,} runs of seed {found.held_out_seed}, "
        + told.hashes(found),
    )


# --- fitting a profile ------------------------------------------------------------------------------------------------


def fit(
    profile: Annotated[str, Argument(metavar="PROFILE", help="Whose weights are fitted: party_balanced, tactical …")],
    scenarios: Annotated[
        list[str] | None, Argument(metavar="SCENARIO", help="Where it plays; its own scenarios without any.")
    ] = None,
    trials: Annotated[int, Option("--trials", min=2, max=100_000, help="The most candidates.")] = 300,
    runs: Annotated[int, Option("--runs", "-n", min=50, max=100_000, help="Runs of each, in every scenario.")] = 1_000,
    seed: arguments.BatchSeed = "0",
    threads: arguments.Threads = None,
    as_json: arguments.AsJson = False,
) -> None:
    """Fit the weights of a profile: with which it does best where it plays, each between half and twice what it is, so
    that it stays itself. What a run is worth is content; the verdict comes from seeds the search has not seen.

    cartomancer lab fit party_balanced standard-company --trials 200 -n 500
    """
    settings = lab.FitSettings(runs, trials, arguments.seed_or_random(seed), threads)
    with output.progress_bar(f"fitting {profile}", trials) as done:
        found = lab.fit(profile, content.load_codex(), tuple(scenarios or ()), settings, done)
    if as_json:
        output.print_json(found.as_dict())
        return
    shown = output.named_table(f"{profile}, fitted in {', '.join(found.scenarios)}", ("weight", "before", "after"))
    for name, (before, after) in found.changes.items():
        shown.add_row(name, str(before), str(after))
    output.show(shown)
    low, high = found.interval or (found.gain, found.gain)
    output.say(
        f"worth of a run: {100 * found.worth_before:.1f} before, {100 * found.worth_after:.1f} after; "
        f"gain {100 * found.gain:+.1f} ({100 * low:+.1f} … {100 * high:+.1f}) points on fresh seeds"
    )
