import type { Depth } from "@assay/suite/report";
import { agent } from "../../app/agent.ts";
import { post } from "../../app/api.ts";
import { go, linkTo } from "../../app/route.ts";
import { Store } from "../../app/store.ts";

/** The depth of the next test. */
export const depth = new Store<Depth>("quick");

/** Also cause faults and give advice. */
export const faults = new Store(false);

/** Starts a test of the agent in the address bar and opens the page of the run. */
export async function startTest(): Promise<void> {
  const { run } = await post<{ run: string }>("/api/runs", {
    ...agent.value,
    depth: depth.value,
    faults: faults.value,
  });
  go(linkTo("runs", [run]));
}
