import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { createEgressGuard, type EgressOptions } from "./egress.ts";

/** A resolver that knows these names and no others. */
const names: Record<string, string[]> = {
  "public.test": ["93.184.215.14"],
  "inside.test": ["10.0.0.5"],
  "mixed.test": ["93.184.215.14", "192.168.1.1"],
  "six.test": ["2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
  "loop.test": ["127.0.0.1"],
  localhost: ["127.0.0.1", "::1"],
};
const lookup = async (hostname: string) => {
  const addresses = names[hostname];
  if (!addresses) throw Object.assign(new Error("not found"), { code: "ENOTFOUND" });
  return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
};
const decide = async (url: string, options: EgressOptions = {}) =>
  (await createEgressGuard({ lookup, ...options }).checkUrl(url)).allowed;

describe("hosts the user did not name", () => {
  test.each([
    "http://93.184.215.14/",
    "https://public.test/",
    "http://six.test/",
    "http://[2606:2800:21f::1]/",
    "http://172.15.0.1/",
    "http://172.32.0.1/",
    "http://100.128.0.1/",
    "http://[::ffff:93.184.215.14]/",
    "http://[64:ff9b::93.184.215.14]/",
    "http://[2002:5db8:d70e::1]/",
  ])("%s may be contacted", async (url) => {
    expect(await decide(url)).toBe(true);
  });

  test.each([
    ["loopback", "http://127.0.0.1/"],
    ["loopback", "http://127.255.255.254/"],
    ["loopback in decimal", "http://2130706433/"],
    ["loopback in octal", "http://0177.0.0.1/"],
    ["loopback in hex", "http://0x7f.1/"],
    ["loopback with a dot behind", "http://127.0.0.1./"],
    ["loopback by name", "http://loop.test/"],
    ["IPv6 loopback", "http://[::1]/"],
    ["unspecified", "http://0.0.0.0/"],
    ["unspecified", "http://[::]/"],
    ["private", "http://10.1.2.3/"],
    ["private", "http://172.16.0.1/"],
    ["private", "http://172.31.255.255/"],
    ["private", "http://192.168.0.1/"],
    ["private by name", "http://inside.test/"],
    ["unknown here", "http://unknown.test/"],
    ["one private address among others", "http://mixed.test/"],
    ["carrier-grade NAT", "http://100.64.0.1/"],
    ["unique local", "http://[fc00::1]/"],
    ["unique local", "http://[fdff::1]/"],
    ["site-local", "http://[fec0::1]/"],
    ["link-local", "http://169.254.1.1/"],
    ["link-local", "http://[fe80::1]/"],
    ["AWS metadata", "http://169.254.169.254/latest"],
    ["AWS metadata", "http://[fd00:ec2::254]/"],
    ["Alibaba metadata", "http://100.100.100.200/"],
    ["multicast", "http://224.0.0.1/"],
    ["multicast", "http://[ff02::1]/"],
    ["broadcast", "http://255.255.255.255/"],
    ["reserved", "http://240.0.0.1/"],
    ["this network", "http://0.1.2.3/"],
    ["documentation", "http://192.0.2.1/"],
    ["IPv4-mapped", "http://[::ffff:127.0.0.1]/"],
    ["IPv4-mapped in hex", "http://[::ffff:a00:1]/"],
    ["IPv4-compatible", "http://[::10.0.0.1]/"],
    ["IPv4-translated", "http://[::ffff:0:10.0.0.1]/"],
    ["NAT64", "http://[64:ff9b::10.0.0.1]/"],
    ["local NAT64", "http://[64:ff9b:1::1]/"],
    ["6to4", "http://[2002:a00:1::1]/"],
    ["Teredo", "http://[2001:0:5ef5:79fd::f5ff:fffe]/"],
    ["full-width digits", "http://１２７.0.0.1/"],
    ["another scheme", "ftp://public.test/"],
    ["another scheme", "file:///etc/passwd"],
    ["not a URL", "public.test"],
  ])("%s is refused: %s", async (_kind, url) => {
    expect(await decide(url)).toBe(false);
  });
});

describe("what the user allows", () => {
  test.each([
    ["a trusted name", "http://inside.test:8080/", { trustedHosts: ["inside.test"] }, true],
    ["a trusted name in another spelling", "http://INSIDE.test./", { trustedHosts: ["Inside.Test:443"] }, true],
    ["a trusted address in another spelling", "http://0x7f000001/", { trustedHosts: ["127.0.0.1"] }, true],
    ["localhost, where its address is trusted", "http://localhost:8080/", { trustedHosts: ["127.0.0.1"] }, true],
    ["the address of localhost, where its name is trusted", "http://127.0.0.1/", { trustedHosts: ["localhost"] }, true],
    ["its IPv6 address, where its name is trusted", "http://[::1]/", { trustedHosts: ["localhost"] }, true],
    ["another address of this machine", "http://127.0.0.2/", { trustedHosts: ["localhost"] }, false],
    ["a trusted IPv6 address", "http://[0:0::1]/", { trustedHosts: ["::1"] }, true],
    ["an allowed name", "http://inside.test/", { allowHosts: ["inside.test"] }, true],
    ["an allowed metadata service", "http://169.254.169.254/", { allowHosts: ["169.254.169.254"] }, true],
    ["a subdomain of a trusted name", "http://inside.test/", { trustedHosts: ["test"] }, false],
    ["loopback", "http://127.0.0.1/", { allowLoopback: true }, true],
    ["loopback by name", "http://loop.test/", { allowLoopback: true }, true],
    ["the unspecified address, which is this machine", "http://0.0.0.0/", { allowLoopback: true }, true],
    ["a private address when loopback is allowed", "http://10.0.0.1/", { allowLoopback: true }, false],
    ["private addresses", "http://10.0.0.1/", { allowPrivate: true }, true],
    ["loopback when private is allowed", "http://127.0.0.1/", { allowPrivate: true }, false],
    ["link-local when private is allowed", "http://169.254.1.1/", { allowPrivate: true }, false],
    ["metadata when all flags are set", "http://100.100.100.200/", { allowPrivate: true, allowLoopback: true }, false],
  ])("%s: %s", async (_what, url, options, allowed) => {
    expect(await decide(url, options)).toBe(allowed);
  });

  test.each([
    ["http://localhost:9999/rpc", true],
    ["http://[::1]:9999/rpc", true],
    ["http://127.0.0.2:9999/rpc", false],
  ])("localhost, 127.0.0.1 and [::1] are one host: %s is %s", async (url, allowed) => {
    expect(await decide(url, { trustedHosts: ["127.0.0.1"] })).toBe(allowed);
  });
});

test("a refusal says what was found and how to allow it", async () => {
  const guard = createEgressGuard({ lookup });
  expect(await guard.checkUrl("https://inside.test/rpc")).toEqual({
    allowed: false,
    reason:
      "inside.test resolves to 10.0.0.5, a private address. You did not name this host, so it was not contacted. To allow it, pass --allow-host inside.test.",
  });
  expect(guard.checkHost("169.254.169.254")).toEqual({
    allowed: false,
    reason:
      "169.254.169.254 is the address of a cloud metadata service. You did not name this host, so it was not contacted. To allow it, pass --allow-host 169.254.169.254.",
  });
});

test("a name that becomes private after the check is refused on connect", async () => {
  const answers = ["93.184.215.14", "127.0.0.1"];
  const guard = createEgressGuard({ lookup: async () => [{ address: answers.shift()!, family: 4 }] });
  expect(await guard.checkUrl("http://rebind.test/")).toEqual({ allowed: true });

  const error = await new Promise<NodeJS.ErrnoException>((resolve) => {
    connect({ host: "rebind.test", port: 80, lookup: guard.lookup }).on("error", resolve);
  });
  expect(error.code).toBe("EGRESS_REFUSED");
});

test.each([
  [{ all: true }, [{ address: "93.184.215.14", family: 4 }]],
  [{}, "93.184.215.14"],
  [{ family: 4 }, "93.184.215.14"],
])("the lookup answers as net.connect asks: %j", async (options, expected) => {
  const { lookup: guarded } = createEgressGuard({ lookup });
  const address = await new Promise((resolve, reject) => {
    guarded("public.test", options, (error, found) => (error ? reject(error) : resolve(found)));
  });
  expect(address).toEqual(expected);
});

test("a family the host does not have is not found", async () => {
  const { lookup: guarded } = createEgressGuard({ lookup });
  const code = await new Promise((resolve) => {
    guarded("public.test", { family: 6 }, (error) => resolve(error?.code));
  });
  expect(code).toBe("ENOTFOUND");
});

describe("with onlyOrigins", () => {
  const only = (...urls: string[]) => ({ onlyOrigins: urls.map((url) => new URL(url)) });

  test.each([
    ["the address itself", "http://127.0.0.1:9999/card", true],
    ["another name of this machine", "http://localhost:9999/", true],
    ["the address that a local agent listens on", "http://0.0.0.0:9999/", true],
    ["another port", "http://127.0.0.1:9998/", false],
    ["another host", "https://public.test/", false],
  ])("%s: %s", async (_, url, allowed) => {
    expect(await decide(url, { ...only("http://127.0.0.1:9999/agent"), allowLoopback: true })).toBe(allowed);
  });

  test("a port that the scheme implies counts", async () => {
    expect(await decide("https://public.test:443/", only("https://public.test"))).toBe(true);
    expect(await decide("http://public.test/", only("https://public.test"))).toBe(false);
  });

  test("an address that is named is still refused where it is private", async () => {
    expect(await decide("http://10.0.0.5/", only("http://10.0.0.5"))).toBe(false);
  });

  test("another port is not dialed", () => {
    const guard = createEgressGuard({ ...only("http://127.0.0.1:9999"), allowLoopback: true });
    expect(guard.checkHost("127.0.0.1", 9999)).toEqual({ allowed: true });
    expect(guard.checkHost("127.0.0.1", 9998)).toEqual({
      allowed: false,
      reason: "You did not name 127.0.0.1:9998, so it was not contacted.",
    });
  });
});
