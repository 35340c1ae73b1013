import { type JsonObject, jsonObjectIn } from "@assay/protocol";
import { asList, asObject, asObjects, asText, brief } from "../../answers/loose-json.ts";
import { activeCheck, cardCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";

export const authenticationFits = cardCheck("V01-CARD-001", {
  judge({ json }) {
    const authentication = json["authentication"];
    if (authentication === undefined || authentication === null)
      return notApplicable("the card requires no authentication");
    const want = "authentication: {schemes: a list of names, credentials: a string}";
    const details = { saw: `authentication: ${brief(authentication)}`, want };
    const { schemes, credentials } = asObject(authentication) ?? {};
    if (!asObject(authentication)) return broken("authentication is not an object", details);
    if (typeof schemes === "string")
      return breach("text-for-list", "authentication.schemes is a string instead of a list", details);
    if (!Array.isArray(schemes)) return broken("authentication has no list of schemes", details);
    if (schemes.some((name) => typeof name !== "string"))
      return broken("authentication.schemes contains something other than names", details);
    if (credentials === undefined || credentials === null || typeof credentials === "string") return holds();
    return asObject(credentials)
      ? breach("object-for-text", "authentication.credentials is an object instead of a string", details)
      : broken("authentication.credentials is not a string", details);
  },
});

const unofficial = "no official version requires it, but guides do";

export const skillsNameModes = cardCheck("V01-CARD-002", {
  judge({ json }) {
    const skills = asObjects(json["skills"]);
    if (skills.length === 0) return notApplicable("the card lists no skill");
    const isBare = (skill: JsonObject): boolean =>
      asList(skill["inputModes"]).length === 0 || asList(skill["outputModes"]).length === 0;
    const bare = skills.find(isBare);
    if (!bare) return holds();
    return broken("a skill has no inputModes or no outputModes", {
      saw: brief({ id: bare["id"], inputModes: bare["inputModes"], outputModes: bare["outputModes"] }),
      want: `inputModes and outputModes with at least one entry (${unofficial})`,
    });
  },
});

/** Members that clients of that version look for under each scheme. */
const details: readonly { readonly scheme: RegExp; readonly key: string; readonly member: string }[] = [
  { scheme: /^oauth2?$/i, key: "oauth2", member: "tokenUrl" },
  { scheme: /^api-?key$/i, key: "apiKey", member: "headerName" },
];

export const credentialsTell = cardCheck("V01-CARD-003", {
  judge({ json }) {
    const authentication = asObject(json["authentication"]) ?? {};
    const names = [authentication["schemes"]].flat().flatMap((name) => asText(name) ?? []);
    const asked = details.filter(({ scheme }) => names.some((name) => scheme.test(name)));
    if (asked.length === 0) return notApplicable("the card lists neither oauth2 nor apiKey");
    const credentials = credentialsIn(authentication["credentials"]);
    return asked.map(({ key, member }): Finding => {
      const own = asObject(credentials?.[key]) ?? credentials;
      // The official text has an OpenAPI object for each, where the header is called `name`.
      const said = own?.[member] ?? (member === "headerName" ? own?.["name"] : undefined);
      if (asText(said)) return holds();
      return broken(`authentication.credentials has no ${member} for ${key}`, {
        saw: `credentials: ${brief(authentication["credentials"])}`,
        want: `${member} under ${key} (${unofficial})`,
      });
    });
  },
});

/** Reads an object, or a string with the JSON of an object. */
function credentialsIn(value: unknown): JsonObject | undefined {
  return typeof value === "string" ? jsonObjectIn(value) : asObject(value);
}

export const cardIsPublic = activeCheck("V01-AUTH-001", {
  once: true,
  withoutLogin: true,
  async judge(_seen, target) {
    const anonymous = target.as("anonymous") ?? target;
    const exchange = await anonymous.fetch({ method: "GET", url: target.facts.cardUrl });
    const status = exchange.http.response?.status;
    if (status === undefined) return notExamined("unstable", "the card could not be fetched again");
    if (status !== 401 && status !== 403) return holds();
    return broken("the agent serves its card only with authentication", {
      saw: `HTTP ${status} for ${brief(target.facts.cardUrl, 100)}`,
      want: "the card, so that clients learn how to authenticate",
      at: exchange,
    });
  },
});
