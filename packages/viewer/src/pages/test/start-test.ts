import type { Depth } from "@assay/suite/report";
import { agent, meet } from "../../app/agent.ts";
import { post } from "../../app/api.ts";
import { go, linkTo } from "../../app/route.ts";
import { Store } from "../../app/store.ts";
import type { OfferedAgent } from "../../documents/session.ts";

/** The depth of the next test. */
export const depth = new Store<Depth>("quick");

/** true if the next test also causes faults and gives advice */
export const faults = new Store(false);

/** Fills in the form for an agent that the operator named. */
export function fillIn({ url, depth: wanted = "quick", faults: isOn = false }: OfferedAgent): void {
  meet(url);
  depth.set(wanted);
  faults.set(isOn);
}

/** Starts a test of the agent in the address bar and opens the page of the run. */
export async function startTest(): Promise<void> {
  const { run } = await post<{ run: string }>("/api/runs", {
    ...agent.value,
    depth: depth.value,
    faults: faults.value,
  });
  go(linkTo("runs", [run]));
}
