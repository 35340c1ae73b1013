import { startTestbed } from "@assay/agents";
import { installed, serverReady } from "@assay/sdk-javascript";

/**
 * The test bed of Assay as a server of the matrix (docs/drivers.md). Each agent has its own test bed. gRPC has no
 * paths, so this is the only way to reach an agent there without a tenant.
 */

const sdk = installed(new URL("../../../packages/cli/", import.meta.url).href);
const timeScale = Number(process.env["ASSAY_TIME_SCALE"] ?? 1);

const addresses = await Promise.all(
  ["echo", "spec", "full"].map(async (agent): Promise<[string, string]> => {
    const bed = await startTestbed({
      host: "127.0.0.1",
      port: 0,
      version: sdk.version,
      root: agent,
      timeScale,
      // The matrix relays an instruction through every server, back and forth.
      relayLinks: 200,
      onError: (error) => process.stderr.write(`${String(error)}\n`),
    });
    return [agent, `${bed.url}/${agent}`];
  }),
);
const agents = Object.fromEntries(addresses);
// Agents of 0.3 have separate cards here.
serverReady(sdk, { ...agents, spec03: agents["spec"]!.replace(/spec$/, "spec03") });
