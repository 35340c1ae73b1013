/**
 * Reads the address of a gRPC interface in any form that cards use (AMB-25): `host:port`, a URL, or `dns:///host:port`
 * as in gRPC libraries. The scheme of the result says plaintext or TLS; it has no path.
 */
export function readGrpcAddress(text: string): URL | undefined {
  // `dns://resolver/host:port` names a resolver; we use our own.
  const named = text.trim().replace(/^dns:\/\/[^/]*\//i, "");
  const match = /^(?:(https?|grpcs?):\/\/)?(\[[\da-f:.]+\]|[^\s/?#@:[\]]+)(?::(\d{1,5}))?(?:[/?#].*)?$/is.exec(named);
  if (!match) return undefined;
  const [, scheme, host, port] = match;
  // Without a scheme the port decides, and without a port gRPC uses 443.
  const secure = scheme ? /s$/i.test(scheme) : (port ?? "443") === "443";
  const url = `${secure ? "https" : "http"}://${host}${port ? `:${port}` : ""}`;
  return URL.canParse(url) ? new URL(url) : undefined;
}
