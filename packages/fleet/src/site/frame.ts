import { dateText, h, type SafeHtml } from "@assay/reporters/look";
import { sitePage } from "@assay/reporters/page";
import type { FleetReport } from "../report/document.ts";

/** By which a page of ours is known. */
const fleetSiteMark = '<meta name="generator" content="assay fleet">';

/** Whether an index is that of a site as it is made here. */
export const isFleetSite = (index: string): boolean => index.includes(fleetSiteMark);

export const framed = (frame: Omit<Parameters<typeof sitePage>[0], "mark">): string =>
  sitePage({ mark: fleetSiteMark, ...frame });

export const footerOf = ({ tool, sweep }: FleetReport): SafeHtml =>
  h`<p>Assay ${tool.version} · sweep ${sweep.sweep} of ${dateText(sweep.startedAt)}. What is said here is what was seen then, by the rules of the protocol, and no statement about how good an agent is.</p>`;
