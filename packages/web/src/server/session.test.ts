import { expect, test } from "vitest";
import { isOwnOrigin } from "./serve.ts";
import { Session } from "./session.ts";

test("the token is known as a header and as the cookie of this port, and as nothing else", () => {
  const session = new Session();
  session.bindTo(4070);
  const [, value] = /^assay-ui-4070=([\w-]{32});/.exec(session.cookie) ?? [];
  const proofOf = (headers: Record<string, string>) => session.proofOf({ headers });
  expect(session.token).toMatch(/^[\w-]{32}$/);
  expect(proofOf({ authorization: `Bearer ${session.token}` })).toBe("header");
  expect(proofOf({ cookie: `other=1; assay-ui-4070=${value}` })).toBe("cookie");
  expect(proofOf({ cookie: `assay-ui-4071=${value}` })).toBe("none");
  expect(proofOf({ authorization: `Bearer ${session.token}x`, cookie: `assay-ui-4070=${value}` })).toBe("none");
  expect(proofOf({ authorization: `Basic ${session.token}` })).toBe("none");
  expect(proofOf({ cookie: `assay-ui-4070=${session.token}` })).toBe("none");
  expect(proofOf({ authorization: `Bearer ${value}` })).toBe("none");
  expect(proofOf({})).toBe("none");
  expect(new Session().token).not.toBe(session.token);
});

test.each([
  [{}, true],
  [{ origin: "http://127.0.0.1:4070" }, true],
  [{ origin: "http://127.0.0.1:4070", "sec-fetch-site": "same-origin" }, true],
  [{ "sec-fetch-site": "none" }, true],
  [{ origin: "http://127.0.0.1:4071" }, false],
  [{ origin: "https://127.0.0.1:4070" }, false],
  [{ origin: "http://localhost:4070" }, false],
  [{ origin: "null" }, false],
  [{ "sec-fetch-site": "cross-site" }, false],
  [{ "sec-fetch-site": "same-site" }, false],
])("a request with %j is of our own page, or of none: %s", (headers, isOwn) => {
  expect(isOwnOrigin({ headers, host: "127.0.0.1:4070", secure: false })).toBe(isOwn);
});
