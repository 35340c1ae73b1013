import type { Ends } from "./ends.ts";
import { properties } from "./properties/index.ts";
import type { Property } from "./property.ts";
import { type TestedBinding, testedBindings, unknownTask } from "./requests.ts";
import { type ExaminedProperty, notExamined } from "./verdict.ts";

export interface Extent {
  /** full also runs load and size cases */
  readonly depth: "quick" | "full";
  readonly bindings?: readonly TestedBinding[];
}

/** The result of one property, on one binding or for all of them. */
export interface PropertyResult extends ExaminedProperty {
  readonly property: Property;
  readonly binding?: TestedBinding;
}

/** Examines every property of a gateway and yields the results in the order of the table. */
export async function* examineGateway(
  ends: Ends,
  { depth, bindings = testedBindings }: Extent,
): AsyncGenerator<PropertyResult, void> {
  const obstacles = new Map<TestedBinding, string>();
  for (const binding of bindings) {
    const { client, agent } = await ends.send(unknownTask(ends.through, binding));
    if (agent.length > 0) continue;
    const { response } = client.http;
    const answer = response ? `it answered HTTP ${response.status} itself` : (client.failure?.message ?? "no response");
    obstacles.set(binding, `the gateway passed no ${binding} request on: ${answer}`);
  }
  for (const property of properties)
    for (const binding of property.once ? bindings.slice(0, 1) : bindings) {
      const isTooMuch = depth === "quick" && property.heavy;
      const obstacle = isTooMuch ? "needs --depth full" : property.once ? undefined : obstacles.get(binding);
      yield {
        property,
        ...(!property.once && { binding }),
        ...(obstacle === undefined
          ? await property.examine(ends, binding)
          : { judgement: notExamined(obstacle), passages: [] }),
      };
    }
}
