import { tokens } from "./tokens.ts";

/** What all pages have in common: type, spacing, links, tables, and how verdicts look. */
export const base = `${tokens}
* { box-sizing: border-box; }
html { background: var(--ground); color: var(--ink); font: 16px/1.55 var(--sans); -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; }
h1, h2, h3, h4, h5, p, dl, dd, ul, ol, pre, table, fieldset, figure { margin: 0; }
h1, h2, h3, h4, h5, p, li, dd, td, th, summary { overflow-wrap: anywhere; }
ul, ol { padding: 0; list-style: none; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: .15rem; }
code, pre, .mono { font-family: var(--mono); font-size: .84em; }
small { color: var(--soft); font-size: .86em; font-weight: 400; }
h2 { font-size: 1.25rem; letter-spacing: -.01em; margin-bottom: .8rem; }
summary { cursor: pointer; }
pre { max-height: 30rem; overflow: auto; padding: .7rem .8rem; background: var(--well); border-radius: .3rem; font-size: .78rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { padding: .5rem .7rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { color: var(--soft); font-size: .8rem; font-weight: 600; border-top: 0; }
tbody th { font-weight: 400; white-space: nowrap; }
td small, th small { display: block; }
.panel { background: var(--paper); border: 1px solid var(--line); border-radius: var(--corner); }
.chip { padding: 0 .55em; background: var(--well); border: 1px solid var(--line); border-radius: 1em; color: var(--ink); font-size: .82rem; }
.away { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.verdict { font-weight: 600; white-space: nowrap; color: var(--idle); }
.verdict::before { display: inline-block; width: 1.2em; content: "·"; }
.verdict.pass { color: var(--pass); } .verdict.pass::before { content: "✓"; }
.verdict.fail { color: var(--fail); } .verdict.fail::before { content: "✗"; }
.verdict.blocked { color: var(--held); } .verdict.blocked::before { content: "⊘"; }
.verdict.error::before { content: "?"; }
.warning .verdict.pass { color: var(--warn); } .warning .verdict.pass::before { content: "!"; }
mark { background: var(--mark); color: var(--mark-ink); border-radius: .15rem; }
`;
