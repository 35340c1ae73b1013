/** A place in an answer as it crossed, as a place in what the envelope of the binding holds. */
export const payloadPath = (path: string): string => path.replace(/^\$\.result(?=$|[.[])/, "$");
