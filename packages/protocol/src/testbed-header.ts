/**
 * The response header by which the cards of Assay's own test bed are known; its value is `1`. Any server could send it,
 * so it is to be believed on loopback only.
 */
export const testbedHeader = "Assay-Testbed";
