import { hasServer, type OwnServer, startServer } from "../fixtures/own-server.fixture.ts";

/** A Redis server of its own. */
export interface RedisServer extends OwnServer {
  /** One of its databases, empty: its address. */
  newDatabase(): Promise<string>;
}

const script = "scripts/redis.mjs";

export const hasRedis = hasServer(script);

export async function startRedis(): Promise<RedisServer> {
  const server = await startServer(script);
  let made = 0;
  return { ...server, newDatabase: async () => `${server.address}/${++made}` };
}
