/** Whose doing something is. */
export type Side = "agent" | "client" | "proxy";

/** What can get in the way of passing something on; decisions are made by these, the text is for people. */
export type NoticeCode =
  /** the connection ended within a request */
  | "half-a-request"
  /** bytes that are no request of HTTP */
  | "not-http"
  | "client-hung-up"
  | "agent-unreachable"
  | "agent-broke-off"
  /** an HTTP/2 client, and an agent that speaks HTTP/1 alone */
  | "no-http2"
  /** a Host that is none of ours */
  | "foreign-host"
  /** a web page of another site, in a browser on this machine */
  | "foreign-page"
  /** a path below a host that no card named */
  | "unknown-destination"
  | "credentials-withheld"
  /** none was found where cards are */
  | "no-card"
  | "card-unreadable";

/** Something that is no judgement: what happened on the way, or what was changed. */
export interface Notice {
  readonly side: Side;
  readonly code: NoticeCode;
  readonly text: string;
}
