/** A webhook address that receives nothing: names below `.invalid` never resolve (RFC 6761 §6.4). */
export const nowhere = "https://assay.invalid/hooks";
