import { statusBody } from "./status-body.ts";

/** The body of a refusal, parsed; its shape is the matter of status-body.test.ts. */
export const statusError = (code: number, message: string): unknown => JSON.parse(statusBody(code, message));
