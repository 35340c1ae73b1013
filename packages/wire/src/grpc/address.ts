/**
 * Where a gRPC interface is, from whatever its card calls it (AMB-25): `host:port`, a URL, or `dns:///host:port` as
 * gRPC libraries write it. The result says plaintext or TLS by its scheme and has no path, because gRPC has none to give.
 */
export function readGrpcAddress(text: string): URL | undefined {
  // `dns://resolver/host:port` says who resolves the name; we ask whom we always ask.
  const named = text.trim().replace(/^dns:\/\/[^/]*\//i, "");
  const match = /^(?:(https?|grpcs?):\/\/)?(\[[\da-f:.]+\]|[^\s/?#@:[\]]+)(?::(\d{1,5}))?(?:[/?#].*)?$/is.exec(named);
  if (!match) return undefined;
  const [, scheme, host, port] = match;
  // Without a scheme only the port can tell, and without a port gRPC means 443.
  const secure = scheme ? /s$/i.test(scheme) : (port ?? "443") === "443";
  const url = `${secure ? "https" : "http"}://${host}${port ? `:${port}` : ""}`;
  return URL.canParse(url) ? new URL(url) : undefined;
}
