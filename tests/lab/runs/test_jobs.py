"""Jobs: what decides their runs decides their digest, and result hashes can be put together from chunks."""

from __future__ import annotations

import hashlib
import json
import sys

import numpy as np
import pytest

from cartomancer.errors import CartomancerError
from cartomancer.lab.runs import jobs
from cartomancer.lab.runs.jobs import Job, job_digest, job_of
from cartomancer.players.kernel.layout import RUN
from cartomancer.players.policies import PlayerSpec, player_spec
from cartomancer.players.simulation import block_digests, hash_of_blocks, simulate


def test_everything_that_decides_a_run_decides_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    variants = [
        job_of("boar", 7),
        job_of("boar", 8),
        job_of("boar+frenzy", 7),
        job_of("moth", 7),
        job_of("boar", 7, dungeon=player_spec("nurturing", "dungeon")),
        job_of("boar", 7, visitor=PlayerSpec("random")),
    ]
    digests = [job.digest for job in variants]
    monkeypatch.setattr(jobs, "kernel_digest", lambda: "0123456789abcdef")
    digests.append(job_of("boar", 7).digest)
    monkeypatch.setattr(jobs, "FORMAT", "2-01234567")
    digests.append(job_of("boar", 7).digest)
    assert len(set(digests)) == len(digests) == 8


def test_a_job_is_the_same_however_many_runs_are_wanted() -> None:
    job = job_of("boar", 7)
    assert job.digest == job_of("boar", 7).digest
    assert job.folder == f"{job.packed.digest}-{job.digest}"
    assert list(job.ranges(50_000)) == [(0, 50_000)]
    assert list(job.ranges(50_001)) == [(0, 50_000), (50_000, 1)]
    assert list(job.ranges(1)) == [(0, 1)]


def test_a_described_job_says_its_digest_again() -> None:
    described = json.loads(json.dumps(job_of("boar", 2**64 - 1).describe()))
    assert described["job"] == job_digest(described)
    assert described["seed"] == 2**64 - 1
    assert (described["scenario"], described["dungeon"], described["visitor"]) == ("boar", "heuristic", "heuristic")
    assert job_digest({**described, "seed": 1}) != described["job"]


def test_players_that_imagine_get_small_chunks() -> None:
    job = job_of("boar", 7, dungeon=player_spec("montecarlo@4", "dungeon"))
    assert list(job.ranges(2_500)) == [(0, 1_000), (1_000, 1_000), (2_000, 500)]


def test_the_most_runs_are_ranges_one_after_the_other() -> None:
    """Twenty million of them, of which only the next is ever there."""
    ranges = job_of("boar").ranges(10**12)
    assert [next(ranges), next(ranges)] == [(0, 50_000), (50_000, 50_000)]
    assert sys.getsizeof(ranges) < 1_000


@pytest.mark.parametrize("runs", [0, -1, 10**12 + 1])
def test_an_impossible_number_of_runs_is_refused(runs: int) -> None:
    with pytest.raises(CartomancerError, match="a job has 1 to"):
        job_of("boar").ranges(runs)


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_an_impossible_seed_is_refused(seed: int) -> None:
    job = job_of("boar")
    with pytest.raises(CartomancerError, match="outside"):
        Job(job.packed, job.policies, seed)


# --- result hashes ----------------------------------------------------------------------------------------------------


def test_a_result_hash_is_a_hash_of_hashes_of_a_thousand_runs_each() -> None:
    rows = np.zeros(2_500, RUN)
    rows["state_hash"] = np.arange(2_500)
    blocks = [
        hashlib.blake2b(np.arange(at, min(at + 1000, 2500), dtype="<u8").tobytes(), digest_size=8).digest()
        for at in (0, 1000, 2000)
    ]
    assert block_digests(rows) == b"".join(blocks)
    assert hash_of_blocks(b"".join(blocks)) == hashlib.blake2b(b"".join(blocks), digest_size=8).hexdigest()


def test_digests_of_parts_make_the_hash_of_the_whole() -> None:
    found = simulate("boar", 2_300, seed=3)
    parts = block_digests(found.rows[:1_000]) + block_digests(found.rows[1_000:])
    assert hash_of_blocks(parts) == found.result_hash
    changed = found.rows.copy()
    changed["state_hash"][1_999] ^= np.uint64(1)
    assert hash_of_blocks(block_digests(changed)) != found.result_hash
