"""What every report page carries: its promise to load nothing, its looks, and the sorting of its tables."""

from __future__ import annotations

from typing import Final

# the browser itself holds the page to its promise: inline or nothing
POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)

# Okabe and Ito's colours, darkened or lightened until words in them can be read on their ground
STYLE: Final = """
:root { color-scheme: light dark; --ink: #1d2430; --muted: #525b69; --line: #dfe3e9; --page: #f6f7f9; --card: #fff;
  --link: #1f5584; --grid: #e3e6eb; --dungeon: #b64c00; --visitor: #0068a3; --both: #007a58; --plain: #6b7483;
  --healthy: #cfd6df; --focus: #6f9cc4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --muted: #a3acb9; --line: #363d48; --page: #15181d;
  --card: #1d2127; --link: #8cbfee; --grid: #2d333c; --dungeon: #f08c4a; --visitor: #62b4e8; --both: #3cc39a;
  --plain: #98a2b0; --healthy: #39424e; } }
@media print { :root { color-scheme: light; --ink: #000; --muted: #333; --line: #bbb; --page: #fff; --card: #fff;
  --link: #000; --grid: #ddd; --dungeon: #b64c00; --visitor: #0068a3; --both: #007a58; --plain: #6b7483;
  --healthy: #ddd; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem; }
header, main, footer { max-width: 1240px; margin: 0 auto; padding: 0 clamp(1rem, 3vw, 2rem); }
header { padding-top: 2.5rem; } footer { padding-bottom: 3rem; color: var(--muted); font-size: .9rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .25rem; } h2 { font-size: 1.5rem; margin: 0 0 .25rem; }
h3 { font-size: 1.1rem; margin: 2rem 0 .5rem; } figcaption h3 { margin: 0; }
a { color: var(--link); } p { margin: .25rem 0 .75rem; } code { font-size: .9em; }
a:focus-visible, summary:focus-visible, button:focus-visible, .scroll:focus-visible { outline: 3px solid var(--focus); }
.quiet { color: var(--muted); } section, nav { margin: 2rem 0 3rem; }
section { border-top: 2px solid var(--ink); padding-top: 1.5rem; }
.card, figure { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem; margin: 0;
  min-width: 0; }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1rem; }
figcaption p { color: var(--muted); font-size: .9rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .75rem; margin: 1rem 0; }
.tiles > div { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .75rem 1rem; }
.tiles dt { color: var(--muted); font-size: .85rem; } .tiles dd { margin: 0; font-size: .85rem; }
.tiles .value { font-size: 1.5rem; font-weight: 650; line-height: 1.3; font-variant-numeric: tabular-nums; }
.tiles .dungeon, .side.dungeon { color: var(--dungeon); } .tiles .visitor, .side.visitor { color: var(--visitor); }
.scroll { overflow-x: auto; } summary { color: var(--link); cursor: pointer; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .9rem; }
caption { text-align: left; color: var(--muted); padding-bottom: .4rem; }
th, td { text-align: right; padding: .34rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
thead th { white-space: normal; color: var(--muted); font-weight: 600; vertical-align: bottom; }
th:first-child, .words { text-align: left; } tbody th { font-weight: 600; } td .quiet { font-size: .85em; }
th button { font: inherit; text-align: inherit; color: inherit; background: none; border: 0; padding: 0;
  cursor: pointer; }
th[aria-sort] button::after { content: " ▲"; } th[aria-sort=descending] button::after { content: " ▼"; }
svg { display: block; width: 100%; height: auto; max-width: 640px; margin: 0 auto; }
svg text { font-size: 13px; fill: var(--ink); } svg text.quiet { fill: var(--muted); font-size: 12px; }
svg text.small { font-size: 11px; } svg text.name { font-weight: 600; }
svg.mark { width: 130px; display: inline-block; vertical-align: middle; }
.axis { stroke: var(--muted); } .grid line.grid, line.grid { stroke: var(--grid); }
.whisker { stroke: var(--ink); stroke-width: 1.4; }
.dungeon { fill: var(--dungeon); } .visitor { fill: var(--visitor); } .both, .good { fill: var(--both); }
.sentence { white-space: normal; min-width: 14rem; font-size: .85rem; }
.verdict { font-weight: 600; } .verdict.healthy { color: var(--both); fill: none; }
.verdict.low, .verdict.high { color: var(--dungeon); }
.bad { fill: var(--dungeon); } .plain { fill: var(--plain); } .healthy, .strip { fill: var(--healthy); }
svg text.dungeon { fill: var(--dungeon); } svg text.visitor { fill: var(--visitor); }
.band { fill-opacity: .16; } .curve { fill: none; stroke-width: 2.4; stroke-linejoin: round; }
.curve.dungeon { stroke: var(--dungeon); } .curve.visitor { stroke: var(--visitor); stroke-dasharray: 7 4; }
.curve.solid { stroke-dasharray: none; } .thin { fill: none; stroke: var(--plain); stroke-width: 1.2; }
.stroke { stroke-width: 2; } .stroke.good { stroke: var(--both); } .stroke.bad { stroke: var(--dungeon); }
.stroke.plain { stroke: var(--plain); }
.story { margin: .5rem 0; } .story p { margin: 0; font-size: .9rem; }
.story .room { font-weight: 700; margin-top: 1rem; }
.story .round { font-weight: 650; margin-top: .6rem; } .story .turn { margin-left: 1rem; color: var(--muted); }
.story .deed { margin-left: 2rem; }
@media print { figure, .card, tr { break-inside: avoid; } .card { border: 0; padding: 0; } }
"""

SCRIPT: Final = """
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") !== "descending";
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = row => { const value = row.cells[column].dataset.sort; return isNaN(value) ? value : Number(value); };
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) * (down ? -1 : 1));
    table.tBodies[0].append(...rows);
  }));
}
const show = () => {
  const chosen = document.getElementById(location.hash.slice(1));
  if (chosen?.tagName === "DETAILS") chosen.open = true;
};
addEventListener("hashchange", show);
show();
"""
