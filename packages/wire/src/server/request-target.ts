export interface RequestTarget {
  readonly path: string;
  readonly query: string;
  /** path and query as written, without the host */
  readonly local: string;
  /** Set only for an absolute target (`GET http://host/path`, RFC 9112 §3.2.2). */
  readonly authority: string | undefined;
}

const absolute = /^https?:\/\/([^/?#]*)/i;

export function parseRequestTarget(target: string): RequestTarget {
  const authority = target.startsWith("/") ? undefined : absolute.exec(target);
  const rest = authority ? target.slice(authority[0].length) : target;
  const local = rest === "" || rest.startsWith("?") ? `/${rest}` : rest;
  const mark = local.indexOf("?");
  const path = mark < 0 ? local : local.slice(0, mark);
  const query = mark < 0 ? "" : local.slice(mark + 1);
  return { path, query, local, authority: authority?.[1] };
}
