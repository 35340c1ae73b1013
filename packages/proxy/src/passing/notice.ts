/** The party that caused something. */
export type Side = "agent" | "client" | "proxy";

/** Kinds of forwarding problems. Code decides by these; the text is for people. */
export type NoticeCode =
  /** the connection ended inside a request */
  | "half-a-request"
  /** bytes that are not an HTTP request */
  | "not-http"
  | "client-hung-up"
  | "agent-unreachable"
  | "agent-broke-off"
  /** an HTTP/2 client with an agent that only speaks HTTP/1 */
  | "no-http2"
  /** a Host header that is not the proxy's */
  | "foreign-host"
  /** a web page of another site, in a browser on this machine */
  | "foreign-page"
  /** a path below a host that no card names */
  | "unknown-destination"
  | "credentials-withheld"
  /** no card at the known paths */
  | "no-card"
  | "card-unreadable";

/** An event that is not a judgement: a forwarding problem or a change. */
export interface Notice {
  readonly side: Side;
  readonly code: NoticeCode;
  readonly text: string;
}
