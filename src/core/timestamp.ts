/** A calendar date or an ISO 8601 timestamp as a timestamp in UTC; without an offset, it is in UTC. */
export function toTimestamp(text: string): string {
  const isLocal = text.includes('T') && !/(?:Z|[+-]\d\d:?\d\d)$/i.test(text)
  return new Date(isLocal ? `${text}Z` : text).toISOString()
}
