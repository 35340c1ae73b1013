import { defined } from "../../../defined.ts";
import type { SecurityScheme } from "../../../model.ts";

type OAuthFlows = NonNullable<SecurityScheme["oauth2SecurityScheme"]>["flows"];

/** The flows of 0.2 and 0.3, side by side. `deviceCode` and `pkceRequired` came with 1.0. */
export type FlowsShape = { readonly [kind in FlowKind]?: FlowShape };

/** Which of the URLs a flow has, the schema says. */
interface FlowShape {
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly refreshUrl?: string;
  readonly scopes: Record<string, string>;
}

const kinds = ["authorizationCode", "clientCredentials", "implicit", "password"] as const;
type FlowKind = (typeof kinds)[number];

/** Each flow alone, in the order of 1.0's definition. */
export const readFlows = (flows: FlowsShape): [FlowKind, OAuthFlows][] =>
  kinds.flatMap((kind): [FlowKind, OAuthFlows][] => {
    const flow = flows[kind];
    if (!flow) return [];
    const { authorizationUrl, tokenUrl, refreshUrl, scopes } = flow;
    return [[kind, { [kind]: defined({ authorizationUrl, tokenUrl, refreshUrl, scopes }) }]];
  });

/** undefined: only the device flow is there, which no older dialect knows. */
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
  // The older schema requires what 1.0 leaves open in the two flows it has deprecated.
  if (implicit) return { implicit: { authorizationUrl: "", scopes: {}, ...implicit } };
  if (password) return { password: { tokenUrl: "", scopes: {}, ...password } };
  return undefined;
}
