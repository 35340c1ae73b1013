import { existsSync } from "node:fs";
import { isSameAddress, projectsFor, usualConfig } from "@assay/library/config";
import { parseAddress, withoutLogin } from "@assay/library/connection";
import { defined } from "@assay/protocol";
import type { OfferedAgent } from "@assay/web";
import { secretsInAddress } from "@assay/wire";

/** Returns the agents that the page offers: the one of the command line, and those of assay.yaml. */
export function namedAgents(address: string | undefined, config: string = usualConfig()): readonly OfferedAgent[] {
  const listed = agentsIn(config);
  if (address === undefined) return listed;
  const own = listed.find(({ url }) => isSameAddress(url, address)) ?? { url: address };
  return [own, ...listed.filter((each) => each !== own)].filter(({ url }) => !hasSecret(url));
}

function agentsIn(config: string): readonly OfferedAgent[] {
  if (!existsSync(config)) return [];
  try {
    return projectsFor(undefined, { config }).flatMap(({ name, url, depth, faults }) =>
      url === undefined || hasSecret(url) ? [] : [{ url, ...defined({ name, depth, faults }) }],
    );
  } catch {
    // The test reports errors of the file.
    return [];
  }
}

const hasSecret = (url: string): boolean =>
  withoutLogin(url) !== url || secretsInAddress(parseAddress(url).href).length > 0;
