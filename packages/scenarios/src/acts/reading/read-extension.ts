import { defined } from "@assay/protocol";
import { type Expectation, extensionKey, type Whereabouts } from "../model.ts";
import type { ActsPage } from "./page.ts";
import { readExpectation } from "./read-expectation.ts";
import { RecordReader } from "./record.ts";

// Assay's extensions are under one key, so that no other runner confuses them with its own.

const extensionOf = (page: ActsPage, holder: RecordReader): RecordReader | undefined => {
  const node = holder.take(extensionKey);
  if (!node) return undefined;
  const extension = new RecordReader(page, node, extensionKey);
  return extension.isRecord ? extension : undefined;
};

/** Reads the agent and the row prefix for the tests of a document or a suite; the innermost wins. */
export function readWhereabouts(page: ActsPage, holder: RecordReader, outer: Whereabouts = {}): Whereabouts {
  const extension = extensionOf(page, holder);
  if (!extension) return outer;
  const agent = extension.text("agent");
  if (agent !== undefined && !/^[^/\s]\S*$/.test(agent))
    page.wrong(
      extension.take("agent"),
      `${extensionKey}.agent: expected a path relative to --url (for example spec), found ${JSON.stringify(agent)}`,
    );
  const rows = extension.text("rows");
  const since = extension.text("since");
  extension.close();
  return {
    ...outer,
    ...defined({ agent, rows, since }),
  };
}

/** Reads a step's additional headers, and the first version that defines its expectation. */
export function readStepExtension(
  page: ActsPage,
  step: RecordReader,
): { readonly sentHeaders: Readonly<Record<string, string>>; readonly since?: string } {
  const extension = extensionOf(page, step);
  if (!extension) return { sentHeaders: {} };
  const sentHeaders = extension.map("headers");
  const since = extension.text("since");
  extension.close();
  return { sentHeaders, ...(since !== undefined && { since }) };
}

/** Reads the first version that defines an assertion's expectation. */
export function readSince(page: ActsPage, assertion: RecordReader): string | undefined {
  const extension = extensionOf(page, assertion);
  const since = extension?.text("since");
  extension?.close();
  return since;
}

/** Reads the expected response headers, and when to leave a stream. */
export function readAnswerExtension(
  page: ActsPage,
  holder: RecordReader,
  { isStream = false } = {},
): { readonly headers?: Expectation; readonly leaveAfter?: number } {
  const extension = extensionOf(page, holder);
  if (!extension) return {};
  const headers = extension.take("headers");
  const leaveAfter = isStream ? extension.count("leave_after") : undefined;
  extension.close();
  return {
    ...(headers && { headers: readExpectation(page, headers) }),
    ...(leaveAfter !== undefined && { leaveAfter }),
  };
}
