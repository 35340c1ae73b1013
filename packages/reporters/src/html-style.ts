/** Two palettes, one layout. Every pair of text and ground has a contrast of at least 4.5 to 1; colour never speaks alone. */
export const style = `
:root {
  --ground: #f6f7f9; --paper: #ffffff; --ink: #1a1d23; --soft: #57606d; --line: #dfe3e8; --well: #f1f3f6;
  --link: #0b5cad; --fail: #b3261e; --warn: #8a5300; --pass: #1c6b3c; --held: #7b3fa0; --idle: #57606d;
  --fail-bar: #d8433a; --warn-bar: #e0a030; --pass-bar: #3f9d66; --held-bar: #a673c9; --error-bar: #5c6470; --idle-bar: #c3c9d2; --none-bar: #e3e6eb;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171c; --paper: #1c2026; --ink: #e7eaee; --soft: #a3acb8; --line: #323943; --well: #15181d;
    --link: #7db8f5; --fail: #ff8a80; --warn: #f0b95a; --pass: #7fd09d; --held: #cfa5ea; --idle: #a3acb8;
    --fail-bar: #e25c52; --warn-bar: #d99a2b; --pass-bar: #3f9d66; --held-bar: #9a63c0; --error-bar: #8d96a3; --idle-bar: #4a525e; --none-bar: #2d333c;
  }
}
* { box-sizing: border-box; }
html { background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; }
main, footer { max-width: 64rem; margin: 0 auto; padding: 0 1.5rem; }
h1, h2, h3, h4, h5, p, dl, dd, ul, pre, table, fieldset { margin: 0; }
h1, h2, h3, h4, h5, p, li, dd, td, th { overflow-wrap: anywhere; }
ul { padding: 0; list-style: none; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible, pre:focus-visible, input:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.finding h3 code { font-size: .92em; }
.mono, code, pre { font-family: var(--mono); font-size: .84em; }
small { color: var(--soft); font-size: .86em; font-weight: 400; }

header { padding: 3rem 0 .5rem; }
.kicker { color: var(--soft); font-size: .8rem; font-weight: 600; letter-spacing: .08em; text-transform: uppercase; }
h1 { font-size: 2.1rem; line-height: 1.2; letter-spacing: -.015em; margin-top: .25rem; }
.version { color: var(--soft); font-weight: 400; }
.url { color: var(--soft); margin-top: .25rem; }
.answer { --tone: var(--idle); margin-top: 1.5rem; padding: 1.1rem 1.4rem 1.2rem; background: var(--paper); border: 1px solid var(--line); border-left: .4rem solid var(--tone); border-radius: .5rem; }
.answer .outcome { color: var(--tone); font-size: 1.6rem; font-weight: 700; line-height: 1.25; }
.answer .because { font-size: 1.1rem; font-weight: 600; }
.answer .reason { color: var(--soft); }
.conformant { --tone: var(--pass); }
.inconclusive { --tone: var(--warn); }
.not-conformant { --tone: var(--fail); }

.bar { display: flex; gap: 2px; height: .7rem; margin-top: 1.4rem; border-radius: .35rem; overflow: hidden; }
.bar span { flex-basis: 4px; background: var(--swatch); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.3rem; margin-top: .6rem; font-size: .9rem; color: var(--soft); }
.legend b { color: var(--ink); }
.legend li::before { content: ""; display: inline-block; width: .65em; height: .65em; margin-right: .45em; border-radius: .15em; background: var(--swatch); }
.bar .fail, .legend .fail { --swatch: var(--fail-bar); }
.bar .blocked, .legend .blocked { --swatch: var(--held-bar); }
.bar .error, .legend .error { --swatch: var(--error-bar); }
.bar .pass, .legend .pass { --swatch: var(--pass-bar); }
.bar .not-examined, .legend .not-examined { --swatch: var(--idle-bar); }
.bar .not-applicable, .legend .not-applicable { --swatch: var(--none-bar); }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: .6rem 1.5rem; margin-top: 1.4rem; font-size: .9rem; }
.facts dt { color: var(--soft); font-size: .8rem; }

section { margin-top: 2.6rem; }
h2 { font-size: 1.25rem; letter-spacing: -.01em; margin-bottom: .8rem; }
.finding { margin-top: .9rem; padding: 1.1rem 1.4rem 1.2rem; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; }
.finding h3 { font-size: 1.08rem; line-height: 1.4; }
.finding .number { color: var(--fail); margin-right: .3rem; font-variant-numeric: tabular-nums; }
.finding.warning h3::before { content: "!"; color: var(--warn); margin-right: .5rem; }
.meta { display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem .7rem; margin-top: .3rem; color: var(--soft); font-size: .86rem; }
.meta .id { color: var(--ink); }
.chip { padding: 0 .55em; background: var(--well); border: 1px solid var(--line); border-radius: 1em; color: var(--ink); }
.finding .title { margin-top: .5rem; color: var(--soft); font-size: .92rem; }
.proof { display: grid; gap: .45rem; margin-top: .8rem; }
.proof > div { display: grid; grid-template-columns: 3.6rem minmax(0, 1fr); gap: .8rem; }
.proof dt { color: var(--soft); font-size: .88rem; }
.proof dd.mono { padding: .3rem .6rem; background: var(--well); border-radius: .3rem; font-size: .82rem; }
.evidence { margin-top: .9rem; }
.evidence summary { color: var(--link); cursor: pointer; font-size: .9rem; }
.evidence > p { margin-top: .5rem; font-size: .9rem; }
.exchange { margin-top: .9rem; padding-top: .9rem; border-top: 1px solid var(--line); }
.exchange h4 { font-size: .95rem; font-weight: 600; }
.exchange h4 small { display: block; }
.sides { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .8rem; margin-top: .5rem; }
.sides h5 { color: var(--soft); font-size: .8rem; font-weight: 400; }
pre { max-height: 24rem; overflow: auto; padding: .7rem .8rem; background: var(--well); border-radius: .3rem; font-size: .78rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; }
.lines li { padding: .5rem 0; border-top: 1px solid var(--line); }
.lines li:last-child { border-bottom: 1px solid var(--line); }

table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { padding: .5rem .7rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { color: var(--soft); font-size: .8rem; font-weight: 600; border-top: 0; }
tbody th { font-weight: 400; white-space: nowrap; }
tbody th a { text-decoration-color: var(--line); }
td small, th small { display: block; }
.reasons .count { font-weight: 600; font-variant-numeric: tabular-nums; }
.reasons { background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; border-collapse: separate; border-spacing: 0; }
.filter { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; padding: 0; border: 0; font-size: .9rem; }
.filter legend { float: left; margin-right: 1.1rem; padding: 0; color: var(--soft); }
.filter label { display: inline-flex; align-items: center; gap: .35rem; cursor: pointer; }
.filter input { margin: 0; accent-color: var(--link); }
.category { margin-top: .8rem; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; overflow: hidden; }
.category summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .9rem; padding: .7rem 1rem; cursor: pointer; }
.category summary::before { content: "▸"; color: var(--soft); }
.category[open] summary::before { content: "▾"; }
.category summary::-webkit-details-marker { display: none; }
.category h3 { font-size: 1rem; }
.tally { color: var(--soft); font-size: .86rem; }
.tally .fail { color: var(--fail); }
.category td:first-child, .category thead th:first-child { width: 9.5rem; padding-left: 1rem; }
.category th[scope="row"], .category thead th:nth-child(2) { width: 9rem; }
.category td:nth-child(3), .category thead th:nth-child(3) { width: 8rem; }
.verdict { font-weight: 600; white-space: nowrap; color: var(--idle); }
.verdict::before { display: inline-block; width: 1.2em; content: "·"; }
.verdict.pass { color: var(--pass); } .verdict.pass::before { content: "✓"; }
.verdict.fail { color: var(--fail); } .verdict.fail::before { content: "✗"; }
.verdict.blocked { color: var(--held); } .verdict.blocked::before { content: "⊘"; }
.verdict.error::before { content: "?"; }
.warning .verdict.pass { color: var(--warn); } .warning .verdict.pass::before { content: "!"; }
.results:has(#show-fail:checked) tbody tr:not(.fail),
.results:has(#show-warning:checked) tbody tr:not(.warning),
.results:has(#show-skip:checked) tbody tr:not(.skip),
.results:has(#show-pass:checked) tbody tr:not(.pass) { display: none; }
.results:has(#show-fail:checked) .category:not(:has(tr.fail)),
.results:has(#show-warning:checked) .category:not(:has(tr.warning)),
.results:has(#show-skip:checked) .category:not(:has(tr.skip)),
.results:has(#show-pass:checked) .category:not(:has(tr.pass)) { display: none; }
footer { margin-top: 3rem; padding-bottom: 3rem; color: var(--soft); font-size: .84rem; }

@media (max-width: 44rem) {
  main, footer { padding: 0 1rem; }
  header { padding-top: 1.6rem; }
  h1 { font-size: 1.6rem; }
  .answer, .finding { padding: .9rem 1rem 1rem; }
  .sides, .proof > div { grid-template-columns: minmax(0, 1fr); }
  .proof > div { gap: .1rem; }
  .results thead, .reasons thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .results tr, .reasons tr { display: grid; grid-template-columns: 1fr auto; gap: 0 .8rem; padding: .6rem 1rem; border-top: 1px solid var(--line); }
  .results td, .results th, .reasons td { display: block; padding: 0; border: 0; width: auto !important; }
  .results td:first-child { grid-area: 1 / 1; padding-left: 0; }
  .results tbody th { grid-area: 1 / 2; }
  .results td:nth-child(3) { grid-area: 2 / 1 / 2 / 3; color: var(--soft); font-size: .86em; }
  .results td:nth-child(4) { grid-area: 3 / 1 / 3 / 3; }
  .reasons tr { grid-template-columns: 2.4rem 1fr; }
  .reasons tr:first-child { border-top: 0; }
  .reasons td:nth-child(3) { grid-column: 2; }
}
@media print {
  html { background: none; }
  .filter { display: none; }
  .finding, tr { break-inside: avoid; }
}
`;
