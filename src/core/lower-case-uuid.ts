const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * A UUID in lower case, as the server creates them (RFC 9562, section 4: case has no meaning); other text unchanged.
 */
export function lowerCaseUuid(text: string): string {
  return UUID.test(text) ? text.toLowerCase() : text
}
