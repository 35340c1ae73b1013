import { delivered } from "./conducts.ts";
import { compressed, inChunks, inHttp10, withHead } from "./deliveries.ts";
import type { Surrounding } from "./surrounding.ts";

/** Changes that gateways make to responses within HTTP. */
export const rewriting: readonly Surrounding[] = [
  {
    id: "more-headers",
    what: "The gateway adds its own headers to every response.",
    does: () =>
      delivered(
        withHead((head) => [
          ...head,
          ["Via", "1.1 gateway"],
          ["X-Request-Id", "7f3c9a"],
          ["X-Cache", "MISS"],
          ["Set-Cookie", "route=a; Path=/"],
          ["Set-Cookie", "affinity=b; Path=/"],
          ["Alt-Svc", 'h3=":443"; ma=86400'],
        ]),
      ),
  },
  {
    id: "lower-case-headers",
    what: "The gateway writes all header names in lower case.",
    does: () => delivered(withHead((head) => head.map(([name, value]) => [name.toLowerCase(), value]))),
  },
  {
    id: "rechunked",
    what: "The gateway sends every response in chunks of seven bytes, without Content-Length.",
    does: () => delivered(inChunks),
  },
  {
    id: "gzip",
    what: "The gateway compresses every response except streams.",
    does: () => delivered(compressed),
  },
  {
    id: "http-1.0",
    what: "Every response is HTTP/1.0, has no Content-Length, and closes its connection.",
    does: () => delivered(inHttp10),
  },
];
