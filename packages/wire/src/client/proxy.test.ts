import { expect, test } from "vitest";
import { proxyFor } from "./proxy.ts";

const proxies = { httpProxy: "http://proxy.test:3128", httpsProxy: "http://secure-proxy.test:3128" };

test("each scheme has its own proxy", () => {
  expect(proxyFor(new URL("http://a.test/"), proxies)?.host).toBe("proxy.test:3128");
  expect(proxyFor(new URL("https://a.test/"), proxies)?.host).toBe("secure-proxy.test:3128");
  expect(proxyFor(new URL("http://a.test/"), {})).toBeUndefined();
});

test.each(["http://localhost:1/", "http://x.localhost/", "http://127.0.0.5/", "http://[::1]:8080/"])(
  "%s is on this machine, where no proxy leads",
  (url) => {
    expect(proxyFor(new URL(url), proxies)).toBeUndefined();
  },
);

test.each([
  ["*", "http://a.test/", true],
  ["a.test", "http://a.test/", true],
  ["a.test", "http://b.a.test/", true],
  ["a.test", "http://ba.test/", false],
  [".a.test", "http://b.a.test/", true],
  ["*.a.test", "http://b.a.test/", true],
  ["x.test, A.TEST", "http://a.test/", true],
  ["a.test:8080", "http://a.test/", false],
  ["a.test:8080", "http://a.test:8080/", true],
  ["a.test:443", "https://a.test/", true],
  ["10.1.2.3", "http://10.1.2.3/", true],
  ["10.0.0.0/8", "http://10.1.2.3/", true],
  ["10.0.0.0/8", "http://11.1.2.3/", false],
  ["10.0.0.0/99", "http://10.1.2.3/", false],
  ["fd00::/8", "http://[fd00::1]/", true],
  ["", "http://a.test/", false],
])("NO_PROXY=%s and %s: exempt is %s", (noProxy, url, exempt) => {
  expect(proxyFor(new URL(url), { ...proxies, noProxy }) === undefined).toBe(exempt);
});

test("a proxy may be named without its scheme, but not with one we do not speak", () => {
  expect(proxyFor(new URL("http://a.test/"), { httpProxy: "proxy.test:3128" })?.href).toBe("http://proxy.test:3128/");
  expect(() => proxyFor(new URL("http://a.test/"), { httpProxy: "socks5://me:pw@proxy.test" })).toThrow(
    'The proxy "socks5://proxy.test" is neither http nor https. Use an HTTP proxy.',
  );
});
