import { base } from "../look/base.ts";
import { exchanges } from "../look/exchanges.ts";

/** The layout of a report, on top of what all pages have in common. */
export const style = `${base}${exchanges}
body > header, .columns, footer { max-width: 86rem; margin: 0 auto; padding: 0 1.5rem; }
body > header { padding-top: 2.6rem; }
.kicker { color: var(--soft); font-size: .8rem; font-weight: 600; letter-spacing: .08em; text-transform: uppercase; }
h1 { font-size: 2.1rem; line-height: 1.2; letter-spacing: -.015em; margin-top: .25rem; }
.version { color: var(--soft); font-weight: 400; }
.url { color: var(--soft); margin-top: .25rem; }
.answer { --tone: var(--idle); margin-top: 1.4rem; padding: 1.1rem 1.4rem 1.2rem; border-left: .4rem solid var(--tone); }
.answer .outcome { color: var(--tone); font-size: 1.6rem; font-weight: 700; line-height: 1.25; }
.answer .because { font-size: 1.1rem; font-weight: 600; }
.answer .reason { color: var(--soft); max-width: 60rem; }
.conformant { --tone: var(--pass); }
.inconclusive { --tone: var(--warn); }
.not-conformant { --tone: var(--fail); }

.bar { display: flex; gap: 2px; height: .7rem; margin-top: 1.4rem; border-radius: .35rem; overflow: hidden; }
.bar span { flex-basis: 4px; background: var(--swatch); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.3rem; margin-top: .6rem; font-size: .9rem; color: var(--soft); }
.legend b { color: var(--ink); }
.legend li::before { content: ""; display: inline-block; width: .65em; height: .65em; margin-right: .45em; border-radius: .15em; background: var(--swatch); }
.bar .fail, .legend .fail { --swatch: var(--fail-fill); }
.bar .blocked, .legend .blocked { --swatch: var(--held-fill); }
.bar .error, .legend .error { --swatch: var(--error-fill); }
.bar .pass, .legend .pass { --swatch: var(--pass-fill); }
.bar .not-examined, .legend .not-examined { --swatch: var(--idle-fill); }
.bar .not-applicable, .legend .not-applicable { --swatch: var(--none-fill); }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: .6rem 1.5rem; margin-top: 1.4rem; font-size: .9rem; }
.facts dt { color: var(--soft); font-size: .8rem; }

.columns { display: grid; grid-template-columns: 19rem minmax(0, 1fr); gap: 0 2.5rem; align-items: start; margin-top: 2.4rem; }
.columns > main:first-child { grid-column: 1 / -1; }
nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: .3rem 0 1.5rem; font-size: .9rem; }
nav h2 { font-size: 1rem; margin-bottom: 0; }
nav h3 { margin: .9rem 0 .2rem; color: var(--soft); font-size: .78rem; font-weight: 600; letter-spacing: .04em; text-transform: uppercase; }
nav ol a { display: grid; grid-template-columns: 1.9rem minmax(0, 1fr); }
nav .what { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
nav ol small { grid-column: 2; }
nav li a { padding: .3rem .5rem; margin-left: -.5rem; border-radius: .3rem; color: inherit; text-decoration: none; line-height: 1.4; }
nav li a:hover { background: var(--paper); }
nav .parts { margin-top: 1rem; border-top: 1px solid var(--line); padding-top: .6rem; }
nav .parts a { color: var(--link); display: block; }
.number { flex: none; color: var(--fail); font-weight: 600; font-variant-numeric: tabular-nums; }
.warning .number { color: var(--warn); }

section { margin-top: 2.4rem; }
.filters { display: grid; gap: .35rem; padding: .7rem 1rem; font-size: .88rem; }
.filters fieldset { display: flex; flex-wrap: wrap; gap: .4rem 1.1rem; padding: 0; border: 0; }
.filters legend { float: left; width: 3.2rem; padding: 0; color: var(--soft); }
.filters label { display: inline-flex; align-items: center; gap: .35rem; cursor: pointer; }
.filters input { margin: 0; accent-color: var(--link); }
.filters input[type="search"] { width: 14rem; max-width: 100%; padding: .2rem .5rem; font: inherit; color: var(--ink); background: var(--ground); border: 1px solid var(--soft); border-radius: .3rem; }
.by-rule:not([hidden]) { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem 1.1rem; color: var(--soft); }
.by-rule label > span { width: 3.95rem; }
.by-rule ::placeholder { color: var(--soft); opacity: 1; }
.unmatched { display: none; }

.finding { margin-top: .8rem; }
.finding > :not(summary) { margin-left: 1.4rem; margin-right: 1.4rem; }
.finding > :last-child:not(summary) { margin-bottom: 1.2rem; }
.finding > summary { display: block; padding: .8rem 1.4rem; border-radius: var(--corner); }
.finding > summary:hover h3 { text-decoration: underline; text-decoration-color: var(--line); text-underline-offset: .2em; }
.finding > summary::-webkit-details-marker { display: none; }
.finding h3 { display: flex; gap: .7rem; font-size: 1.05rem; line-height: 1.4; }
.finding h3::after { content: "▸"; margin-left: auto; padding-left: 1rem; color: var(--soft); font-weight: 400; }
.finding[open] > summary h3::after { content: "▾"; }
.finding h3 code { font-size: .92em; }
.finding:target { outline: 2px solid var(--link); }
.meta { display: flex; flex-wrap: wrap; align-items: baseline; gap: .3rem .6rem; margin-top: .35rem; color: var(--soft); font-size: .86rem; }
.meta .id { color: var(--ink); }
.chip.grave { color: var(--fail); } .chip.held { color: var(--held); }
.finding .title { color: var(--soft); font-size: .92rem; }
.finding .fix { display: block; margin-top: .3rem; color: var(--soft); font-size: .92rem; }
.finding[open] > summary .fix { display: none; }
.proof { display: grid; gap: .45rem; margin-top: .8rem; }
.proof > div { display: grid; grid-template-columns: 5.2rem minmax(0, 1fr); gap: .8rem; }
.proof dt { color: var(--soft); font-size: .88rem; }
.proof dd.mono { padding: .3rem .6rem; background: var(--well); border-radius: .3rem; font-size: .82rem; }
.evidence, .more { margin-top: .8rem; }
.evidence > summary, .more > summary { color: var(--link); font-size: .9rem; }
.evidence > p { margin-top: .5rem; font-size: .9rem; }
.lines li { padding: .45rem 0; border-top: 1px solid var(--line); font-size: .92rem; }
.lines li:last-child { border-bottom: 1px solid var(--line); }

.reasons thead th { white-space: nowrap; }
.reasons .count { font-weight: 600; font-variant-numeric: tabular-nums; }
.reasons { border-collapse: separate; border-spacing: 0; }
tbody th a { text-decoration-color: var(--line); }
.category { margin-top: .8rem; overflow: hidden; }
.category > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .9rem; padding: .7rem 1rem; }
.category > summary::before { content: "▸"; color: var(--soft); }
.category[open] > summary::before { content: "▾"; }
.category > summary::-webkit-details-marker { display: none; }
.category h3 { font-size: 1rem; }
.tally { color: var(--soft); font-size: .86rem; }
.tally .fail { color: var(--fail); }
.category td:first-child, .category thead th:first-child { width: 9.5rem; padding-left: 1rem; }
.category th[scope="row"], .category thead th:nth-child(2) { width: 9rem; }
.category td:nth-child(3), .category thead th:nth-child(3) { width: 8rem; }
footer { margin-top: 3rem; padding-bottom: 3rem; color: var(--soft); font-size: .84rem; }

@media (max-width: 64rem) {
  .columns { display: block; }
  nav { position: static; max-height: none; margin-bottom: 1.6rem; }
}
@media (max-width: 44rem) {
  body > header, .columns, footer { padding-left: 1rem; padding-right: 1rem; }
  body > header { padding-top: 1.4rem; }
  h1 { font-size: 1.6rem; }
  .answer { padding: .9rem 1rem 1rem; }
  .finding > summary { padding: .8rem 1rem; }
  .finding > :not(summary) { margin-left: 1rem; margin-right: 1rem; }
  .proof > div { grid-template-columns: minmax(0, 1fr); }
  .proof > div { gap: .1rem; }
  .results thead, .reasons thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .results tr, .reasons tr { display: grid; grid-template-columns: 1fr auto; gap: 0 .8rem; padding: .6rem 1rem; border-top: 1px solid var(--line); }
  .results td, .results th, .reasons td { display: block; padding: 0; border: 0; width: auto !important; }
  .results td:first-child { grid-area: 1 / 1; padding-left: 0; }
  .results tbody th { grid-area: 1 / 2; text-align: right; }
  .results td:nth-child(3) { grid-area: 2 / 1 / 2 / 3; color: var(--soft); font-size: .86em; }
  .results td:nth-child(4) { grid-area: 3 / 1 / 3 / 3; }
  .reasons tr { grid-template-columns: 2.4rem 1fr; }
  .reasons tr:first-child { border-top: 0; }
  .reasons td:nth-child(3) { grid-column: 2; }
}
@media print {
  html { background: none; }
  nav, .filters, .skip { display: none; }
  .columns { display: block; }
  tr { break-inside: avoid; }
}
`;
