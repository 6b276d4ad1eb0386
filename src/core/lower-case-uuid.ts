const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Converts a UUID to lower case, as the server creates it (RFC 9562, section 4); returns other text unchanged. */
export function lowerCaseUuid(text: string): string {
  return UUID.test(text) ? text.toLowerCase() : text
}
