// Rules that depend on all articles. A result for one article depends on the others, so it is not cached.
import { posix } from 'node:path'
import type { BrandSettings } from '../../core/config/settings.ts'
import { parseUrl } from '../../core/parse-url.ts'
import { escapePattern } from '../../core/escape-pattern.ts'
import type { Span } from '../../core/model/diagnostic.ts'
import type { LocalArticle, Document } from '../../core/model/document.ts'
import { didYouMean, didYouMeanUrl } from '../../core/nearest.ts'
import { accentWarnings } from '../../web/pages/brand/accent.ts'
import { isReported, type RuleCode, type RuleSettings } from '../../core/model/diagnostic-codes.ts'
import { type LocalTaxonomy, type LocalTag, lookUp } from '../../core/model/taxonomy.ts'
import { decodeAddress } from '../source/link-address.ts'
import { type SourceProblem, atField } from '../source/source-problem.ts'
import type { LinkNotes } from '../links/link-notes.ts'
import { findAlikeNames } from '../taxonomy/alike-names.ts'
import { memoize } from '../../core/memoize.ts'

interface CorpusView {
  readonly articles: readonly LocalArticle[]
  readonly taxonomy: LocalTaxonomy
  readonly links: LinkNotes
  /** Files that articles could use, by source. */
  readonly assets: readonly string[]
  /** True if all articles are known: an article with errors might use a tag, or link to another article. */
  readonly isComplete: boolean
  /** True if the text of every article could be read: an unreadable one might use any file. */
  readonly areTextsKnown: boolean
  readonly rules: RuleSettings
}

const NO_USES: ReadonlyMap<string, readonly TagUse[]> = new Map()

export function checkCorpus(view: CorpusView): SourceProblem[] {
  const { articles, taxonomy, links, assets, isComplete, areTextsKnown, rules } = view
  const isOn = (code: RuleCode) => isReported(code, rules)
  const unused = areTextsKnown && assets.length > 0 ? assetsUnused(assets, links.named) : []
  if (!isComplete) return unused
  // If a file lists the tags, similar ones are reported there.
  const looksForAlike = isOn('tags-alike') && taxonomy.tags === undefined
  const looksForSingle = isOn('tag-used-once')
  const uses = looksForAlike || looksForSingle ? collectTagUses(articles, taxonomy.tags) : NO_USES
  return [
    ...unused,
    ...(isOn('article-orphaned') ? articlesOrphaned(articles, links.linked) : []),
    ...(looksForSingle ? tagUsedOnce(uses) : []),
    ...(looksForAlike ? tagsAlike(uses) : []),
  ]
}

export interface CheckedPages extends Pick<BrandSettings, 'colours' | 'home' | 'header' | 'footer'> {
  /** Public URL of the pages. */
  readonly url?: string | undefined
  readonly urlOf: (article: Pick<LocalArticle, 'slug' | 'language'>) => string
  /** The configuration: its path from the content folder, and its text. */
  readonly source: string
  readonly text: string
}

/** Reports settings of the pages that do not match the articles or are unreadable for visitors. */
export function checkPages(
  articles: readonly LocalArticle[],
  pages: CheckedPages | undefined,
  isComplete: boolean,
): SourceProblem[] {
  if (pages === undefined) return []
  const { home, colours = {}, source, text } = pages
  const slugs = articles.flatMap(({ slug, language }) => (language === null ? [slug] : []))
  const known = new Set(slugs)
  const missing = isComplete ? (home?.featured ?? []).filter((slug) => !known.has(slug)) : []
  return [
    ...missing.map((slug) => ({
      source,
      problem: {
        code: 'featured-missing' as const,
        ...placeInConfig(text, 'featured', slug),
        message: `pages.home.featured: no article in the default language has the slug "${slug}".`,
        hint: didYouMean(slug, slugs) ?? 'Correct or remove it: the home page leaves it out.',
      },
    })),
    ...(isComplete ? findMissingPages(articles, pages) : []),
    ...accentWarnings(colours).map((message) => {
      const isDark = message.startsWith('pages.colours.dark')
      const colour = (isDark ? colours.dark?.accent : colours.accent) ?? ''
      const place = placeInConfig(text, isDark ? 'dark' : 'accent', colour)
      return { source, problem: { code: 'accent-contrast' as const, ...place, message } }
    }),
  ]
}

/** Reports links in the header and footer whose URLs look like those of articles but match none. */
function findMissingPages(articles: readonly LocalArticle[], pages: CheckedPages): SourceProblem[] {
  const { header = [], footer = [], url, urlOf, source, text } = pages
  const urls = new Set(articles.map((article) => pathOf(urlOf(article))))
  const folders = new Set([...urls].map((path) => posix.dirname(path)))
  const named = [
    ...header.map((link) => ['header', link] as const),
    ...footer.map((link) => ['footer', link] as const),
  ]
  const links = named.flatMap(([key, link]) =>
    (typeof link.url === 'string' ? [link.url] : Object.values(link.url)).map((written) => ({
      key,
      written,
    })),
  )
  return links.flatMap(({ key, written }) => {
    const path = pathOf(
      url !== undefined && written.startsWith(`${url}/`) ? written.slice(url.length) : written,
    )
    const folder = posix.dirname(path)
    if (urls.has(path) || folder === HERE || !folders.has(folder)) return []
    const renamed = articles.find(({ aliases = [], language }) =>
      aliases.some((slug) => pathOf(urlOf({ slug, language })) === path),
    )
    const now = renamed && pathOf(urlOf(renamed)).replace(HERE, '')
    return [
      {
        source,
        problem: {
          code: 'page-link-missing' as const,
          ...placeInConfig(text, key, written),
          message:
            renamed === undefined
              ? `pages.${key}: no article has the URL "${written}".`
              : `pages.${key}: "${written}" is an old URL of "${renamed.title}", which leads to the article.`,
          hint:
            now === undefined
              ? (didYouMeanUrl(
                  path,
                  [...urls].filter((each) => posix.dirname(each) === folder),
                )?.replace(HERE, '') ?? 'Correct the URL, or remove the link.')
              : `Write ${now}.`,
        },
      },
    ]
  })
}

/** A host that no URL has. */
const HERE = 'https://here.invalid'

/** Returns the decoded URL without query and fragment. */
function pathOf(url: string): string {
  const { origin, pathname } = parseUrl(url, HERE) ?? { origin: '', pathname: url }
  return origin + decodeAddress(pathname)
}

/** Returns the position of a quoted text after a key; the start of the file if it is written differently. */
function placeInConfig(text: string, key: string, value: string): Span {
  const pattern = String.raw`\b${key}\b[^]*?(['"\x60]${escapePattern(value)}['"\x60])`
  const found = new RegExp(pattern, 'd').exec(text)?.indices?.[1]
  if (found === undefined) return { line: 1, column: 1 }
  const [from, to] = found
  const line = text.slice(0, from).split('\n').length
  const column = from - text.lastIndexOf('\n', from - 1)
  return { line, column, end: { line, column: column + to - from } }
}

/** Reports tags that only one article uses, so that they lead to no other article. */
function tagUsedOnce(uses: ReadonlyMap<string, readonly TagUse[]>): SourceProblem[] {
  return [...uses].flatMap(([name, places]) => {
    const articles = new Set(places.map(({ document }) => document))
    const [use] = places
    if (use === undefined || articles.size > 1) return []
    const message = `No other article has the tag "${name}".`
    const hint = 'Add it to related articles, or remove it.'
    return [atField(use.document, `tags[${use.index}]`, { code: 'tag-used-once', message, hint })]
  })
}

/** Reports files that could be shown or linked but are not used. `named` are the used ones, in Unicode NFC. */
function assetsUnused(assets: readonly string[], named: ReadonlySet<string>): SourceProblem[] {
  return assets
    .filter((source) => !named.has(source.normalize('NFC')))
    .map((source) => ({
      source,
      problem: {
        code: 'asset-unused',
        line: 1,
        column: 1,
        message: 'No article, snippet or description uses this file.',
        hint: 'Use it, or delete it. Files whose names start with _ or a dot are ignored.',
      },
    }))
}

/**
 * Reports published articles without links to them. `linked`: sources to which other published articles and
 * descriptions in the taxonomy link. A folder's own page is an entry point; a translation is reached from its original.
 */
function articlesOrphaned(articles: readonly LocalArticle[], linked: ReadonlySet<string>): SourceProblem[] {
  return articles.flatMap((article) => {
    const isReached =
      article.status === 'draft' || article.original !== undefined || isFolderPage(article.source)
    if (isReached || linked.has(article.source)) return []
    const message = 'No other published article, category or tag links to this article.'
    const hint = 'Link to it from a related article, or from its category.'
    return [atField(article, 'title', { code: 'article-orphaned', message, hint })]
  })
}

function isFolderPage(source: string): boolean {
  return /(?:^|\/)(?:index|readme)\.[^./]+$/i.test(source)
}

interface TagUse {
  readonly document: Document
  /** Index in `document.tags`. */
  readonly index: number
}

/** Returns uses by tag, in order of the first use. Tags that are not in the taxonomy file count by spelling. */
function collectTagUses(documents: readonly Document[], tags: readonly LocalTag[] | undefined) {
  const uses = new Map<string, TagUse[]>()
  const nameOf = createNameOf(tags)
  for (const document of documents) {
    for (const [index, reference] of document.tags.entries()) {
      const name = nameOf(reference)
      const known = uses.get(name)
      if (known === undefined) uses.set(name, [{ document, index }])
      else known.push({ document, index })
    }
  }
  return uses
}

/** Cached, because thousands of articles use the same few tags. */
function createNameOf(tags: readonly LocalTag[] = []): (reference: string) => string {
  return memoize((reference) => {
    const found = lookUp(reference, tags)
    return found.kind === 'found' ? found.entry.name : reference.normalize('NFC')
  })
}

/** Reports nearly equal tags of articles, if no file lists the tags, at each use of the rarer one. */
function tagsAlike(uses: ReadonlyMap<string, readonly TagUse[]>): SourceProblem[] {
  const byFrequency = [...uses].toSorted(([, a], [, b]) => b.length - a.length).map(([name]) => name)
  return [...findAlikeNames(byFrequency)].flatMap(([name, other]) =>
    (uses.get(name) ?? []).map(({ document, index }) =>
      atField(document, `tags[${index}]`, {
        code: 'tags-alike',
        message: `The tag "${name}" is nearly the same as "${other}", which ${usedBy(uses.get(other))}.`,
        hint: `If you mean the same, write "${other}".`,
      }),
    ),
  )
}

function usedBy(uses: readonly TagUse[] = []): string {
  const articles = new Set(uses.map(({ document }) => document))
  const [first] = articles
  return articles.size === 1 ? `${first?.source} has` : `${articles.size} articles have`
}
