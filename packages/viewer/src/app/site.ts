import type { SiteDocument } from "../documents/session.ts";

/** The server of the page; absent in a static page. */
export const site: { document?: SiteDocument } = {};
