/** Whether a text can be the name of a header (RFC 9110 §5.1). */
export const isHeaderName = (text: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(text);
