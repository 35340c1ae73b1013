/** The server of the page: `GET /api/session`. */
export interface SiteDocument {
  readonly version: string;
  /** the report formats that the page of a run offers */
  readonly formats: readonly string[];
}
