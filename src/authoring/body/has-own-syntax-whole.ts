import { tokensOf } from './source-tokens.ts'

/**
 * Whether an edited text has shortcodes, tags and expressions as a text of its author may have them: none more often than
 * in `source` or in `written`, and of those that have an end, as many ends for each beginning as in `source`. Readers see
 * nothing of many of them, so that a text without its ends may look the same.
 */
export function hasOwnSyntaxWhole(text: string, source: string, written: string): boolean {
  const [own, inSource, inWritten] = [text, source, written].map(ownTokens) as [string[], string[], string[]]
  const [counts, former, plain] = [countEach(own), countEach(inSource), countEach(inWritten)]
  for (const [token, count] of counts)
    if (count > Math.max(former.get(token) ?? 0, plain.get(token) ?? 0)) return false
  const ended = new Set([...own, ...inSource].flatMap((token) => endOf(token) ?? []))
  return [...ended].every((name) => openOf(name, own) === openOf(name, inSource))
}

function ownTokens(text: string): string[] {
  return tokensOf(text).filter((token) => /^(?:\{.*\}|<.*>)$/s.test(token))
}

function countEach(tokens: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1)
  return counts
}

/** How many beginnings of that name have no end. */
function openOf(name: string, tokens: readonly string[]): number {
  const steps = tokens.map((token) => (endOf(token) === name ? -1 : beginOf(token) === name ? 1 : 0))
  return steps.reduce<number>((sum, step) => sum + step, 0)
}

function endOf(token: string): string | undefined {
  return /^(?:\{\{[<%]\s*|<)(\/[^\s<>%}]+)/.exec(token)?.[1]?.slice(1)
}

function beginOf(token: string): string | undefined {
  return /\/\s*(?:[>%]\}\}|>)$/.test(token) ? undefined : /^(?:\{\{[<%]\s*|<)([^\s<>%}/!]+)/.exec(token)?.[1]
}
