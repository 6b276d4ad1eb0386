// Where a written article is stored: its language, its original, and its counterpart with the same slug.
import type { Session } from './query.ts'
import { type ArticleRow, articleQueries, type ArticleHead } from './article-queries.ts'
import type { ArticleRefusal, ArticleInput, UnknownLanguage } from './records.ts'
import { taxonQueries } from './taxon-queries.ts'
import { groupBy } from '../../core/group-by.ts'
import { siteQueries } from './site-queries.ts'

/** Where an article is stored, and its counterpart with the same slug: its draft, or its published version. */
export interface ResolvedPlace {
  readonly kind: 'resolved'
  readonly language: string
  readonly languageParent: string | null
  readonly counterpart: string | undefined
}

/** @returns the stored articles of a language that have one of these slugs, by slug */
export async function readAtSlugs(
  session: Session,
  siteId: string,
  language: string,
  slugs: readonly string[],
) {
  const rows = await session.all(articleQueries.bySlugs, { siteId, language, slugs: JSON.stringify(slugs) })
  return groupBy(rows, ({ slug }) => slug)
}

export type ArticlesBySlug = Awaited<ReturnType<typeof readAtSlugs>>

/** @param beside from `readAtSlugs`, for its language */
export function pairWithCounterpart(
  article: ArticleInput,
  { language, languageParent }: LanguagePlace,
  beside: ArticlesBySlug | undefined,
  present?: ArticleHead,
): ResolvedPlace | ArticleRefusal {
  const others = (beside?.get(article.slug) ?? []).filter(({ id }) => id !== present?.id)
  const taken = others.find(({ status }) => status === article.status)
  if (taken !== undefined) return { kind: 'slug-taken', by: taken.name }
  return { kind: 'resolved', language, languageParent, counterpart: others[0]?.id }
}

export async function findUnknownItem(
  session: Session,
  siteId: string,
  { categoryIds, tagIds = [] }: ArticleInput,
): Promise<ArticleRefusal | undefined> {
  const missing = await Promise.all([
    findUnknown(session, siteId, 'categories', categoryIds),
    findUnknown(session, siteId, 'tags', tagIds),
  ])
  return missing.find((each) => each !== undefined)
}

async function findUnknown(
  session: Session,
  siteId: string,
  list: 'categories' | 'tags',
  ids: readonly string[],
): Promise<ArticleRefusal | undefined> {
  const distinct = [...new Set(ids)]
  const known = await Promise.all(
    distinct.map((id) => session.first(taxonQueries[list].exists, { siteId, id })),
  )
  const index = known.indexOf(undefined)
  return index < 0 ? undefined : { kind: 'unknown-item', list, index: ids.indexOf(distinct[index] ?? '') }
}

/** Makes the draft with the same slug the draft of a written published article. */
export async function adoptDraft(session: Session, row: ArticleRow, place: ResolvedPlace): Promise<void> {
  const { counterpart } = place
  if (counterpart === undefined || row.status === 'draft') return
  await session.run(articleQueries.adopt, { id: counterpart, parentId: row.id })
}

/** The default language is stored as ''. */
export const DEFAULT_LANGUAGE = ''

/** The language in which the site stores an article to write. */
export interface LanguagePlace {
  readonly kind: 'placed'
  readonly language: string
  readonly languageParent: string | null
}

interface Translation {
  readonly slug: string
  readonly status: string
  readonly language: string
  readonly parentId: string
}

/** Returns the form of a code in the tables, or the enabled codes if it is not one of them. */
export async function findLanguage(
  session: Session,
  siteId: string,
  code: string,
): Promise<{ readonly kind: 'enabled'; readonly language: string } | UnknownLanguage> {
  const languages = (await session.all(siteQueries.languages, { siteId })).map((row) => row.code)
  if (!languages.includes(code)) return { kind: 'unknown-language', languages }
  return { kind: 'enabled', language: code === languages[0] ? DEFAULT_LANGUAGE : code }
}

/** Determines the language of a written article. @param present the current article; undefined for a new one */
export async function placeInLanguage(
  session: Session,
  siteId: string,
  article: ArticleInput,
  present: ArticleHead | undefined,
): Promise<LanguagePlace | ArticleRefusal> {
  const found =
    article.language === undefined ? undefined : await findLanguage(session, siteId, article.language)
  if (found?.kind === 'unknown-language') return found
  const language = found?.language ?? present?.language ?? DEFAULT_LANGUAGE
  const { languageParent = present?.language_parent ?? null } = article
  const placed: LanguagePlace = { kind: 'placed', language, languageParent }
  const refusal =
    languageParent === null
      ? await checkOriginal(session, placed, present)
      : await checkTranslation(session, siteId, { ...article, language, parentId: languageParent }, present)
  return refusal ?? placed
}

/** Rejects an original in the language of one of its translations. */
async function checkOriginal(
  session: Session,
  { language }: LanguagePlace,
  present: ArticleHead | undefined,
): Promise<ArticleRefusal | undefined> {
  if (present === undefined || present.language === language) return undefined
  const translations = await session.all(articleQueries.translations, { originalId: present.id })
  const same = translations.find((other) => other.language === language)
  return same && { kind: 'translation-exists', language, by: same.name }
}

async function checkTranslation(
  session: Session,
  siteId: string,
  wanted: Translation,
  present: ArticleHead | undefined,
): Promise<ArticleRefusal | undefined> {
  if (wanted.parentId === present?.id) return { kind: 'own-language-parent' }
  const parent = await session.first(articleQueries.byId, { siteId, id: wanted.parentId })
  if (parent === undefined) return { kind: 'unknown-language-parent' }
  if (parent.language_parent !== null)
    return { kind: 'parent-is-translation', originalId: parent.language_parent }
  // A draft of a published article is a version of it, not an original.
  if (parent.article_parent !== null && present?.language_parent !== parent.id)
    return { kind: 'parent-is-draft', publishedId: parent.article_parent }
  if (parent.language === wanted.language) return { kind: 'language-of-original' }
  const own = present && (await session.first(articleQueries.translations, { originalId: present.id }))
  if (own !== undefined) return { kind: 'has-translations' }
  const siblings = await session.all(articleQueries.translations, { originalId: parent.id })
  const isNew = present?.language_parent !== parent.id || present.language !== wanted.language
  const same = siblings.find(
    ({ id, language, status, slug }) =>
      id !== present?.id &&
      language === wanted.language &&
      (status === wanted.status || (isNew && slug !== wanted.slug)),
  )
  return same && { kind: 'translation-exists', language: wanted.language, by: same.name }
}

/** A draft of a published article has it as its parent. */
export function parentOf({ status }: ArticleInput, { counterpart }: ResolvedPlace): string | null {
  return status === 'draft' ? (counterpart ?? null) : null
}
