import { A2AError, extensionsHeader, olderExtensionsHeader, readExtensions } from "@assay/protocol";
import type { AgentDefinition } from "../agent.ts";
import type { Extension } from "../define.ts";
import { type Divergence, mutant } from "../mutant.ts";
import { withExtensionMethod } from "../mutation/extension-method.ts";
import { changeAnswers } from "../mutation/http.ts";
import { eachObject, inJson } from "../mutation/json.ts";
import type { Admission, RequestHead } from "../server/admission.ts";

/** By the name of now, or by that of before 1.0. */
const listIn = (headers: RequestHead["headers"]): string | undefined => {
  const list = headers["a2a-extensions"] ?? headers["x-a2a-extensions"];
  return list === undefined ? undefined : String(list);
};

const askedBy = ({ headers }: RequestHead): string[] => readExtensions(listIn(headers));

/** A request is taken for one that asks for these extensions. */
const asks =
  (uris: (asked: string[], agent: AgentDefinition, head: RequestHead) => string[]) =>
  (admission: Admission): Admission => ({
    ...admission,
    extensions(head, agent) {
      const asked = uris(askedBy(head), agent, head).join(",");
      return admission.extensions({ ...head, headers: { ...head.headers, "a2a-extensions": asked } }, agent);
    },
  });

/** Of extensions like these it looks at the name and not at the version. */
const byPrefix = (isLoose: (extension: Extension) => boolean) =>
  asks((asked, { extensions = [] }) =>
    extensions.flatMap((extension) => {
      const name = isLoose(extension) ? extension.uri.replace(/\d+$/, "") : extension.uri;
      return asked.some((each) => each.startsWith(name)) ? [extension.uri] : [];
    }),
  );

export const extensionMutants: readonly Divergence[] = [
  mutant("EXT-008.decoration", "strict", "Serves clients that do not declare the extension it requires.", {
    admission: (admission) => ({
      ...admission,
      extensions: (head, agent) =>
        admission.extensions(head, {
          ...agent,
          extensions: agent.extensions?.map((extension) => ({ ...extension, required: false })) ?? [],
        }),
    }),
  }),

  mutant("EXT-011.echoes", "full", "Lists every extension that was asked for as active, those it does not know too.", {
    http: changeAnswers((answer, { headers }) => {
      const asked = listIn(headers);
      return asked !== undefined && answer.status === 200
        ? { ...answer, headers: { ...answer.headers, "A2A-Extensions": asked } }
        : answer;
    }),
  }),

  mutant("EXT-012.keyed", "full", "Lists the extensions that contributed to an artifact as the keys of an object.", {
    codec: inJson((json) =>
      eachObject(json, (object) => ("artifactId" in object ? { ...object, extensions: { "urn:x:v1": {} } } : object)),
    ),
  }),

  mutant("EXT-005.always", "full", "Applies all its extensions, requested or not.", {
    admission: asks((_asked, { extensions = [] }) => extensions.map(({ uri }) => uri)),
  }),

  mutant("EXT-006.refuses", "full", "Refuses requests for an extension that it does not have.", {
    admission: asks((asked, { extensions = [] }) => {
      const unknown = asked.find((uri) => !extensions.some((each) => each.uri === uri));
      if (unknown === undefined) return asked;
      throw new A2AError("ExtensionSupportRequired", `This agent does not have the extension ${unknown}`);
    }),
  }),

  mutant("EXT-007.prefix", "full", "Applies its version of an extension where another version is asked for.", {
    admission: byPrefix(({ required }) => !required),
  }),

  mutant("EXT-009.prefix", "strict", "Takes any version of the extension it requires for the right one.", {
    admission: byPrefix(({ required }) => required),
  }),

  mutant("EXT-010.silent", "full", "Does not say which extensions are active.", {
    http: changeAnswers(({ headers, ...answer }) => {
      const { [extensionsHeader]: _active, [olderExtensionsHeader]: _then, ...others } = headers;
      return { ...answer, headers: others };
    }),
  }),

  mutant("EXT-013.new-member", "full", "Its extensions add a member to artifacts.", {
    codec: inJson((json) =>
      eachObject(json, (object) =>
        "artifactId" in object && "extensions" in object ? { ...object, cost: 3 } : object,
      ),
    ),
  }),

  {
    id: "EXT-015.open",
    base: "secure",
    does: "Serves the method that its extension brings without a login.",
    differs: () => withExtensionMethod({ isOpen: true }),
  },

  mutant("EXT-018.untrimmed", "full", "Finds no extension with a blank before or behind it.", {
    admission: asks((_asked, _agent, { headers }) =>
      (listIn(headers) ?? "").split(",").filter((uri) => uri === uri.trim()),
    ),
  }),

  mutant("EXT-020.refuses", "full", "Refuses requests with a header that begins with A2A- and that it does not know.", {
    admission: asks((asked, _agent, { headers }) => {
      const known = ["a2a-version", "a2a-extensions"];
      const strange = Object.keys(headers).find((name) => name.startsWith("a2a-") && !known.includes(name));
      if (strange === undefined) return asked;
      throw new A2AError("InvalidParams", `What is ${strange}?`);
    }),
  }),
];
