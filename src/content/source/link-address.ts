import { posix } from 'node:path'

/** The parts of a relative address. */
export interface LinkAddress {
  /** Percent-decoded. */
  readonly path: string
  /** `?query#fragment` as written. */
  readonly suffix: string
  /** As written, without `#`; undefined if there is none. */
  readonly fragment: string | undefined
}

export function splitAddress(url: string): LinkAddress {
  const cut = url.search(/[?#]/)
  const path = cut === -1 ? url : url.slice(0, cut)
  const suffix = cut === -1 ? '' : url.slice(cut)
  const hash = suffix.indexOf('#')
  return { path: decodeAddress(path), suffix, fragment: hash === -1 ? undefined : suffix.slice(hash + 1) }
}

/** True if an address, as written, is the path of a Markdown file. */
export function namesMarkdown(url: string): boolean {
  return /^[^?#]*\.mdx?(?:[?#]|$)/.test(url)
}

/** Percent-decodes an address; one with a stray `%` stays unchanged. */
export function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The source that `path` names in the file `from`; undefined outside the content folder. */
export function joinSource(from: string, path: string): string | undefined {
  const joined = path.startsWith('/') ? posix.normalize(path.slice(1)) : posix.join(posix.dirname(from), path)
  return joined === '..' || joined.startsWith('../') || joined.startsWith('/') ? undefined : joined
}

/** Candidates for the article that a source names: a folder stands for its index.md or README.md. */
export function articleCandidates(wanted: string): string[] {
  const source = wanted.normalize('NFC')
  const folder = source === '.' || source === './' ? '' : source.replace(/\/?$/, '/')
  return [source, ...FOLDER_PAGES.map((page) => `${folder}${page}`)]
}

const FOLDER_PAGES = ['index.md', 'README.md', 'readme.md']
