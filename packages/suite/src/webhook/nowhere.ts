/** A webhook address for configurations to which nothing is to be sent: no name below `.invalid` resolves (RFC 6761 §6.4). */
export const nowhere = "https://assay.invalid/hooks";
