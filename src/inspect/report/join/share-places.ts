import type { LinkFinding } from '../../../web/report/report.ts'

/**
 * Of links that a target lists one by one, though address and article are the same, each has its own place: the first
 * the first one, and so on; the last has what is left. Pure.
 *
 * @param findings those of one article and address stand together
 */
export function sharePlaces(findings: readonly LinkFinding[]): readonly LinkFinding[] {
  let at = 0
  return findings.map((finding, index) => {
    at = isSame(findings[index - 1], finding) ? at + 1 : 0
    const isLast = !isSame(findings[index + 1], finding)
    const { places } = finding
    if (places.length < 2 || (at === 0 && isLast)) return finding
    const first = Math.min(at, places.length - 1)
    return { ...finding, places: isLast ? places.slice(first) : places.slice(first, first + 1) }
  })
}

function isSame(one: LinkFinding | undefined, other: LinkFinding): boolean {
  return one !== undefined && one.article.id === other.article.id && one.url === other.url
}
