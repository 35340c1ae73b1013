/** What serves the page: `GET /api/session`. */
export interface SiteDocument {
  readonly version: string;
}
