import { A2AError, extensionsHeader, olderExtensionsHeader, readExtensions } from "@assay/protocol";
import type { Admission, RequestHead } from "../definition/admission.ts";
import type { AgentDefinition } from "../definition/agent.ts";
import { type Divergence, full, strict } from "../definition/divergence.ts";
import type { Extension } from "../definition/skill.ts";
import { withExtensionMethod } from "../mutation/extension-method.ts";
import { changeAnswers } from "../mutation/http.ts";
import { eachObject, inJson } from "../mutation/json.ts";

/** Reads the header by its current name or by that before 1.0. */
const listIn = (headers: RequestHead["headers"]): string | undefined => {
  const list = headers["a2a-extensions"] ?? headers["x-a2a-extensions"];
  return list === undefined ? undefined : String(list);
};

const askedBy = ({ headers }: RequestHead): string[] => readExtensions(listIn(headers));

/** Treats a request as one that asks for these extensions. */
const asks =
  (uris: (asked: string[], agent: AgentDefinition, head: RequestHead) => string[]) =>
  (admission: Admission): Admission => ({
    ...admission,
    extensions(head, agent) {
      const asked = uris(askedBy(head), agent, head).join(",");
      return admission.extensions({ ...head, headers: { ...head.headers, "a2a-extensions": asked } }, agent);
    },
  });

/** Matches such extensions by name and ignores their version. */
const byPrefix = (isLoose: (extension: Extension) => boolean) =>
  asks((asked, { extensions = [] }) =>
    extensions.flatMap((extension) => {
      const name = isLoose(extension) ? extension.uri.replace(/\d+$/, "") : extension.uri;
      return asked.some((each) => each.startsWith(name)) ? [extension.uri] : [];
    }),
  );

export const extensionMutants: readonly Divergence[] = [
  strict("EXT-008.decoration", "The agent serves requests that do not declare its required extension.", {
    admission: (admission) => ({
      ...admission,
      extensions: (head, agent) =>
        admission.extensions(head, {
          ...agent,
          extensions: agent.extensions?.map((extension) => ({ ...extension, required: false })) ?? [],
        }),
    }),
  }),

  full("EXT-011.echoes", "A2A-Extensions of the response lists every requested extension, even unknown ones.", {
    http: changeAnswers((answer, { headers }) => {
      const asked = listIn(headers);
      return asked !== undefined && answer.status === 200
        ? { ...answer, headers: { ...answer.headers, "A2A-Extensions": asked } }
        : answer;
    }),
  }),

  full("EXT-012.keyed", "The extensions of an artifact are an object keyed by URI.", {
    codec: inJson((json) =>
      eachObject(json, (object) => ("artifactId" in object ? { ...object, extensions: { "urn:x:v1": {} } } : object)),
    ),
  }),

  full("EXT-005.always", "The agent applies its extensions to every response, requested or not.", {
    admission: asks((_asked, { extensions = [] }) => extensions.map(({ uri }) => uri)),
  }),

  full("EXT-006.refuses", "The agent rejects requests that name an unknown extension.", {
    admission: asks((asked, { extensions = [] }) => {
      const unknown = asked.find((uri) => !extensions.some((each) => each.uri === uri));
      if (unknown === undefined) return asked;
      throw new A2AError("ExtensionSupportRequired", `This agent does not have the extension ${unknown}`);
    }),
  }),

  full("EXT-007.prefix", "A request for another version of an extension activates the supported version.", {
    admission: byPrefix(({ required }) => !required),
  }),

  strict("EXT-009.prefix", "The agent accepts any version of its required extension.", {
    admission: byPrefix(({ required }) => required),
  }),

  full("EXT-010.silent", "Responses do not say which extensions are active.", {
    http: changeAnswers(({ headers, ...answer }) => {
      const { [extensionsHeader]: _active, [olderExtensionsHeader]: _then, ...others } = headers;
      return { ...answer, headers: others };
    }),
  }),

  full("EXT-013.new-member", "An extension adds a member to artifacts.", {
    codec: inJson((json) =>
      eachObject(json, (object) =>
        "artifactId" in object && "extensions" in object ? { ...object, cost: 3 } : object,
      ),
    ),
  }),

  {
    id: "EXT-015.open",
    base: "secure",
    does: "The method of an extension works without credentials.",
    differs: () => withExtensionMethod({ isOpen: true }),
  },

  full("EXT-018.untrimmed", "The agent does not trim spaces around extension URIs.", {
    admission: asks((_asked, _agent, { headers }) =>
      (listIn(headers) ?? "").split(",").filter((uri) => uri === uri.trim()),
    ),
  }),

  full("EXT-020.refuses", "The agent rejects requests with an unknown A2A- header.", {
    admission: asks((asked, _agent, { headers }) => {
      const known = ["a2a-version", "a2a-extensions"];
      const strange = Object.keys(headers).find((name) => name.startsWith("a2a-") && !known.includes(name));
      if (strange === undefined) return asked;
      throw new A2AError("InvalidParams", `What is ${strange}?`);
    }),
  }),
];
