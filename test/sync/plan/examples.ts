// Articles and entries of a target to plan with: complete, and distinguished by the subject of a test.
import { type ArticleFields, hashFields } from '../../../src/core/model/article-fields.ts'
import type { LocalArticle } from '../../../src/core/model/document.ts'
import type { RemoteArticle } from '../../../src/core/model/remote-article.ts'
import {
  type ResolvedArticle,
  fieldsToSend,
  resolveArticle,
  reviewDateToSend,
} from '../../../src/sync/plan/resolved-article.ts'
import { type RemoteEntry, hashSentFields } from '../../../src/sync/plan/remote-entry.ts'
import { digestParts } from '../../../src/core/digest.ts'

export const TODAY = '2027-01-01'

/** An article as its content requires; its key depends on source and language as in real documents. */
export function desired(source: string, changes: Partial<LocalArticle> = {}): LocalArticle {
  const language = changes.language ?? null
  return {
    source,
    key: digestParts([source, language ?? '']),
    sourceHash: digestParts(['text of', source]),
    inputKey: digestParts(['cache of', source]),
    contentHash: digestParts(['content of', source]),
    projectionHash: digestParts(['projection of', source]),
    title: source,
    slug: source.replace(/\.md$/, ''),
    categories: ['Guides'],
    tags: [],
    excerpt: 'Excerpt',
    status: 'draft',
    review: { kind: 'default', afterDays: 180 },
    language,
    translationOf: undefined,
    original: undefined,
    order: 0,
    hideFromSearch: false,
    seoBannerUrl: '',
    positions: {},
    ...changes,
  }
}

export function wanted(source: string, changes: Partial<LocalArticle> = {}): ResolvedArticle {
  return resolveArticle(desired(source, changes), ['c1'], [])
}

/** The entry after `each` was sent. */
export function sent(each: ResolvedArticle, id: string, previous?: RemoteEntry): RemoteEntry {
  const { article, fingerprint } = each
  const fields = fieldsToSend(each, reviewDateToSend(article, previous, TODAY))
  const { key, sourceHash, projectionHash } = article
  const hashes = {
    fingerprint,
    sourceHash,
    fieldsHash: hashSentFields(fields, article.review),
    projectionHash,
  }
  const marker = { project: 'demo', documentKey: key, ...hashes }
  const languageParent = each.translationOf?.id
  return {
    id,
    title: article.title,
    slug: article.slug,
    language: article.language,
    languageParent,
    ours: { key, ...hashes },
    project: undefined,
    remote: remoteArticle(id, fields, { language: article.language, languageParent, projectionHash, marker }),
  }
}

export function remoteArticle(
  id: string,
  fields: ArticleFields,
  changes: Partial<RemoteArticle> = {},
): RemoteArticle {
  return {
    id,
    language: null,
    fields,
    fieldsHash: hashFields(fields),
    undatedFieldsHash: hashFields({ ...fields, reviewDate: '' }),
    htmlHash: 'h',
    projectionHash: digestParts(['projection of', id]),
    marker: undefined,
    createdMs: 1_000_000,
    editedMs: 1_000_000,
    draftId: undefined,
    languageParent: undefined,
    tags: [],
    ...changes,
  }
}

/** An entry with changes to its article on the target. */
export function changed(entry: RemoteEntry, changes: Partial<RemoteArticle>): RemoteEntry {
  if (entry.remote === undefined) throw new Error('the entry was not read')
  return { ...entry, remote: { ...entry.remote, ...changes } }
}

/** A foreign article. */
export function foreign(id: string, slug: string, changes: Partial<RemoteEntry> = {}): RemoteEntry {
  return {
    id,
    title: slug,
    slug,
    language: null,
    ours: undefined,
    project: undefined,
    remote: undefined,
    ...changes,
  }
}
