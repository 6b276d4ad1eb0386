import type { PageAddresses } from './page-addresses.ts'
import { escapePattern } from '../../core/escape-pattern.ts'
import { tryTo } from '../../core/try-to.ts'

type PlaceKind = 'article' | 'category' | 'tag'

/** A possible target of a path. */
export interface PagePath {
  readonly kind: PlaceKind
  readonly slug: string
  /** Language in the path; undefined if it has none. */
  readonly language: string | undefined
}

/**
 * Creates a function that parses paths (percent-encoded, as in a URL) by the patterns of `addresses`. If several
 * patterns match, the most specific one comes first.
 */
export function createAddressReader(addresses: PageAddresses): (path: string) => readonly PagePath[] {
  const kinds: readonly PlaceKind[] = ['article', 'category', 'tag']
  const patterns = kinds
    .map((kind) => ({ kind, ...compilePattern(addresses[kind]) }))
    .toSorted((a, b) => b.fixed - a.fixed)
  return (path) =>
    patterns.flatMap(({ kind, expression }) => {
      const groups = expression.exec(path)?.groups
      const slug = decode(groups?.['slug'])
      return slug === undefined ? [] : [{ kind, slug, language: decode(groups?.['language']) }]
    })
}

function compilePattern(pattern: string): { readonly expression: RegExp; readonly fixed: number } {
  const seen = new Set<string>()
  const parts = pattern.split(/(\{slug\}|\{language\})/).map((part) => {
    const name = /^\{(slug|language)\}$/.exec(part)?.[1]
    if (name === undefined) return escapePattern(encodeURI(part))
    if (seen.has(name)) return String.raw`\k<${name}>`
    seen.add(name)
    return `(?<${name}>[^/]+${name === 'slug' ? '' : '?'})`
  })
  return {
    expression: new RegExp(`^${parts.join('')}/?$`),
    fixed: pattern.replaceAll(/\{(?:slug|language)\}/g, '').length,
  }
}

function decode(text: string | undefined): string | undefined {
  return text === undefined ? undefined : tryTo(() => decodeURIComponent(text))
}
