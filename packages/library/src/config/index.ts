/** Turns the options of a call and assay.yaml into the settings of a test. */
export { assayYamlSchema, readAssayYaml, usualConfig } from "./assay-yaml.ts";
export {
  type BaselineOutcome,
  baselineText,
  entryName,
  judgeBaseline,
  readBaseline,
  updatedBaseline,
  usualBaseline,
} from "./baseline.ts";
export { checkedRules } from "./client-rules.ts";
export { sendingLines } from "./config-secrets.ts";
export { schemaOf } from "./kind-schema.ts";
export { isSameAddress, type Project, projectsFor } from "./project.ts";
export { readYaml } from "./read-yaml.ts";
export { type Settings, settingsOf, webhookOf } from "./settings.ts";
