import { type AddressInfo, createServer } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { afterAll, expect, test } from "vitest";
import { createEgressGuard } from "../egress.ts";
import { makeCertificates } from "./certificates.fixture.ts";
import { shakeHands, type TlsVersion } from "./handshake.ts";

const { server: material } = makeCertificates();
const guard = createEgressGuard({ trustedHosts: ["127.0.0.1"] });
const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

async function serve(options: TlsOptions): Promise<string> {
  const server = createTlsServer({ ...material, ...options }, (socket) => socket.on("error", () => {}).resume());
  server.on("tlsClientError", (_error, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/agent`;
}

const versions = ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"] as const satisfies readonly TlsVersion[];
const accepted = async (url: string): Promise<string[]> => {
  const outcomes = await Promise.all(versions.map((version) => shakeHands(url, version, { guard })));
  return versions.filter((_, index) => outcomes[index] === "accepted");
};

test("a server accepts the versions of TLS that it has, and no others", async () => {
  expect(await accepted(await serve({}))).toEqual(["TLSv1.2", "TLSv1.3"]);
  expect(await accepted(await serve({ maxVersion: "TLSv1.2" }))).toEqual(["TLSv1.2"]);
  expect(await accepted(await serve({ minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" }))).toEqual([...versions]);
});

test("a server that hangs up refuses", async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await shakeHands(url, "TLSv1.3", { guard })).toBe("refused");
});

test("an address without a listener tells nothing", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  expect(await shakeHands(`https://127.0.0.1:${port}`, "TLSv1.3", { guard })).toMatchObject({
    unknown: expect.stringContaining("connection refused"),
  });
});

test("addresses that the guard blocks are not dialed", async () => {
  const url = await serve({});
  expect(await shakeHands(url, "TLSv1.3", { guard: createEgressGuard() })).toMatchObject({
    unknown: expect.stringContaining("--allow-host"),
  });
});
