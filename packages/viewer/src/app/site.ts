import type { SiteDocument } from "../documents/session.ts";

/** The server that the page talks to, as it introduced itself; a file has none. */
export const site: { document?: SiteDocument } = {};
