import { reportStyle } from "@assay/reporters/page";

/** The layout of the site, on top of that of a report. */
export const style = `${reportStyle}
body > main { max-width: 86rem; margin: 0 auto; padding: 0 1.5rem; }
.reason { color: var(--soft); }
.what { color: var(--soft); font-size: .9rem; }
.changes { margin-top: .6rem; padding: .6rem 1rem; }
.changes .lines { margin-top: .5rem; }
.changes .lines .what { margin-left: .5rem; }
.count { font-variant-numeric: tabular-nums; }
.example { display: inline-block; max-width: 14rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; font-size: .86rem; }
section > table.panel { border-collapse: separate; border-spacing: 0; }
.league tbody th { white-space: normal; }
thead th { white-space: nowrap; }
.filters:not([hidden]) { display: flex; flex-wrap: wrap; align-items: end; gap: .6rem 1rem; margin-bottom: .8rem; padding: .8rem 1rem; }
.filters label { display: block; }
.filters label > span { display: block; color: var(--soft); font-size: .8rem; }
select, button { max-width: 16rem; padding: .25rem .5rem; font: inherit; font-size: .88rem; color: var(--ink); background: var(--ground); border: 1px solid var(--soft); border-radius: .3rem; }
button { cursor: pointer; }
button:disabled { color: var(--soft); border-color: var(--line); cursor: default; }
.pages:not([hidden]) { display: flex; align-items: center; gap: 1rem; margin-top: .8rem; }
.bar .working, .legend .working { --swatch: var(--pass-fill); }
.bar .rules-broken, .legend .rules-broken { --swatch: var(--fail-fill); }
.bar .card-invalid, .legend .card-invalid, .bar .no-usable-interface, .legend .no-usable-interface,
.bar .endpoint-missing, .legend .endpoint-missing, .bar .something-else, .legend .something-else { --swatch: color-mix(in srgb, var(--fail-fill) 62%, var(--ink)); }
.bar .timed-out, .legend .timed-out, .bar .unreachable, .legend .unreachable { --swatch: var(--error-fill); }
.bar .login-required, .legend .login-required, .bar .payment-required, .legend .payment-required { --swatch: var(--held-fill); }
.bar .refused-by-guard, .legend .refused-by-guard, .bar .opted-out, .legend .opted-out { --swatch: var(--none-fill); }
.answer.pass { --tone: var(--pass); } .answer.fail { --tone: var(--fail); } .answer.none { --tone: var(--idle); }
.badge { margin-top: .8rem; }
.contest { padding: 1rem 1.4rem; }
.contest li { margin-top: .5rem; }
.contest ol { padding-left: 1.3rem; list-style: decimal; }
.contest pre { margin-top: .3rem; }
@media (max-width: 44rem) {
  body > main { padding: 0 1rem; }
  .league thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .league tr { display: flex; flex-wrap: wrap; gap: .1rem .8rem; padding: .5rem .8rem; border-top: 1px solid var(--line); }
  .league td, .league th { padding: 0; border: 0; }
  .league tbody th { flex-basis: 85%; }
}
`;
