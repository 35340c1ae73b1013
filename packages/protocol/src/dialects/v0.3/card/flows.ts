import { defined } from "../../../defined.ts";
import type { SecurityScheme } from "../../../model.ts";

type OAuthFlows = NonNullable<SecurityScheme["oauth2SecurityScheme"]>["flows"];

/** The OAuth flows of 0.2 and 0.3. `deviceCode` and `pkceRequired` came with 1.0. */
export type FlowsShape = { readonly [kind in FlowKind]?: FlowShape };

/** The schema determines which URLs a flow has. */
interface FlowShape {
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly refreshUrl?: string;
  readonly scopes: Record<string, string>;
}

const kinds = ["authorizationCode", "clientCredentials", "implicit", "password"] as const;
type FlowKind = (typeof kinds)[number];

/** Returns each flow separately, in the order of 1.0's definition. */
export const readFlows = (flows: FlowsShape): [FlowKind, OAuthFlows][] =>
  kinds.flatMap((kind): [FlowKind, OAuthFlows][] => {
    const flow = flows[kind];
    if (!flow) return [];
    const { authorizationUrl, tokenUrl, refreshUrl, scopes } = flow;
    return [[kind, { [kind]: defined({ authorizationUrl, tokenUrl, refreshUrl, scopes }) }]];
  });

/** Returns undefined if there is only the device flow, which older dialects lack. */
export function writeFlows({
  authorizationCode,
  clientCredentials,
  implicit,
  password,
}: OAuthFlows): FlowsShape | undefined {
  if (authorizationCode) {
    const { pkceRequired: _, ...flow } = authorizationCode;
    return { authorizationCode: flow };
  }
  if (clientCredentials) return { clientCredentials };
  // The older schema requires members that 1.0 makes optional in its two deprecated flows.
  if (implicit) return { implicit: { authorizationUrl: "", scopes: {}, ...implicit } };
  if (password) return { password: { tokenUrl: "", scopes: {}, ...password } };
  return undefined;
}
