/** How recorded exchanges look: request and answer side by side, streams along their time. */
export const exchanges = `
.exchange { margin-top: .9rem; padding-top: .9rem; border-top: 1px solid var(--line); }
.exchange h4 { font-size: .95rem; font-weight: 600; }
.exchange h4 small { display: block; }
.sides { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: .8rem; margin-top: .5rem; }
.sides h5 { color: var(--soft); font-size: .8rem; font-weight: 400; }
.timeline { margin-top: .6rem; }
.track { position: relative; margin: 0 .6rem; border-bottom: 1px solid var(--soft); }
.track i, .track b { position: absolute; width: .6rem; height: .6rem; margin: 0 0 .15rem -.3rem; }
.track i { background: var(--soft); border-radius: 50%; }
.track b { color: var(--fail); font-size: .95rem; line-height: .6rem; text-align: center; }
.ticks { display: flex; justify-content: space-between; color: var(--soft); font-size: .78rem; font-variant-numeric: tabular-nums; }
.timeline figcaption { color: var(--soft); font-size: .82rem; }
.events { margin-top: .4rem; font-size: .85rem; }
.events li { border-top: 1px solid var(--line); }
.events .event { display: grid; grid-template-columns: 4.6rem 4.6rem minmax(0, 1fr); gap: .4rem; padding: .25rem 0; }
.events .time, .events .gap { color: var(--soft); font-variant-numeric: tabular-nums; text-align: right; }
.events summary.event::-webkit-details-marker { display: none; }
.events pre { margin-bottom: .5rem; }
@media (max-width: 44rem) { .sides { grid-template-columns: minmax(0, 1fr); } }
`;
