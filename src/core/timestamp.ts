/** Converts a calendar date or an ISO 8601 timestamp to a UTC timestamp. Without an offset, it is in UTC. */
export function toTimestamp(text: string): string {
  const isLocal = text.includes('T') && !/(?:Z|[+-]\d\d:?\d\d)$/i.test(text)
  return new Date(isLocal ? `${text}Z` : text).toISOString()
}
