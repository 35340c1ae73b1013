import { createServer as createPlain } from "node:http";
import { createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import { connect } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { selfSigned } from "./self-signed.ts";
import { openUntrustedFront, type UntrustedFront } from "./untrusted-front.ts";

const behind = createPlain((_, response) => response.end("there"));
let front: UntrustedFront;
beforeAll(async () => {
  await new Promise<void>((resolve) => behind.listen(0, "127.0.0.1", resolve));
  front = await openUntrustedFront((behind.address() as AddressInfo).port);
});
afterAll(async () => {
  await front.close();
  behind.close();
});

const get = (url: string, options: object): Promise<string> =>
  new Promise((resolve, reject) => {
    request(url, { agent: false, ...options }, async (answer) => {
      let text = "";
      for await (const piece of answer.setEncoding("utf8")) text += piece as string;
      resolve(text);
    })
      .on("error", ({ code }: NodeJS.ErrnoException) => reject(new Error(code)))
      .end();
  });

test("a client that verifies leaves without a word, and is counted; one that does not gets through", async () => {
  await expect(get(front.url, {})).rejects.toThrow("DEPTH_ZERO_SELF_SIGNED_CERT");
  await expect.poll(front.distrusted).toBe(1);
  expect(await get(front.url, { rejectUnauthorized: false })).toBe("there");
  expect(front.distrusted()).toBe(1);
});

test("what speaks no TLS has not seen the certificate", async () => {
  const before = front.distrusted();
  const { port } = new URL(front.url);
  await fetch(`http://127.0.0.1:${port}/`).catch(() => {});
  expect(front.distrusted()).toBe(before);
});

test("the certificate fits its host, so that its authority is all that is wrong with it", async () => {
  const { cert, key } = selfSigned();
  const server = createServer({ cert, key }, (_, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect({ host: "127.0.0.1", port: (server.address() as AddressInfo).port, ca: cert });
  await new Promise<void>((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
  expect(socket.authorized).toBe(true);
  socket.destroy();
  server.close();
});
