/** What serves the page: `GET /api/session`. */
export interface SiteDocument {
  readonly version: string;
  /** the formats in which the page of a run offers its report */
  readonly formats: readonly string[];
}
