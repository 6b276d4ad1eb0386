// The guide is part of the package and is used to explain codes.
import { readFileSync } from 'node:fs'
import { DIAGNOSTICS } from '../../core/model/diagnostic-codes.ts'
import { packageFile } from '../../core/package-files.ts'
import { memoize } from '../../core/memoize.ts'

const GUIDE = packageFile('content/')

/** A page of the guide with a section for each code of a catalogue. */
interface GuidePage {
  readonly path: string
  readonly slug: string
}

const DIAGNOSTICS_PAGE: GuidePage = { path: 'troubleshooting/diagnostics.md', slug: 'diagnostics' }
const ERRORS_PAGE: GuidePage = { path: 'troubleshooting/errors.md', slug: 'errors' }

function pageOf(code: string): GuidePage {
  return code in DIAGNOSTICS ? DIAGNOSTICS_PAGE : ERRORS_PAGE
}

/** Returns a function that reads the Markdown below the heading of a code in the guide; undefined if there is none. */
export function createSectionReader(guide: URL = GUIDE): (code: string) => string | undefined {
  const sectionsIn = memoize((path: string) => readSections(new URL(path, guide)))
  return (code) => sectionsIn(pageOf(code).path).get(code)
}

function readSections(file: URL): ReadonlyMap<string, string> {
  const sections = readFileSync(file, 'utf8')
    .replaceAll('\r\n', '\n')
    .split(/^(?=#{1,6} )/m)
  return new Map(
    joinFences(sections).flatMap((section) => {
      const [, code, text = ''] = /^#{2,6} `([\w-]+)`\n([^]*)$/.exec(section) ?? []
      return code === undefined ? [] : [[code, text.trim()]]
    }),
  )
}

/** A line in a code block that looks like a heading belongs to the previous section. */
function joinFences(sections: readonly string[]): string[] {
  const joined: string[] = []
  for (const section of sections) {
    const before = joined.at(-1)
    const isOpen = before !== undefined && (before.match(/^ {0,3}(?:`{3,}|~{3,})/gm) ?? []).length % 2 === 1
    if (isOpen) joined[joined.length - 1] = before + section
    else joined.push(section)
  }
  return joined
}

/** Removes links between pages of the guide from Markdown, except in code. */
export function withoutPageLinks(markdown: string): string {
  return markdown.replace(
    /(```[^]*?```|`+[^`\n]+`+)|\[([^\]]*)\]\((?!https?:)[^)\s]*\)/g,
    (_, code: string | undefined, words: string | undefined) => code ?? words ?? '',
  )
}

/**
 * Returns the URL of a code in the guide: on the web if the package names a home page (that of the guide), else in the
 * installed guide.
 */
export function guideUrl(code: string, homepage?: string): string {
  return sectionUrl(pageOf(code), code.toLowerCase(), homepage)
}

/** Like `guideUrl`, for a section of any page. */
export function sectionUrl(
  { path, slug }: GuidePage,
  anchor: string,
  homepage: string | undefined = readHomepage(),
): string {
  if (homepage === undefined) return `${new URL(path, GUIDE).href}#${anchor}`
  return `${homepage.replace(/\/+$/, '')}/articles/${slug}#${anchor}`
}

function readHomepage(): string | undefined {
  const manifest = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
    readonly homepage?: string
  }
  return manifest.homepage
}
