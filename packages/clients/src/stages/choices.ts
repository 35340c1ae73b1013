import type { AgentDefinition } from "@assay/agents/making";
import { acknowledgement, provenance, timing } from "@assay/agents/making";
import { A2AError, type Binding, bindings, type JsonObject, parseJson } from "@assay/protocol";
import type { SpokenInterface } from "@assay/suite";
import type { Stage } from "../stage.ts";
import { agentOf, answerOf, by, making, saying, telling } from "./agents.ts";
import { begin, toldOf } from "./arranged-task.ts";

interface ListedInterface extends JsonObject {
  readonly url: string;
  readonly protocolBinding: string;
}

/** Changes the list of interfaces in the card. */
const listing = (
  change: (listed: readonly ListedInterface[], baseUrl: string) => readonly JsonObject[],
): Pick<AgentDefinition, "layers"> => ({
  layers: {
    // A 1.0 card always lists its interfaces.
    card: (card, baseUrl) => ({
      ...card,
      supportedInterfaces: [...change(card["supportedInterfaces"] as ListedInterface[], baseUrl)],
    }),
  },
});

/** A binding that no client supports. */
const pigeon = (baseUrl: string): JsonObject => ({
  url: `${baseUrl}/pigeon`,
  protocolBinding: "https://example.com/bindings/carrier-pigeon/v1",
  protocolVersion: "1.0",
});

const inOrder = (order: readonly Binding[], listed: readonly ListedInterface[]): readonly ListedInterface[] =>
  order.flatMap((binding) => listed.filter(({ protocolBinding }) => protocolBinding === binding));

const withFirst = ({ binding }: SpokenInterface, listed: readonly ListedInterface[]): readonly ListedInterface[] =>
  inOrder([binding, ...bindings.filter((other) => other !== binding)], listed);

const preferring = (id: "preference" | "preference-swapped", order: readonly Binding[]): Stage =>
  telling(id, { bindings, ...listing((listed, baseUrl) => [pigeon(baseUrl), ...inOrder(order, listed)]) });

/** No server listens on this port. */
const deadUrl = "http://127.0.0.1:47/agent";

const secondPath = "same-binding-second";

/** The same agent in 0.3, at its own path. */
const older = ({ binding }: SpokenInterface, path: string): AgentDefinition => ({
  ...agentOf({ dialect: "0.3", binding }, saying(answerOf("two-versions"))),
  path,
});

const second = (offered: SpokenInterface): AgentDefinition => ({
  ...agentOf(offered, saying(answerOf("same-binding"))),
  path: secondPath,
});

/** `abilities` of the suite looks for it. */
const tenant = "acme-7";

/** An agent that is reachable only with a tenant. */
const tenanted: Partial<AgentDefinition> = {
  tenants: [tenant],
  ...listing((listed) => listed.slice(0, 1).map((entry) => ({ ...entry, tenant }))),
};

const refuse = (): never => {
  throw new A2AError("VersionNotSupported", "This version is not supported.");
};

/** Situations about choosing an interface. */
export const choiceStages = {
  tenant: telling("tenant", tenanted),
  "tenant-get": {
    ...by(making(answerOf("tenant-get")), tenanted),
    arrange: async (bed, path) => toldOf(await begin(bed, path, { tenant })),
  },
  extensions: {
    ...telling("extensions", { extensions: [timing, provenance] }),
    arrange: async () => ({ env: { ASSAY_EXTENSIONS: `${timing.uri},${provenance.uri}` } }),
  },
  "required-extension": by(saying("this answer requires the extension"), { extensions: [acknowledgement] }),
  preference: preferring("preference", ["HTTP+JSON", "GRPC", "JSONRPC"]),
  "preference-swapped": preferring("preference-swapped", ["JSONRPC", "GRPC", "HTTP+JSON"]),
  "card-elsewhere": {
    agent: (offered, _witness, elsewhere) =>
      agentOf(offered, saying(answerOf("card-elsewhere")), {
        // Cards of all versions contain absolute addresses.
        layers: {
          card: (card, baseUrl) =>
            parseJson(JSON.stringify(card).replaceAll(new URL(baseUrl).origin, elsewhere)) as JsonObject,
        },
      }),
    twoAddresses: "needed",
  },
  "same-binding": {
    ...telling(
      "same-binding",
      listing((listed, baseUrl) => [listed[0]!, { ...listed[0]!, url: `${baseUrl}/${secondPath}` }]),
    ),
    others: (offered) => [second(offered)],
  },
  // The first interface is on another port, as in "dead-interface", where nothing listens there.
  "two-bindings": {
    agent: (offered, _witness, elsewhere) =>
      agentOf(offered, saying(answerOf("two-bindings")), {
        bindings,
        ...listing((listed, baseUrl) => {
          const [first, ...others] = withFirst(offered, listed);
          const url = elsewhere ? first!.url.replace(new URL(baseUrl).origin, elsewhere) : first!.url;
          return [{ ...first!, url }, ...others];
        }),
      }),
    twoAddresses: "wanted",
  },
  "dead-interface": telling("dead-interface", (offered) => ({
    bindings,
    ...listing((listed) => {
      const [first, ...others] = withFirst(offered, listed);
      return [{ ...first!, url: deadUrl }, ...others];
    }),
  })),
  "two-versions": {
    ...telling(
      "two-versions",
      listing((listed, baseUrl) => [
        { ...listed[0]!, url: `${baseUrl}/two-versions-older`, protocolVersion: "0.3" },
        listed[0]!,
      ]),
    ),
    others: (offered) => [older(offered, "two-versions-older")],
  },
  "older-only": {
    ...by(
      saying("this is 1.0"),
      listing((listed, baseUrl) => [{ ...listed[0]!, url: `${baseUrl}/older-only-older`, protocolVersion: "0.3" }]),
    ),
    others: (offered) => [older(offered, "older-only-older")],
    arrange: async () => ({ env: { ASSAY_VERSION: "1.0" } }),
  },
  "version-refused": by(saying("this is never said"), {
    layers: { admission: (admission) => ({ ...admission, dialect: refuse, version: refuse, extensions: refuse }) },
  }),
} as const satisfies Record<string, Stage>;
