import { expect, test } from "vitest";
import { builtWithOf } from "./built-with.ts";

test.each([
  [["Server", "uvicorn"], { name: "uvicorn (Python)", because: "server: uvicorn" }],
  [["X-Powered-By", "Express"], { name: "Express (Node.js)", because: "x-powered-by: Express" }],
  [
    ["Server", "Werkzeug/3.0.1 Python/3.12.1"],
    { name: "Werkzeug (Python)", because: "server: Werkzeug/3.0.1 Python/3.12.1" },
  ],
  // What stands in front of an agent is not what it is built with.
  [["Server", "cloudflare"], undefined],
  [["Server", "nginx/1.27"], undefined],
  [["Via", "1.1 uvicorn"], undefined],
] as const)("%j", (header, built) => {
  expect(builtWithOf({ headers: [header] })).toEqual(built);
});
