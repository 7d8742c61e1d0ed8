"""Questions to stored runs: what the view says is what was played, and a question can do nothing but ask."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Iterator
from inspect import signature
from pathlib import Path
from time import perf_counter, sleep  # noqa: TID251  what is tested is how long an answer takes
from typing import Any

import duckdb
import pytest

from cartomancer.encounters import names, packing
from cartomancer.encounters.encounter import winner_of
from cartomancer.errors import CartomancerError
from cartomancer.intervals import wilson
from cartomancer.lab.columns import COLUMNS
from cartomancer.lab.measures.batch import stored_summary, summary_of
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.run_table import RunTable
from cartomancer.lab.report.causes import add_causes, asks_for_causes
from cartomancer.lab.report.survey import survey
from cartomancer.lab.runs import jobs
from cartomancer.lab.runs.jobs import job_of
from cartomancer.lab.runs.run_store import Results
from cartomancer.lab.runs.running import run_job
from cartomancer.lab.runs.sql import ask, connect
from cartomancer.players.policies import PlayerSpec
from cartomancer.players.simulation import Simulation, read_run_name, run_of, run_seed, simulate

RUNS, LAST_SEED = 1_200, 2**64 - 1
SCENARIO = """
id = "cave"
title = "Cave"
summary = "One room."
creature = "thornback_boar"
dungeon = "verdant_maw"

[[rooms]]
room = "root_hollow"
round_limit = 9
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three jobs: two seeds of one scenario, and a gauntlet with another player."""
    place = tmp_path_factory.mktemp("results")
    results = Results(place)
    run_job(results, job_of("boar", 7), RUNS)
    run_job(results, job_of("boar", LAST_SEED), 300)
    run_job(results, job_of("company-gauntlet", 7, dungeon=PlayerSpec("random")), 200)
    return place


@pytest.fixture
def connection(folder: Path) -> Iterator[Any]:
    with connect(folder) as found:
        yield found


@pytest.fixture(scope="module")
def boar() -> Simulation:
    return simulate("boar", RUNS, 7)


def rows_of(connection: Any, question: str) -> list[tuple[Any, ...]]:
    return list(ask(connection, question).rows())


# --- the view ---------------------------------------------------------------------------------------------------------


def test_every_run_of_every_job_is_a_row(connection: Any) -> None:
    question = "select scenario, dungeon, visitor, batch_seed, count(*), count(distinct run) from runs group by all"
    found = rows_of(connection, question)
    assert sorted(found) == [
        ("boar", "heuristic", "heuristic", 7, RUNS, RUNS),
        ("boar", "heuristic", "heuristic", LAST_SEED, 300, 300),
        ("company-gauntlet", "random", "heuristic", 7, 200, 200),
    ]


def test_the_view_has_all_columns_and_says_what_they_are(connection: Any) -> None:
    view = [row[0] for row in rows_of(connection, "describe runs")]
    assert view[-len(COLUMNS) :] == list(COLUMNS)
    formats = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
    for name in view[: -len(COLUMNS)]:
        stem, _, place = name.rpartition("_")
        assert f"`{name}`" in formats or (f"`{stem}_1` … `4`" in formats and place in "1234"), name


@pytest.mark.parametrize("seed", [7, LAST_SEED])
def test_a_runs_seed_in_sql_is_the_seed_it_was_played_with(connection: Any, seed: int) -> None:
    found = rows_of(connection, f"select run, seed from runs where batch_seed = {seed} and scenario = 'boar'")
    assert len(found) >= 300
    assert all(own == run_seed(seed, run) for run, own in found)


def test_outcomes_winners_and_rooms_are_named(connection: Any) -> None:
    found = rows_of(connection, "select distinct outcome, outcome_name, winner from runs")
    assert len(found) > 3
    assert all((names.OUTCOMES[code], winner_of(name)) == (name, who) for code, name, who in found)
    packed = job_of("company-gauntlet").packed
    rooms = rows_of(
        connection,
        "select distinct rooms, room_1, room_name_1, room_2, room_name_2, outcome_2, outcome_name_2 from runs "
        "where scenario = 'company-gauntlet'",
    )
    assert {row[0] for row in rooms} > {1}
    for entered, first, first_name, second, second_name, outcome, outcome_name in rooms:
        assert first_name == packed.rooms[first]
        assert (second_name is None) == (second == -1) == (entered < 2)
        assert second_name is None or second_name == packed.rooms[second]
        assert outcome_name == (None if outcome < 0 else names.OUTCOMES[outcome])


def test_a_run_is_reopened_by_its_name(connection: Any, boar: Simulation) -> None:
    ((name, outcome),) = rows_of(
        connection, "select run_name, outcome_name from runs where batch_seed = 7 and scenario = 'boar' and run = 123"
    )
    assert name == "boar@7:123"
    scenario, seed, index = read_run_name(name) or ("", 0, 0)
    assert scenario == "boar"
    ended = run_of(boar.packed, boar.policies, seed, index).outcome
    assert ended is not None
    assert ended.kind == outcome


def summary(batch: Simulation, files: list[Path], runs: int) -> dict[str, Any]:
    return stored_summary(RunTable.over(files, ScenarioContext.of(batch.packed), first_runs=runs))


def test_a_summary_counts_what_simulate_counts(folder: Path, boar: Simulation) -> None:
    files = [chunk.path for chunk in Results(folder).stored(job_of("boar", 7)).chunks()]
    found, expected = summary(boar, files, RUNS), summary_of(boar).as_dict()
    assert found["n"] == RUNS
    assert {name: rate["rate"] for name, rate in found["outcomes"].items()} == {
        name: rate["rate"] for name, rate in expected["outcomes"].items()
    }
    kills = found["outcomes"]["kill"]
    assert [kills["low"], kills["high"]] == wilson(kills["runs"], RUNS)
    assert found["dungeon_win"]["rate"] == expected["dungeon_win"]
    assert found["rounds_mean"] == pytest.approx(expected["rounds_mean"])
    assert found["rounds_interval"] == pytest.approx(expected["rounds_interval"])
    part = simulate("boar", 500, 7)
    assert summary(boar, files, 500)["outcomes"]["kill"]["runs"] == part.count("kill")


# --- what belongs here ------------------------------------------------------------------------------------------------


def test_runs_of_edited_content_are_named_and_not_mixed_in(tmp_path: Path) -> None:
    path, told = tmp_path / "cave.toml", list[str]()
    path.write_text(SCENARIO, encoding="utf-8")
    results = tmp_path / "results"
    old = job_of(str(path), 1)
    run_job(Results(results), old, 50)
    path.write_text(SCENARIO.replace("round_limit = 9", "round_limit = 8"), encoding="utf-8")
    packing._pack_in_use.cache_clear()  # as another process would find it
    with pytest.raises(CartomancerError, match="no runs to ask"):
        connect(results, notice=told.append)
    new = job_of(str(path), 1)
    run_job(Results(results), new, 30)
    with connect(results, notice=told.append) as connection:
        assert rows_of(connection, "select content, count(*) from runs group by 1") == [(new.packed.digest, 30)]
    assert len(told) == 2
    assert old.packed.digest in told[1]
    assert new.packed.digest in told[1]
    with connect(results, any_content=True) as connection:
        found = dict(rows_of(connection, "select content, count(*) from runs group by 1"))
    assert found == {old.packed.digest: 50, new.packed.digest: 30}


def test_runs_by_other_rules_are_not_mixed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    with monkeypatch.context() as earlier:
        earlier.setattr(jobs, "kernel_digest", lambda: "0123456789abcdef")
        run_job(Results(tmp_path), job_of("boar", 7), 20)
    with pytest.raises(CartomancerError, match="no runs to ask"):
        connect(tmp_path, notice=told.append)
    assert "played with other rules: 0123456789abcdef" in told[0]


def test_what_cannot_be_read_is_named_and_left_out(tmp_path: Path) -> None:
    told: list[str] = []
    results = Results(tmp_path)
    good = run_job(results, job_of("boar", 7), 20)
    damaged = run_job(results, job_of("boar", 8), 20)
    damaged.files[0].write_bytes(damaged.files[0].read_bytes()[:-1])
    nameless = run_job(results, job_of("boar", 9), 20)
    (nameless.folder / "job.json").write_text("[]", encoding="utf-8")
    strange = run_job(results, job_of("boar", 10), 20)
    described = json.loads((strange.folder / "job.json").read_text(encoding="utf-8"))
    described["format"] = 99
    described["job"] = jobs.job_digest(described)
    (strange.folder / "job.json").write_text(json.dumps(described), encoding="utf-8")
    strange.folder.rename(tmp_path / f"{described['content']}-{described['job']}")
    with connect(tmp_path, any_content=True, notice=told.append) as connection:
        assert rows_of(connection, "select batch_seed, count(*) from runs group by 1") == [(7, 20)]
    assert good.stored == 20
    assert len(told) == 3
    assert any(damaged.files[0].name in text and "left out" in text for text in told)
    assert any("not the description of job" in text for text in told)
    assert any("format 99" in text for text in told)
    assert damaged.files[0].exists()  # asking changes nothing


@pytest.mark.parametrize("name", ["it's here", "a [b] c", "st*r", "què?"])
def test_a_folder_may_have_any_name(tmp_path: Path, boar: Simulation, name: str) -> None:
    run_job(Results(tmp_path / name), job_of("boar", 7), 5)
    assert run_job(Results(tmp_path / name), job_of("boar", 7), 5).found == 5
    (chunk,) = Results(tmp_path / name).stored(job_of("boar", 7)).chunks()
    assert summary(boar, [chunk.path], 5)["n"] == 5
    with connect(tmp_path / name) as connection:
        assert rows_of(connection, "select count(*) from runs") == [(5,)]


def test_an_empty_folder_has_nothing_to_ask(tmp_path: Path) -> None:
    with pytest.raises(CartomancerError, match="cartomancer lab run SCENARIO"):
        connect(tmp_path / "nowhere")


# --- questions --------------------------------------------------------------------------------------------------------


def test_values_are_plain(connection: Any) -> None:
    answer = ask(
        connection,
        "select 1 as a, 1.5::decimal(4,2) as b, sum(run) as c, null as d, 'x' as e, [1, 2] as f, "
        "'inf'::double as g, date '2000-01-01' as h, '12'::blob as i "
        "from runs where scenario = 'boar' and batch_seed = 7",
    )
    assert answer.columns == tuple("abcdefghi")
    assert list(answer.rows()) == [(1, 1.5, RUNS * (RUNS - 1) // 2, None, "x", [1, 2], None, "2000-01-01", "b'12'")]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("selec 1", "syntax error"),
        ("select nope from runs", "nope"),
        ("select * from walks", "walks"),
        ("", "one SELECT"),
        ("select 1; select 2", "one SELECT"),
        ("drop view runs", "one SELECT"),
        ("create table t as select 1", "one SELECT"),
        ("copy (select 1) to 'out.csv'", "one SELECT"),
        ("attach 'out.db'", "one SELECT"),
        ("set enable_external_access = true", "one SELECT"),
        ("install httpfs", "one SELECT"),
        ("explain analyze copy (select 1) to 'out.csv'", "one SELECT"),
        ("select * from query('drop view runs')", "SELECT"),
        ("select * from told", "told"),
        ("update extensions", "one SELECT .*, not another statement"),  # the database's Python face has no name for it
        ("pivot runs on outcome_name", "one SELECT .*, not MULTI"),
        ("select '\ud800'", "half a character"),
        ("explain select 1", "one SELECT .*, not EXPLAIN"),
        ("call pragma_version()", "one SELECT .*, not CALL"),
        ("merge into runs using runs b on true when matched then delete", "one SELECT .*, not MERGE_INTO"),
    ],
)
def test_what_is_no_question_is_refused(connection: Any, question: str, told: str) -> None:
    with pytest.raises(CartomancerError, match=told):
        ask(connection, question)


def test_what_is_wrong_with_a_late_row_is_told_too(connection: Any) -> None:
    answer = ask(
        connection, "select case when i = 999999 then ('row ' || i)::int else 1 end from range(1000000) rows(i)"
    )
    with pytest.raises(CartomancerError, match=r"cannot be answered: .*Could not convert string"):
        list(answer.rows(at_once=10))


def test_a_question_can_be_stopped(connection: Any) -> None:
    """An answer of years, stopped at once, by an interrupt of this very process."""
    stop = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    stop.start()
    with pytest.raises(KeyboardInterrupt):
        list(ask(connection, "select count(*) from runs a, runs b, runs c, runs d where a.run + b.run = c.run").rows())
    assert list(ask(connection, "select count(*) from runs").rows()) == [(RUNS + 500,)]


YEARS = "select count(*) from runs a, runs b, runs c, runs d where a.run + b.run = c.run"


def test_a_question_ends_in_time(connection: Any) -> None:
    """An answer of years; the connection answers the next question."""
    started = perf_counter()
    with pytest.raises(CartomancerError, match=r"not answered after 0.3 seconds: .*--timeout"):
        list(ask(connection, YEARS, seconds=0.3).rows())
    assert perf_counter() - started < 30
    assert list(ask(connection, "select 1").rows()) == [(1,)]


def test_time_is_spent_by_the_database_and_not_by_who_reads(connection: Any) -> None:
    rows = ask(connection, "select * from range(50)", seconds=1.0).rows(at_once=10)
    next(rows)
    sleep(1.1)
    assert len(list(rows)) == 49


def test_a_question_takes_no_more_memory_than_it_may(folder: Path, tmp_path: Path, monkeypatch: Any) -> None:
    """And nothing is put on a disk instead."""
    monkeypatch.chdir(tmp_path)
    with connect(folder, memory=64) as connection:
        with pytest.raises(CartomancerError, match=r"more memory than it may take: .*--limit-memory"):
            list(ask(connection, "select count(distinct md5(i::varchar)) from range(10000000) t(i)").rows())
        assert list(ask(connection, "select count(*) from runs").rows()) == [(RUNS + 500,)]
    assert not list(tmp_path.iterdir())


def test_memory_and_time_are_limited_unless_told_otherwise(folder: Path) -> None:
    with connect(folder) as connection:
        settings = "select current_setting('memory_limit'), current_setting('temp_directory')"
        assert list(ask(connection, settings).rows()) == [("2.0 GiB", "")]
    assert signature(ask).parameters["seconds"].default == 60


def test_sums_and_differences_of_columns_do_not_overflow(connection: Any) -> None:
    question = (
        "select max(vitality_2 + resolve_2 + nerve_2), min(rounds - 100), min(run - 5), max(rounds * 1000) from runs"
    )
    ((shape, rounds, run, product),) = ask(connection, question).rows()
    assert shape > 127
    assert (rounds < 0, run, product > 1000) == (True, -5, True)


def test_columns_of_one_name_are_told_apart(connection: Any) -> None:
    answer = ask(connection, "select 1 as n, 2 as n, 3 as n_2, count(*), count(*) from runs")
    assert answer.columns == ("n", "n_2", "n_2_2", "count_star()", "count_star()_2")


def test_a_job_of_another_format_is_named_whatever_it_says(tmp_path: Path) -> None:
    described = {"format": "2-later", "game": "boar"}
    digest = jobs.job_digest(described)
    (tmp_path / f"0-{digest}").mkdir()
    (tmp_path / f"0-{digest}" / "job.json").write_text(json.dumps({"job": digest, **described}))
    told: list[str] = []
    with pytest.raises(CartomancerError, match="no runs to ask"):
        connect(tmp_path, notice=told.append)
    assert "of format 2-later" in told[0]


def test_no_other_file_can_be_read_or_written(connection: Any, folder: Path, tmp_path: Path) -> None:
    """Nor could it be by statements that are no questions, were they let through."""
    (tmp_path / "secret.csv").write_text("a\n1\n", encoding="utf-8")
    (description,) = folder.glob(f"*{job_of('boar', 7).digest}/job.json")
    for path in (tmp_path / "secret.csv", description):
        for reader in ("read_csv", "read_text", "read_blob", "read_json", "glob"):
            with pytest.raises(CartomancerError, match=r"disabled|not exist|not find|not allowed"):
                ask(connection, f"select * from {reader}('{path}')")
    for statement in (
        f"copy (select 1) to '{tmp_path}/out.csv'",
        f"attach '{tmp_path}/out.db'",
        "set enable_external_access = true",
        "set allowed_directories = ['/']",
        "load httpfs",
    ):
        with pytest.raises(duckdb.Error):
            connection.execute(statement)
    assert [path.name for path in tmp_path.iterdir()] == ["secret.csv"]


# --- causes -----------------------------------------------------------------------------------------------------------


def test_causes_are_those_of_a_survey_of_the_first_runs(folder: Path) -> None:
    with connect(folder) as connection:
        add_causes(connection)
        found = ask(connection, "select * from causes where scenario = 'boar' and batch_seed = 7 order by all")
        columns, rows = found.columns, list(found.rows())
    seen = survey("boar", 1_000, 7)
    expected = [("boar", "heuristic", "heuristic", 7, *row.values()) for row in seen.causes_table()]
    assert columns == ("scenario", "dungeon", "visitor", "batch_seed", *seen.causes_table()[0])
    assert sorted(rows) == sorted(expected)
    assert {row[columns.index("runs")] for row in rows} == {1_000}


def test_every_job_has_its_causes_and_a_small_one_all_of_its_runs(folder: Path) -> None:
    with connect(folder) as connection:
        add_causes(connection)
        found = ask(connection, "select distinct scenario, dungeon, batch_seed, runs from causes order by all")
        assert list(found.rows()) == [
            ("boar", "heuristic", 7, 1_000),
            ("boar", "heuristic", LAST_SEED, 300),
            ("company-gauntlet", "random", 7, 200),
        ]


def test_causes_are_worked_out_only_when_a_question_names_them(folder: Path) -> None:
    assert asks_for_causes("SELECT * FROM Causes JOIN runs USING (scenario)")
    assert not asks_for_causes("select 'because' from runs")
    with connect(folder) as connection, pytest.raises(CartomancerError, match="causes"):
        ask(connection, "select * from causes")
