import { delivered } from "./conducts.ts";
import { compressed, inChunks, inHttp10, withHead } from "./deliveries.ts";
import type { Surrounding } from "./surrounding.ts";

/** What gateways do to answers within HTTP. */
export const rewriting: readonly Surrounding[] = [
  {
    id: "more-headers",
    what: "The gateway adds headers of its own to every answer.",
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
    what: "The gateway writes the names of all headers in lower case.",
    does: () => delivered(withHead((head) => head.map(([name, value]) => [name.toLowerCase(), value]))),
  },
  {
    id: "rechunked",
    what: "The gateway passes every answer on in chunks of seven bytes, without its length.",
    does: () => delivered(inChunks),
  },
  {
    id: "gzip",
    what: "The gateway compresses every answer that is no stream.",
    does: () => delivered(compressed),
  },
  {
    id: "http-1.0",
    what: "Every answer is one of HTTP/1.0: without a length, and its connection ends with it.",
    does: () => delivered(inHttp10),
  },
];
