import type { Testbed } from "@assay/agents";
import type { TestOptions } from "@assay/suite";
import { plain } from "../fixtures/testbed.fixture.ts";

/** The access token that a client of the test bed's OAuth server gets in its own name. */
async function clientToken({ url }: Pick<Testbed, "url">, client: string): Promise<string> {
  const secret = `${client.split("-", 1)[0]}-secret`;
  const headers = {
    "Content-Type": "application/x-www-form-urlencoded",
    Authorization: `Basic ${Buffer.from(`${client}:${secret}`).toString("base64")}`,
  };
  const { text } = await plain(`${url}/oidc/token`, { method: "POST", headers, body: "grant_type=client_credentials" });
  return (JSON.parse(text) as { access_token: string }).access_token;
}

export const shownToken = (token: string) => ({ headers: [["Authorization", `Bearer ${token}`]] as const });

/** What the operator of /secure would say whose callers have tokens: good ones, and some that have to be refused. */
export async function tokenLogins(bed: Pick<Testbed, "url">): Promise<Partial<TestOptions>> {
  const show = async (client: string) => shownToken(await clientToken(bed, client));
  return {
    ...(await show("alice")),
    principals: {
      second: await show("bob"),
      restricted: await show("carol"),
      invalid: {
        expired: await show("alice-expired"),
        "not valid yet": await show("alice-not-yet"),
        "for another audience": await show("alice-elsewhere"),
        "of another issuer": await show("alice-other-issuer"),
      },
    },
  };
}
