/** What a request asks for: of which host, and there which path. */
export interface PassedTarget {
  /** as in a Host field */
  readonly authority: string | undefined;
  /** begins with a slash, or is the `*` of OPTIONS */
  readonly path: string;
}

/**
 * Reads the target of a request (RFC 9112 §3.2). Clients that take us for a forward proxy write the whole address, and then the
 * host in it counts, not the Host field. Returns undefined for anything that is neither a path nor an address.
 */
export function readTarget(target: string, host: string | undefined): PassedTarget | undefined {
  if (target.startsWith("/") || target === "*") return { authority: host, path: target };
  const [, authority, rest = ""] = /^https?:\/\/([^/?#]*)([^#]*)$/i.exec(target) ?? [];
  return authority === undefined ? undefined : { authority, path: rest.startsWith("/") ? rest : `/${rest}` };
}
