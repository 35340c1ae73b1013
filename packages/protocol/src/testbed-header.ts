/**
 * The response header that marks cards of Assay's own test bed; its value is `1`. Any server could send it, so trust it
 * only on loopback.
 */
export const testbedHeader = "Assay-Testbed";
