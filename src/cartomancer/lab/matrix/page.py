"""The matrix as one HTML page: a heat map, sortable tables, the rules; nothing is asked of any network.

The heat map is drawn by the page itself from one byte a cell, so that a page over 190,000 cells stays small. Every cell
names its scenario and the command that plays its first run again.
"""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from cartomancer.lab.matrix.bounds import Numbers
from cartomancer.lab.matrix.matchups import Matrix
from cartomancer.maps.report.page import POLICY, STYLE

Facts = Mapping[str, Any]

EMPTY: Final = 255
MOST_LISTED: Final = 60  # cells of a list of evidence
RULES: Final = {
    "no_domination": "No composition wins 70 % or more against every opponent",
    "good_and_bad_matchups": "Every composition has a favourable and an unfavourable matchup",
    "agency_in_lopsided_cells": "Lopsided matchups keep agency",
}
MORE_STYLE: Final = """
.verdict.open { border-left-color: #a98308; }
#heat { width: 100%; border: 1px solid var(--line); background: #fff; cursor: crosshair; image-rendering: pixelated; }
#here { min-height: 6.5em; font-variant-numeric: tabular-nums; } #here code { word-break: break-all; }
.legend { display: flex; gap: 1rem; flex-wrap: wrap; align-items: center; font-size: .9rem; color: var(--muted); }
.ramp { width: 16rem; height: .9rem; border: 1px solid var(--line); }
th button { all: unset; cursor: pointer; } th button:focus-visible { outline: 3px solid #6f9cc4; }
th[aria-sort=ascending] button::after { content: " ▲"; } th[aria-sort=descending] button::after { content: " ▼"; }
td.words { white-space: normal; }
"""
SCRIPT: Final = """
const bytes = text => Uint8Array.from(atob(text), sign => sign.charCodeAt(0));
const D = JSON.parse(document.getElementById('data').textContent);
const share = bytes(D.share), low = bytes(D.low), high = bytes(D.high), agency = bytes(D.agency);
const games = new Uint32Array(bytes(D.games).buffer), W = D.parties.length, H = D.dungeons.length;
const heat = document.getElementById('heat'), here = document.getElementById('here');
const ends = [[31, 85, 132], [255, 255, 255], [168, 74, 12]];  // party, even, dungeon: told apart by every eye
const colour = v => { const t = v / 200, k = t < .5 ? 0 : 1, f = t < .5 ? t * 2 : t * 2 - 1;
  return ends[k].map((c, i) => Math.round(c + (ends[k + 1][i] - c) * f)); };
const image = new ImageData(W, H);
for (let i = 0; i < W * H; i++) { const c = share[i] === 255 ? [226, 228, 232] : colour(share[i]);
  image.data.set([...c, 255], 4 * i); }
heat.width = W; heat.height = H; heat.getContext('2d').putImageData(image, 0, 0);
heat.style.height = Math.min(900, Math.max(240, H * Math.max(3, Math.round(1100 / W)))) + 'px';
let row = 0, column = 0;
const at = () => { const i = row * W + column, percent = v => (v / 2).toFixed(1) + ' %';
  const name = 'match:' + D.parties[column] + '/' + D.dungeons[row];
  const lines = [['Party', D.parties[column]], ['Dungeon', D.dungeons[row]]];
  if (share[i] === 255) lines.push(['', 'not played']);
  else lines.push(['Dungeon wins', percent(share[i]) + ' (' + percent(low[i]) + ' … ' + percent(high[i]) + ') of ' +
    games[i] + ' games; ' + (agency[i] / 10).toFixed(1) + ' lead changes'], ['Scenario', name],
    ['First run', 'cartomancer encounter replay ' + name + '@' + D.seed + ':0' + D.players]);
  here.replaceChildren(...lines.map(([what, text]) => { const p = document.createElement('div');
    const code = document.createElement(what === 'Scenario' || what === 'First run' ? 'code' : 'span');
    code.textContent = text; p.append(what ? what + ': ' : '', code); return p; })); };
heat.addEventListener('mousemove', e => { if (heat.dataset.held) return; const r = heat.getBoundingClientRect();
  column = Math.min(W - 1, Math.max(0, Math.floor((e.clientX - r.left) / r.width * W)));
  row = Math.min(H - 1, Math.max(0, Math.floor((e.clientY - r.top) / r.height * H))); at(); });
heat.addEventListener('click', () => { heat.dataset.held = heat.dataset.held ? '' : '1'; });
heat.addEventListener('keydown', e => { const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0],
  ArrowDown: [1, 0] }[e.key]; if (!step) return; e.preventDefault();
  row = Math.min(H - 1, Math.max(0, row + step[0])); column = Math.min(W - 1, Math.max(0, column + step[1])); at(); });
at();
for (const button of document.querySelectorAll('th button')) button.addEventListener('click', () => {
  const head = button.closest('th'), body = head.closest('table').tBodies[0], k = head.cellIndex;
  const down = head.getAttribute('aria-sort') !== 'descending';
  for (const other of head.parentNode.cells) other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
  const key = line => { const c = line.cells[k]; return c.dataset.v === undefined ? c.textContent : +c.dataset.v; };
  const sorted = [...body.rows].sort((a, b) => { const x = key(a), y = key(b);
    return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1); });
  body.append(...sorted); });
"""


def matrix_html(matrix: Matrix, facts: Facts) -> str:
    """The page of a matrix; `facts` is its summary."""
    headline = f"Matchup matrix: {len(matrix.dungeons)} dungeons, {len(matrix.parties)} parties"
    body = [
        f"<header><h1>{headline}</h1><p class='quiet'>{_head(facts)}</p></header><main>",
        *(_rule(name, facts["rules"][name]) for name in RULES),
        _heat(matrix, facts),
        _structure(facts["structure"]),
        *(_compositions(title, facts[title.lower()]) for title in ("Dungeons", "Parties")),
        "</main>",
    ]
    data = json.dumps(_data(matrix, facts)).replace("<", "\\u003c")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{headline}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}{MORE_STYLE}</style></head>'
        f'<body>{"".join(body)}<script type="application/json" id="data">{data}</script><script>{SCRIPT}</script>'
        "</body></html>\n"
    )


def _head(facts: Facts) -> str:
    players = facts["players"]
    return html.escape(
        f"{facts['cells']:,} cells, {facts['games']:,} games, seed {facts['seed']}; {players['dungeon']} plays the "
        f"dungeon, {players['visitor']} the party. A Bond is half a win for each. Intervals: {facts['intervals']}. "
        f"Result hash {facts['result_hash']}."
    )


# --- the heat map -----------------------------------------------------------------------------------------------------


def _orders(matrix: Matrix, facts: Facts) -> tuple[Numbers, Numbers]:
    """Rows from the strongest dungeon down, columns from the strongest party on."""
    ranks = [{one["name"]: k for k, one in enumerate(facts[side])} for side in ("dungeons", "parties")]
    rows = np.argsort([ranks[0][matrix.dungeon_name(int(k))] for k in matrix.dungeons], kind="stable")
    columns = np.argsort([ranks[1][matrix.party_name(int(k))] for k in matrix.parties], kind="stable")
    return rows, columns


def _data(matrix: Matrix, facts: Facts) -> dict[str, Any]:
    rows, columns = _orders(matrix, facts)
    low, high = matrix.bounds()

    def packed(values: Numbers, scale: float, most: int, kind: str) -> str:
        grid = matrix.grid(np.minimum(np.rint(values * scale), most))[rows][:, columns]
        return base64.b64encode(np.nan_to_num(grid, nan=EMPTY).astype(kind).tobytes()).decode()

    settings = matrix.settings
    seats = [("dungeon", settings.dungeon), ("visitor", settings.visitor)]
    return {
        "parties": [matrix.party_name(int(k)) for k in matrix.parties[columns]],
        "dungeons": [matrix.dungeon_name(int(k)) for k in matrix.dungeons[rows]],
        "share": packed(matrix.share, 200, 200, "u1"),
        "low": packed(low, 200, 200, "u1"),
        "high": packed(high, 200, 200, "u1"),
        "agency": packed(matrix.agency, 10, 254, "u1"),
        "games": packed(matrix.cells["games"], 1, 2**32 - 1, "<u4"),
        "seed": str(settings.seed),
        "players": "".join(f" --ai-{side} {seat}" for side, seat in seats if str(seat) != "heuristic"),
    }


def _heat(matrix: Matrix, facts: Facts) -> str:
    counts = "; ".join(f"{label}: {times:,}" for label, times in facts["bands"]["counts"].items())
    spoken = f"Heat map of the dungeon's share in {len(matrix.cells)} cells. {counts}."
    return (
        "<section><h2>Who beats whom</h2><p class='quiet'>Rows are dungeons from the strongest down, columns parties "
        "from the strongest on. Point at a cell, or move with the arrow keys; a click holds it.</p>"
        "<div class='legend'><span>the party wins</span><canvas class='ramp' role='img' aria-label='colour scale' "
        "style='background:linear-gradient(90deg,rgb(31,85,132),#fff,rgb(168,74,12))'></canvas>"
        f"<span>the dungeon wins</span><span>{html.escape(counts)}; settled: {facts['bands']['settled']:,}</span></div>"
        f"<canvas id='heat' tabindex='0' role='img' aria-label='{html.escape(spoken)}'></canvas>"
        "<div id='here' class='card' aria-live='polite'></div></section>"
    )


# --- words and tables -------------------------------------------------------------------------------------------------


def _rule(name: str, found: Facts) -> str:
    look = {"broken": "bad", "open": "open", "kept": ""}[found["verdict"]]
    return (
        f'<div class="verdict {look}"><p><strong>{RULES[name]}: {found["verdict"]}.</strong> '
        f"{html.escape(rule_words(name, found))}</p>{_evidence(name, found)}</div>"
    )


def rule_words(name: str, found: Facts) -> str:
    """What speaks for a rule's verdict, in a sentence."""
    if name == "no_domination":
        sides = [sum(one["side"] == side for one in found["dominating"]) for side in ("dungeon", "party")]
        return (
            f"{sides[0]} dungeons and {sides[1]} parties do, with every lower bound above 70 %; "
            f"{len(found['suspected'])} more would by their shares alone."
        )
    if name == "good_and_bad_matchups":
        return (
            f"{len(found['without_favourable'])} have no matchup over 55 %, {len(found['without_unfavourable'])} none "
            f"under 45 %; of {found['undecided']} more it is not certain."
        )
    return (
        f"{found['without_agency']:,} of {found['lopsided']:,} cells that a side surely wins 70 % of surely have fewer "
        f"than 1.0 lead changes a run; {found['suspected']:,} more have by their means alone."
    )


def _evidence(name: str, found: Facts) -> str:
    if name == "agency_in_lopsided_cells":
        lines = [
            f"{one['cell']}: {one['agency']:.2f} lead changes, dungeon {one['dungeon_share']:.0%}"
            for one in found["cells"]
        ]
    else:
        keys = ("dominating",) if name == "no_domination" else ("without_favourable", "without_unfavourable")
        lines = [
            f"{one['side']} {one['name']}: {one['worst']:.0%} to {one['best']:.0%} against {one['opponents']} opponents"
            for key in keys
            for one in found[key]
        ]
    if not lines:
        return ""
    more = f"<li>… and {len(lines) - MOST_LISTED} more</li>" if len(lines) > MOST_LISTED else ""
    items = "".join(f"<li>{html.escape(line)}</li>" for line in lines[:MOST_LISTED])
    return f"<details><summary>Which</summary><ul>{items}{more}</ul></details>"


def _structure(found: Facts | None) -> str:
    if found is None:
        return ""
    meta, parts = found["meta"], []
    parts.append(
        f"<p>Strength alone explains {found['transitive']:.0%} of the differences between cells (in weighted logits), "
        f"matchup {found['matchup']:.0%}, chance {found['noise']:.0%}.</p>"
    )
    for number, one in enumerate(found["components"], 1):
        if one["beyond_noise"]:
            parts.append(
                f"<p>Matchup pattern {number} ({one['share_of_rest']:.0%} of what strength leaves): "
                + html.escape(
                    f"{', '.join(one['dungeons']['positive'])} do better than their strength against "
                    f"{', '.join(one['parties']['positive'])}, worse against {', '.join(one['parties']['negative'])}."
                )
                + "</p>"
            )
    if meta["value"] is not None:
        guessed = (
            f" {meta['guessed_cells']} cells that were not played are guessed from strength."
            if meta["guessed_cells"]
            else ""
        )
        parts.append(f"<p>Well-advised players would leave the dungeon {meta['value']:.1%}.{guessed}</p>")
        rows = [
            [side, one["name"], (f"{one['weight']:.1%}", one["weight"])]
            for side in ("dungeons", "parties")
            for one in meta[side]
        ]
        parts.append(_table("What they would bring", ("side", "composition", "how often"), rows))
    return f"<section><h2>Strength, matchups, the meta</h2>{''.join(parts)}</section>"


def _compositions(title: str, found: Sequence[Facts]) -> str:
    heads = ("composition", "share", "95 % interval", "best opponent", "share there", "worst opponent", "share there")
    rows = [
        [
            one["name"],
            _percent(one["share"]["mean"]),
            "{:.1%} … {:.1%}".format(*one["share"]["interval"]),
            one["best"]["opponent"],
            _percent(one["best"]["share"]),
            one["worst"]["opponent"],
            _percent(one["worst"]["share"]),
            (f"{one['agency']:.2f}", one["agency"]),
            (f"{one['diversity']:.2f}", one["diversity"]),
        ]
        for one in found
    ]
    shown = _table(f"{len(found)} {title.lower()}; a heading sorts", (*heads, "agency", "diversity"), rows)
    return f"<section><h2>{title}</h2>{shown}</section>"


def _percent(share: float) -> tuple[str, float]:
    return f"{share:.1%}", share


def _table(caption: str, heads: Iterable[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table whose headings sort it; a value that is not text comes with the number it sorts by."""
    head = "".join(f'<th scope="col"><button>{html.escape(text)}</button></th>' for text in heads)
    lines = ["".join(_field(value, k == 0) for k, value in enumerate(row)) for row in rows]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return (
        f'<div class="scroll" tabindex="0"><table><caption>{html.escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _field(value: Any, first: bool) -> str:
    if isinstance(value, tuple):
        text, number = value
        return f'<td data-v="{number:.6g}">{html.escape(text)}</td>'
    return f'<th scope="row">{html.escape(value)}</th>' if first else f'<td class="words">{html.escape(value)}</td>'
