import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { checkCard } from "./card-check.ts";

test("an error does not repeat the credentials that the agent repeats", async () => {
  const agent = createServer(({ headers }, response) => {
    response.writeHead(401, { "WWW-Authenticate": `Bearer realm="${headers.authorization}"` }).end();
  });
  await once(agent.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void agent.close());
  const url = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
  await expect(checkCard(url, { bearer: "s3cret-t0ken" })).rejects.toThrow('(Bearer realm="Bearer «secret:bearer»")');
});
