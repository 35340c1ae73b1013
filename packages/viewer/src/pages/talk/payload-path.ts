/** Converts a path in the raw response to a path in the payload inside the envelope of the binding. */
export const payloadPath = (path: string): string => path.replace(/^\$\.result(?=$|[.[])/, "$");
