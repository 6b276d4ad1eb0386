const DURATION_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const SIZE_BYTES = { B: 1, kB: 1000, MB: 1_000_000 } as const

/** Parses `500ms`, `30s`, `5m`, `2h` or `180d` as milliseconds; undefined if the text is not a duration. */
export function parseDurationMs(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text)
  if (match === null) return undefined
  return Number(match[1]) * DURATION_MS[match[2] as keyof typeof DURATION_MS]
}

/** Parses `800B`, `32kB` or `1.5MB` (decimal units) as bytes; undefined if the text is not a size. */
export function parseSizeBytes(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(B|kB|MB)$/.exec(text)
  if (match === null) return undefined
  return Math.round(Number(match[1]) * SIZE_BYTES[match[2] as keyof typeof SIZE_BYTES])
}

/** Formats a size: `800 B`, `32 kB`, `1.5 MB` (decimal units). */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const [unit, factor] = bytes < 1e6 ? ['kB', 1e3] : bytes < 1e9 ? ['MB', 1e6] : ['GB', 1e9]
  const amount = bytes / factor
  return `${amount.toFixed(amount < 10 ? 1 : 0)} ${unit}`
}
