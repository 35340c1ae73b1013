/** The response header by which the cards of Assay's own test bed are known. Believed from loopback only. */
export const testbedHeader = "Assay-Testbed";
