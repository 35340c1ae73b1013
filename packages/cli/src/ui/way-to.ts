import { clientOptions, givenCredentials, parseAddress, program, tokenGetter } from "@assay/library/connection";
import type { AgentAccess, AgentWay } from "@assay/web";
import { loginOf } from "./login.ts";
import { rethrown } from "./rethrown.ts";

/** Returns the connection to an agent that the page names, like that of `assay send`. */
export const wayTo = (access: AgentAccess): Promise<AgentWay> => readWay(access).catch(rethrown);

async function readWay(access: AgentAccess): Promise<AgentWay> {
  const url = parseAddress(access.url);
  const login = await loginOf(access, tokenGetter(clientOptions([], {})));
  const inAddress = await givenCredentials({}, program, access.url);
  const isGiven = login.headers.some(([name]) => name.toLowerCase() === "authorization");
  return {
    url,
    headers: [...login.headers, ...(isGiven ? [] : inAddress.headers)],
    secrets: [...login.secrets, ...inAddress.secrets],
    connection: clientOptions([url], {}),
  };
}
