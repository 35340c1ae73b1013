import { statusBody } from "./status-body.ts";

/** Returns the parsed body of an error. status-body.test.ts tests its format. */
export const statusError = (code: number, message: string): unknown => JSON.parse(statusBody(code, message));
