import { escapeText } from "@assay/protocol/escape";
import { parseAddress } from "../connection/connection.ts";
import type { OptionCaller } from "../connection/option-caller.ts";
import { secretUses } from "../connection/secret-use.ts";
import type { PrincipalSettings } from "./assay-yaml.ts";
import { givenIn, namesIn } from "./principal-credentials.ts";
import type { Project } from "./project.ts";

/** `--untrusted-config`: splits an untrusted file into the accepted and the ignored settings. */
export async function withoutTrust(
  project: Project,
  address: string | undefined,
  caller: OptionCaller,
): Promise<Project> {
  const { start, trustHosts, allowHosts, card, principals, ...harmless } = project;
  const refused: string[] = [];
  const refuse = (name: string, values: readonly string[]): void => {
    if (values.length) refused.push(`  ${name}: ${values.join(", ")}`);
  };
  refuse("start", start === undefined ? [] : [start]);
  refuse("trustHosts", trustHosts ?? []);
  refuse("allowHosts", allowHosts ?? []);
  const isElsewhere = card !== undefined && !(address !== undefined && originOf(card) === originOf(address));
  // Assay would send the credentials of the command line to a card on another host.
  refuse("card", isElsewhere ? [card] : []);
  const admitted = async <T extends PrincipalSettings>(
    owner: string,
    settings: T | undefined,
  ): Promise<T | undefined> => {
    const uses = settings ? await secretUses(givenIn(settings), [], namesIn(`principals.${owner}`, owner)) : [];
    refuse(`principals.${owner}`, [...new Set(uses.map(({ reference }) => reference))]);
    return uses.length ? undefined : settings;
  };
  const kept = {
    default: await admitted("default", principals?.default),
    second: await admitted("second", principals?.second),
    restricted: await admitted("restricted", principals?.restricted),
  };
  const invalid: Record<string, PrincipalSettings> = {};
  for (const [flaw, settings] of Object.entries(principals?.invalid ?? {})) {
    const left = await admitted(`invalid.${flaw}`, settings);
    if (left) invalid[flaw] = left;
  }
  if (refused.length)
    caller.complain(
      escapeText(`--untrusted-config: ignored in ${project.file ?? "the file"}:`).concat(
        "\n",
        refused.map(escapeText).join("\n"),
      ),
    );
  return {
    ...harmless,
    ...(card !== undefined && !isElsewhere && { card }),
    ...(principals && { principals: { ...kept, invalid } }),
  };
}

const originOf = (address: string): string => parseAddress(address).origin;
