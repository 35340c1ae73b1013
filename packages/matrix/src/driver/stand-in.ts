import type { JsonObject, Operation } from "@assay/protocol";
import { UsageError } from "@assay/protocol/assay-error";
import type { AgentCaller, StandIn } from "@assay/proxy";
import { bindingNames, matrixVersions } from "../document/document.ts";
import { ClientDriver, type DriverOp, type DriverTarget } from "./client-driver.ts";
import type { DriverDescription } from "./description.ts";
import { givenBy, writtenFor } from "./translate.ts";

/** The calls that a stand-in makes, as ops of a driver. */
const ops: Partial<Record<Operation, DriverOp>> = { SendMessage: "send", GetTask: "get", CancelTask: "cancel" };

const timeoutMs = 60_000;

/** Starts the client of an SDK, so that it stands in for an agent that cannot call another. */
export async function openStandIn(
  driver: DriverDescription,
  env: Readonly<Record<string, string | undefined>>,
): Promise<StandIn> {
  const title = `${driver.title} ${driver.version}`;
  const speaks = driver.client?.speaks;
  if (!speaks) throw new UsageError(`${driver.name} has no client.`, "Name a driver with a client.");
  const client = await ClientDriver.start(driver, env);
  return {
    title,
    async connect({ url, interfaces, headers }) {
      const spoken = matrixVersions
        .flatMap((version) => bindingNames.map((binding) => ({ version, binding })))
        .find(
          ({ version, binding }) =>
            speaks[version]?.includes(binding) &&
            interfaces.some((each) => each.binding === binding && each.dialect === version),
        );
      if (!spoken) throw new UsageError(`${title} speaks no version and binding of the agent`);
      const target: DriverTarget = { card: url, ...spoken, headers: Object.fromEntries(headers) };
      return callerOf(client, driver, target);
    },
    close: async () => void (await client.stop()),
  };
}

/** Lets a driver make single calls to one agent. */
function callerOf(client: ClientDriver, { model, title }: DriverDescription, target: DriverTarget): AgentCaller {
  const call = async (operation: Operation, request: JsonObject): Promise<unknown> => {
    const op = ops[operation];
    if (op === undefined) throw new TypeError(`A stand-in does not call ${operation}.`);
    const answer = await client.ask({ op, target, params: writtenFor(model, operation, request), timeoutMs });
    const { result, error, unreadable } = givenBy(model, operation, answer, false);
    if (error) return { is: "malformed", because: `${title}: ${error.message}` };
    if (result === undefined || unreadable !== undefined)
      return { is: "malformed", because: `${title}: ${unreadable ?? "no result in time"}` };
    return { is: "value", value: result };
  };
  // A driver's result has the form of the operation: `givenBy` read it as such.
  return { call: call as AgentCaller["call"] };
}
