import { base, exchanges } from "@assay/reporters/look";

/** The layout of the site, on top of what all pages have in common. */
export const style = `${base}${exchanges}
body > header, main, footer { max-width: 100rem; margin: 0 auto; padding: 0 1.5rem; }
body > header { padding-top: 2.2rem; }
.kicker { color: var(--soft); font-size: .8rem; font-weight: 600; letter-spacing: .06em; text-transform: uppercase; }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -.015em; margin-top: .25rem; }
h1.long { font-size: 1.5rem; max-width: 60rem; }
h2 small, h3 small { margin-left: .5rem; font-size: .9rem; letter-spacing: 0; }
h3 { font-size: 1.05rem; }
section { margin-top: 2.2rem; }
.version { color: var(--soft); font-weight: 400; }
.packages { display: flex; flex-wrap: wrap; gap: .2rem 1.6rem; margin-top: .4rem; }
.packages small { margin-left: .2rem; }
.outcome { margin-top: .5rem; font-size: 1.2rem; font-weight: 600; }
.explained { max-width: 60rem; }
.answer { margin-top: 1.2rem; padding: 1rem 1.4rem 1.1rem; }
.answer .outcome { margin: 0; font-size: 1.6rem; font-weight: 700; }
.answer .more { margin-top: .5rem; }
.worse { color: var(--fail); }
.bar { display: flex; gap: 2px; height: .7rem; margin-top: 1rem; border-radius: .35rem; overflow: hidden; }
.bar span { flex-basis: 0; background: var(--swatch); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.3rem; margin-top: .6rem; font-size: .9rem; color: var(--soft); }
.legend b { color: var(--ink); }
.legend li::before { content: ""; display: inline-block; width: .65em; height: .65em; margin-right: .45em; border-radius: .15em; background: var(--swatch); }
.bar .passed, .legend .passed { --swatch: var(--pass-fill); }
.bar .client, .legend .client, .bar .server, .legend .server { --swatch: var(--fail-fill); }
.bar .server, .legend .server { --swatch: color-mix(in srgb, var(--fail-fill) 62%, var(--ink)); }
.bar .both, .legend .both { --swatch: var(--held-fill); }
.bar .specification, .legend .specification { --swatch: var(--error-fill); }
.bar .unclear, .legend .unclear { --swatch: var(--idle-fill); }

.filters:not([hidden]) { display: flex; flex-wrap: wrap; align-items: end; gap: .6rem 1rem; margin-top: 1.6rem; padding: .8rem 1rem; font-size: .88rem; }
.filters label > span { display: block; color: var(--soft); font-size: .8rem; }
.filters .check { display: inline-flex; align-items: center; gap: .4rem; padding: .3rem 0; }
.filters input { margin: 0; accent-color: var(--link); }
.filters output { color: var(--soft); padding: .3rem 0; margin-left: auto; }
select, button { max-width: 15rem; padding: .3rem .5rem; font: inherit; font-size: .88rem; color: var(--ink); background: var(--ground); border: 1px solid var(--soft); border-radius: .3rem; }
button { cursor: pointer; }

.wires { display: flex; flex-wrap: wrap; gap: 0 2.5rem; }
.wires > section { max-width: 100%; }
.wires > section[hidden] { display: none; }
.scroll { position: relative; overflow-x: auto; max-width: 100%; }
.wire h2, section > h3 { scroll-margin-top: 1rem; }
section > h3 { margin: 1.2rem 0 .5rem; }
table.panel { border-collapse: separate; border-spacing: 0; }
.pairs { width: auto; min-width: 28rem; }
.pairs th, .pairs td { border-left: 1px solid var(--line); }
.pairs tr > :first-child { border-left: 0; position: sticky; left: 0; background: var(--paper); z-index: 1; }
.pairs tr:first-child > :first-child { border-top-left-radius: var(--corner); } .pairs tr:last-child > :first-child { border-bottom-left-radius: var(--corner); }
.pairs th { color: var(--ink); font-size: .84rem; font-weight: 600; white-space: nowrap; }
.pairs th small { font-weight: 400; font-size: .78rem; }
.pairs .axis { color: var(--soft); font-weight: 400; }
.pairs td { padding: 0; min-width: 5.4rem; background: var(--tint, transparent); }
.pairs td > a, .pairs td > span:not(.away) { display: block; padding: .55rem .7rem; color: var(--ink); text-decoration: none; font-variant-numeric: tabular-nums; white-space: nowrap; }
.pairs td small { white-space: normal; }
.pairs td > a:hover span { text-decoration: underline; }
.pairs td b, .grid td b, .key b { color: var(--tone, var(--idle)); }
.all, .grid .passed { --tone: var(--pass); --tint: color-mix(in srgb, var(--pass-fill) 14%, var(--paper)); }
.most { --tone: var(--warn); --tint: color-mix(in srgb, var(--warn) 10%, var(--paper)); }
.some { --tone: var(--fail); --tint: color-mix(in srgb, var(--fail-fill) 11%, var(--paper)); }
.none, .grid .failed { --tone: var(--fail); --tint: color-mix(in srgb, var(--fail-fill) 20%, var(--paper)); }
.grid .blocked { --tone: var(--held); --tint: color-mix(in srgb, var(--held-fill) 16%, var(--paper)); }
td.unsupported, .grid td.unsupported { background: repeating-linear-gradient(135deg, var(--none-fill) 0 .18rem, transparent .18rem .5rem); }
.grid td.unsupported > span { padding: 0 .3em; background: var(--paper); border-radius: .2rem; }
.nobody { background: var(--well); }
.key { margin-top: .8rem; color: var(--soft); font-size: .86rem; }

.causes { display: grid; gap: .5rem; }
.cause { padding: .6rem 1rem .65rem; }
.cause[hidden] { display: none; }
.cause > a { display: grid; grid-template-columns: 3rem minmax(0, 1fr); gap: .4rem; color: var(--ink); text-decoration: none; }
.cause > a:hover .what { text-decoration: underline; text-underline-offset: .2em; }
.count { color: var(--fail); font-variant-numeric: tabular-nums; }
.meta { display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem .7rem; margin-top: .2rem; color: var(--soft); font-size: .86rem; }
.cause .meta { padding-left: 3.4rem; }
.whose { color: var(--fail); } .whose.specification, .whose.unclear { color: var(--idle); } .whose.both { color: var(--held); }

.grid th[scope="row"] { font-weight: 600; white-space: normal; min-width: 13rem; }
.grid th, .grid td { padding-top: .35rem; padding-bottom: .35rem; }
.grid th small { display: inline; margin-left: .5rem; font-weight: 400; }
.grid td { min-width: 7.5rem; background: var(--tint, transparent); font-size: .88rem; }
.grid td a { display: block; color: var(--ink); text-decoration: none; }
.grid td a:hover { text-decoration: underline; text-underline-offset: .2em; }
.grid td small { color: var(--soft); }
.grid td.failed small, .grid td.blocked small { color: var(--ink); }

.finding { margin-top: .7rem; }
.finding > :not(summary) { margin-left: 1.4rem; margin-right: 1.4rem; margin-top: .7rem; }
.finding > :last-child:not(summary) { margin-bottom: 1.2rem; }
.finding > summary { display: block; padding: .7rem 1.4rem; border-radius: var(--corner); }
.finding > summary::-webkit-details-marker { display: none; }
.finding h3 { display: flex; gap: .6rem; font-size: 1rem; }
.finding h3::after { content: "▸"; margin-left: auto; color: var(--soft); font-weight: 400; }
.finding[open] > summary h3::after { content: "▾"; }
.finding:target { outline: 2px solid var(--link); }
.sign { color: var(--fail); } .sign.blocked { color: var(--held); }
.note { color: var(--soft); }
.reasons { display: grid; gap: .4rem; margin-top: .6rem; max-width: 66rem; }
.reasons li { padding-left: .9rem; border-left: 3px solid var(--line); }
.reasons small { display: block; }
.issue { max-height: 40rem; }
.lines li { padding: .4rem 0; border-top: 1px solid var(--line); font-size: .92rem; }
.lines li:last-child { border-bottom: 1px solid var(--line); }
.change { margin-top: .5rem; }
.change.broken > summary b { color: var(--fail); } .change.fixed > summary b { color: var(--pass); }
footer { margin-top: 3rem; padding-bottom: 3rem; color: var(--soft); font-size: .84rem; }

@media (max-width: 44rem) {
  body > header, main, footer { padding-left: 1rem; padding-right: 1rem; }
  body > header { padding-top: 1.4rem; }
  h1 { font-size: 1.5rem; }
  .filters:not([hidden]) { display: grid; grid-template-columns: 1fr 1fr; align-items: center; }
  .filters select { width: 100%; max-width: none; }
  .finding > summary { padding: .7rem 1rem; }
  .finding > :not(summary) { margin-left: 1rem; margin-right: 1rem; }
  .cause > a { grid-template-columns: 2.2rem minmax(0, 1fr); }
  .cause .meta { padding-left: 2.6rem; }
  .grid th[scope="row"] { min-width: 9rem; }
  .grid th small { display: block; margin: 0; }
}
@media print {
  html { background: none; }
  .filters, .skip, button { display: none !important; }
  tr { break-inside: avoid; }
}
`;
