import { dirname } from "node:path";
import { UsageError } from "@assay/protocol/assay-error";
import type { PrincipalCredentials, TestOptions } from "@assay/suite";
import type { TestValues } from "@assay/suite/options";
import { readAllowedSecret } from "../connection/allowed-secret.ts";
import { clientOptions, givenCredentials, parseAddress } from "../connection/connection.ts";
import {
  type Credentials,
  credentialsOf,
  type GivenCredentials,
  type ObtainToken,
  readerIn,
} from "../connection/credentials.ts";
import { tokenGetter } from "../connection/oauth.ts";
import { nameFor, type OptionCaller } from "../connection/option-caller.ts";
import { secretUses } from "../connection/secret-use.ts";
import type { PrincipalSettings } from "./assay-yaml.ts";
import { admitSecrets } from "./config-secrets.ts";
import { givenIn, namesIn } from "./principal-credentials.ts";
import type { Project } from "./project.ts";

/** The credentials of the test with their secrets read, and the other principals. */
export interface Testers extends Credentials {
  readonly principals: TestOptions["principals"];
}

interface TestersPlace {
  readonly addresses: string[];
  readonly file: string;
  /** hosts that the call trusts with credentials */
  readonly trusted: readonly string[];
  /** the address of the card is from the call, not from the file */
  readonly isCardGiven: boolean;
  readonly caller: OptionCaller;
}

export async function whoTests(
  values: TestValues,
  project: Project,
  { addresses, file, trusted, isCardGiven, caller }: TestersPlace,
): Promise<Testers> {
  const named = project.principals ?? {};
  if (values.principal !== undefined && !named[values.principal])
    throw new UsageError(
      `${nameFor(caller, "principal")} ${values.principal}: assay.yaml has no such principal`,
      `Add it: principals: { ${values.principal}: { bearer: env:TOKEN } }`,
    );
  const isLoggedIn = [values.bearer, values.basic, values.apiKey, values.oauthClient].some(
    (each) => each !== undefined,
  );
  const tester = isLoggedIn && values.principal === undefined ? undefined : (values.principal ?? "default");
  const { default: own, second, restricted, invalid = {} } = named;
  const users = {
    tester: tester && namedLogin(tester, tester === "default" ? own : named[tester]),
    second: namedLogin("second", second),
    restricted: namedLogin("restricted", restricted),
  };
  const flawed = Object.entries(invalid).map(([flaw, settings]) => namedLogin(`invalid.${flaw}`, settings)!);
  const logins = [...Object.values(users), ...flawed].filter((each) => each !== undefined);
  const targets = addresses.map((address) => parseAddress(address).href);
  const uses = await Promise.all(
    logins.map(({ owner, given }) => secretUses(given, targets, namesIn(`principals.${owner}`, owner))),
  );
  const allowed = (values.allowSecrets ?? []).map((each) => readAllowedSecret(each, nameFor(caller, "allowSecrets")));
  admitSecrets(uses.flat(), { file, allowed, trustHosts: project.trustHosts ?? [], trusted }, caller);
  const obtainToken = tokenGetter(clientOptions([], values, caller));
  const read = (login: NamedLogin): Promise<Credentials> => fileCredentials(login, { file, caller, obtainToken });
  const ofFlags = await givenCredentials(values, caller, ...addresses);
  const strangeCard = !isCardGiven && project.card !== undefined ? parseAddress(project.card) : undefined;
  if (strangeCard && ofFlags.secrets.length && strangeCard.origin !== parseAddress(addresses[0]!).origin)
    caller.complain(`${file}: card sends the credentials of the command line to ${strangeCard.host}, too.`);
  const shown = {
    tester: users.tester && (await read(users.tester)),
    second: users.second && (await read(users.second)),
    restricted: users.restricted && (await read(users.restricted)),
  };
  const refused: [string, Credentials][] = [];
  for (const [index, flaw] of Object.keys(invalid).entries()) refused.push([flaw, await read(flawed[index]!)]);
  const all = [shown.tester, ofFlags, shown.second, shown.restricted, ...refused.map(([, each]) => each)].filter(
    (each) => each !== undefined,
  );
  const query = [...(shown.tester?.query ?? []), ...(ofFlags.query ?? [])];
  const certificate = ofFlags.certificate ?? shown.tester?.certificate;
  return {
    headers: [...(shown.tester?.headers ?? []), ...ofFlags.headers],
    ...(query.length > 0 && { query }),
    ...(certificate && { certificate }),
    secrets: all.flatMap(({ secrets }) => secrets),
    principals: {
      ...(shown.second && { second: shownOf(shown.second) }),
      ...(shown.restricted && { restricted: shownOf(shown.restricted) }),
      ...(refused.length > 0 && {
        invalid: Object.fromEntries(refused.map(([flaw, each]) => [flaw, shownOf(each)])),
      }),
    },
  };
}

/** A principal of the file and its login; the secrets are named, but not read yet. */
interface NamedLogin {
  readonly owner: string;
  readonly given: GivenCredentials;
}

const namedLogin = (owner: string, settings: PrincipalSettings | undefined): NamedLogin | undefined =>
  settings && { owner, given: givenIn(settings) };

/** Returns the credentials to send to the agent, without the separate list of secrets. */
const shownOf = ({ secrets: _, ...shown }: Credentials): PrincipalCredentials => shown;

const fileCredentials = (
  { owner, given }: NamedLogin,
  { file, caller, obtainToken }: Readonly<{ file: string; caller: OptionCaller; obtainToken: ObtainToken }>,
): Promise<Credentials> =>
  credentialsOf(
    given,
    (name) =>
      caller.complain(`warning: ${name}: everyone who can read the file can read this secret. Use env:NAME or @file.`),
    obtainToken,
    namesIn(`${file}: principals.${owner}`, owner),
    readerIn(dirname(file)),
  );
