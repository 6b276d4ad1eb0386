// The original that a new article translates.
import { resolve } from 'node:path'
import type { Settings } from '../../core/config/settings.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { nearest } from '../../core/nearest.ts'
import { isInside, relativePath } from '../../core/paths.ts'

interface Search {
  readonly articles: readonly LocalArticle[]
  /** Every article, including those with errors. */
  readonly sources: readonly string[]
  readonly cwd: string
  /** The project folder. */
  readonly root: string
  readonly contentRoot: string
  /** Language of the new translation. */
  readonly language: string | null
}

/**
 * Finds the article with a slug, or with a path relative to `cwd`, the project or the content folder. If articles in
 * several languages have the slug, returns the original.
 *
 * @throws KbError USAGE
 */
export function findNamedArticle(reference: string, search: Search): LocalArticle {
  const { articles, sources, language } = search
  const paths = new Set(pathsOf(reference, search).map((path) => path.normalize('NFC')))
  const byPath = articles.find(({ source }) => paths.has(source.normalize('NFC')))
  if (byPath !== undefined) return byPath
  if (sources.some((source) => paths.has(source.normalize('NFC')))) {
    throw new KbError('USAGE', `${reference} has errors. Nothing was written.`, {
      hint: 'Run kb check, fix the errors, and run the command again.',
    })
  }
  const normalised = reference.normalize('NFC')
  const bySlug = articles.filter(({ slug }) => slug.normalize('NFC') === normalised)
  const fit = bySlug.find((article) => article.translationOf === undefined && article.language !== language)
  return fit ?? bySlug[0] ?? refuse(reference, articles)
}

function pathsOf(reference: string, { cwd, root, contentRoot }: Search): string[] {
  return [cwd, root, contentRoot]
    .map((base) => resolve(base, reference))
    .filter((path) => isInside(contentRoot, path))
    .map((path) => relativePath(contentRoot, path))
}

function refuse(reference: string, articles: readonly LocalArticle[]): never {
  const meant = nearest(reference, [...new Set(articles.flatMap(({ slug, source }) => [slug, source]))])
  throw new KbError('USAGE', `There is no article with the slug or path ${reference}. Nothing was written.`, {
    hint: meant === undefined ? 'Name the original by its slug or its path.' : `Did you mean ${meant}?`,
  })
}

/** @throws KbError USAGE if `original` cannot have a translation, or has one */
export function assertTranslatable(
  original: LocalArticle,
  language: string,
  articles: readonly LocalArticle[],
  { defaultLanguage }: Settings,
): void {
  const { source } = original
  if ((original.language ?? defaultLanguage) === language) {
    throw new KbError('USAGE', `${source} is already in ${language}. Nothing was written.`, {
      hint: 'A translation must be in a different language from its original.',
    })
  }
  if (original.translationOf !== undefined) {
    throw new KbError('USAGE', `${source} is itself a translation. Nothing was written.`, {
      hint: `Name the original: --translation-of ${original.original ?? original.translationOf}.`,
    })
  }
  const other = articles.find(
    (article) => article.original === source && (article.language ?? defaultLanguage) === language,
  )
  if (other !== undefined) {
    throw new KbError(
      'USAGE',
      `${source} has a translation into ${language}: ${other.source}. Nothing was written.`,
      { hint: 'Edit that file.' },
    )
  }
}
