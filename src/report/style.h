// How the page looks: its style sheet.
#pragma once

#include <string_view>

namespace vyre::report {

// Colours first, for both schemes; all else refers to them.
inline constexpr std::string_view style_sheet = R"css(:root {
  --paper: #fcfcfb; --card: #f3f4f2; --ink: #1d2126; --soft: #59616b; --rule: #dcdfe2;
  --tuned: #0a5fb4; --tuned-soft: #d5e5f6; --default: #9a4d00; --fail: #b3261e; --dot: #7b8794;
  --bar: #a9b6c4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --card: #1d2227; --ink: #e7eaee; --soft: #a0a9b4; --rule: #343b43;
    --tuned: #77b7ff; --tuned-soft: #1e3a58; --default: #f2a65a; --fail: #ff8f85; --dot: #7d8996;
    --bar: #4d5a68;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 2.5rem 1.25rem 5rem; max-width: 65rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans",
  "DejaVu Sans", sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; letter-spacing: -0.015em; }
h2 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 0.25rem; letter-spacing: -0.01em; }
h3 { font-size: 1rem; margin: 2.25rem 0 0.5rem; }
h4 { font-size: 0.9rem; margin: 0; font-weight: 600; display: flex; gap: 0.5rem;
  justify-content: space-between; }
small { font-size: 0.8em; color: var(--soft); font-weight: 400; }
a { color: var(--tuned); text-underline-offset: 0.15em; }
dl, dd, dt, figure { margin: 0; }
section { margin-top: 4rem; padding-top: 2.25rem; border-top: 1px solid var(--rule); }
header { margin-bottom: 2.5rem; }
.note, figcaption, .keys { color: var(--soft); font-size: 0.85rem; margin: 0.25rem 0 0.75rem; }

.about { display: flex; flex-wrap: wrap; gap: 0.5rem 2.25rem; font-size: 0.9rem; }
.about dt, .figures dt { color: var(--soft); font-size: 0.8rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 0.75rem;
  margin-top: 1.25rem; }
.figures div { background: var(--card); border-radius: 0.5rem; padding: 0.8rem 1rem; }
.figures dd { font-size: 1.5rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
.figures dd + dd { font-size: 0.8rem; color: var(--soft); }
.figures .speedup dd:first-of-type { color: var(--tuned); font-weight: 700; }
.verdict { border-left: 4px solid var(--default); padding: 0.3rem 0.9rem; margin: 1rem 0; }

.chips { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.5rem; }
.chips li { border: 1px solid var(--rule); border-radius: 0.5rem; padding: 0.25rem 0.7rem;
  font-size: 0.9rem; color: var(--soft); }
.chips .changed { border-color: var(--tuned); background: var(--tuned-soft); color: var(--ink); }
.chips .changed small { color: var(--ink); }
.chips small { display: block; }

.wide { overflow-x: auto; margin: 0.75rem 0; }
table { border-collapse: collapse; font-size: 0.9rem; min-width: 100%; }
th, td { text-align: left; padding: 0.5rem 0.7rem; border-bottom: 1px solid var(--rule);
  white-space: nowrap; vertical-align: top; }
th:first-child, td:first-child { padding-left: 0; }
thead th { color: var(--soft); font-size: 0.8rem; font-weight: 500; vertical-align: bottom; }
tbody th { font-weight: 600; white-space: normal; min-width: 6.5rem; max-width: 16rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
td small { display: block; }
.drawing { padding-top: 0.45rem; padding-bottom: 0.35rem; width: 14rem; }
.drawing svg { display: block; width: 13rem; }
.badge { border: 1px solid currentColor; border-radius: 1rem; padding: 0.05rem 0.55rem;
  font-size: 0.75rem; font-weight: 600; color: var(--default); margin-right: 0.5rem; }
.badge.won { color: var(--tuned); }

.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr));
  gap: 0 2rem; }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr));
  gap: 1.5rem 1.75rem; margin: 1rem 0; }
.plot, .panel { min-width: 0; }
.plot svg, .panel svg { display: block; width: 100%; height: auto; overflow: visible; }
.plot .key svg, .key svg { display: inline-block; width: 18px; height: 12px; margin-right: 0.35rem;
  vertical-align: -0.1em; }
.key { display: inline-block; margin-right: 0.9rem; white-space: nowrap; }
.fail-text { margin-right: 0.35rem; color: var(--fail); }

text { font-size: 12px; fill: var(--ink); }
.tick { fill: var(--soft); }
.tick.tuned { fill: var(--tuned); font-weight: 700; }
.label { font-weight: 600; paint-order: stroke; stroke: var(--paper) !important; stroke-width: 4px;
  stroke-dasharray: none !important; stroke-linejoin: round; }
.grid { stroke: var(--rule); stroke-width: 1; }
.edge { stroke: var(--soft); stroke-width: 1; }
.dot { fill: var(--dot); fill-opacity: 0.75; }
.dots { stroke: var(--dot); stroke-opacity: 0.7; stroke-width: 5; stroke-linecap: round; fill: none; }
.dots.many { stroke-width: 3; }
.dots.strong { stroke: var(--tuned); stroke-opacity: 1; stroke-width: 7; }
.best { stroke: var(--tuned); stroke-width: 2; fill: none; }
text.best { fill: var(--tuned); }
.better { fill: var(--tuned); stroke: var(--paper); stroke-width: 1; }
.winner { fill: var(--paper); stroke: var(--tuned); stroke-width: 2.5; }
.original { stroke: var(--default); stroke-width: 2; stroke-dasharray: 6 4; }
text.original { fill: var(--default); }
.fail { stroke: var(--fail); stroke-width: 1.5; fill: none; stroke-linejoin: round; }
.fail-count { fill: var(--fail); font-weight: 600; }
.bar { fill: var(--bar); }
.bar:hover { fill: var(--tuned); }
.band { fill: var(--tuned-soft); }
.median { stroke: var(--ink); stroke-width: 2; fill: none; }
.ratio.won { fill: var(--tuned); fill-opacity: 0.35; }
.ratio.even { fill: var(--bar); }
.one { stroke: var(--soft); stroke-width: 1; }
.whisker { stroke: var(--soft); stroke-width: 1.5; }
.whisker.won { stroke: var(--tuned); }
.whisker.strong { stroke: var(--ink); }
.point { fill: var(--paper); stroke: var(--soft); stroke-width: 2; }
.point.won { fill: var(--tuned); stroke: var(--tuned); }

.kinds { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr));
  gap: 1.25rem 2rem; }
.failure { min-width: 0; }
.failure p { margin: 0 0 0.3rem; }
.failure .key { font-size: 0.95rem; }
.track { height: 0.6rem; background: var(--card); border-radius: 0.3rem; }
.track i { display: block; height: 100%; background: var(--fail); border-radius: 0.3rem; }
.failure ul { list-style: none; margin: 0.4rem 0 0; padding: 0; font-size: 0.85rem; }
.failure li { margin: 0.15rem 0; display: flex; }
.failure li span { color: var(--soft); flex: 0 0 2.5rem; }
code { font: 0.95em ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }

@media (max-width: 40rem) {
  body { padding: 1.5rem 1rem 3rem; }
  section { margin-top: 2.75rem; padding-top: 1.75rem; }
  .figures { grid-template-columns: 1fr 1fr; }
  .plot text { font-size: 15px; }
  th, td { padding: 0.45rem 0.5rem; }
  .drawing { width: 8rem; }
  .drawing svg { width: 7.5rem; }
  .drawing text { font-size: 17px; }
}
@media print {
  figure, .panel, .failure, tr { break-inside: avoid; }
}
)css";

}  // namespace vyre::report
