/** Returns true if a text is a valid header name (RFC 9110 §5.1). */
export const isHeaderName = (text: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(text);
