import { delivered } from "./conducts.ts";
import { compressed, inChunks, inHttp10, withHead } from "./deliveries.ts";
import { type Surrounding, surrounding } from "./surrounding.ts";

/** Changes that gateways make to responses within HTTP. */
export const rewriting: readonly Surrounding[] = [
  surrounding("more-headers", "The gateway adds its own headers to every response.", () =>
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
  ),
  surrounding("lower-case-headers", "The gateway writes all header names in lower case.", () =>
    delivered(withHead((head) => head.map(([name, value]) => [name.toLowerCase(), value]))),
  ),
  surrounding("rechunked", "The gateway sends every response in chunks of seven bytes, without Content-Length.", () =>
    delivered(inChunks),
  ),
  surrounding("gzip", "The gateway compresses every response except streams.", () => delivered(compressed)),
  surrounding("http-1.0", "Every response is HTTP/1.0, has no Content-Length, and closes its connection.", () =>
    delivered(inHttp10),
  ),
];
