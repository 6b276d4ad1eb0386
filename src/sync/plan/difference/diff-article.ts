import { endLine } from '../../../content/from-html/text-of-code.ts'
// Compares three versions of an article: the last sent one (its hashes, from the marker or the state), the one on the
// target, and the one in the file.
import type {
  ArticleDifference,
  ChangedBy,
  FieldDifference,
  FieldValue,
} from '../../../core/model/article-difference.ts'
import { type ArticleFields, FIELD_NAMES, type FieldName } from '../../../core/model/article-fields.ts'
import type { RemoteArticle } from '../../../core/model/remote-article.ts'
import { NEVER_DATE } from '../../../core/calendar-date.ts'
import { hasDrifted, hashSentFields } from '../detect-drift.ts'
import type { ResolvedArticle } from '../resolved-article.ts'
import type { Ownership } from '../remote-entry.ts'
import { breakSentences } from './sentence-lines.ts'
import { OMIT_HEADERS, formatPatch, structuredPatch } from 'diff'

/** Display names for the ids of categories and tags. */
export interface TaxonomyNames {
  readonly category: (id: string) => string
  readonly tag: (id: string) => string
}

interface ArticleVersions {
  readonly wanted: ResolvedArticle
  readonly fields: ArticleFields
  readonly remote: RemoteArticle
  /** The last sent version; undefined for an article that is not ours. */
  readonly ours: Ownership | undefined
  /** Both texts come from the same converter, so that quotes and the order of attributes make no difference. */
  readonly markdown: { readonly target: string; readonly file: string }
}

/** The differences between the target and the file. Pure. */
export function diffArticle(versions: ArticleVersions, names: TaxonomyNames): ArticleDifference {
  const { wanted, remote, markdown } = versions
  const fields = [
    ...diffFields(remote.fields, versions.fields, names),
    ...diffLanguage(remote.language, wanted.article.language),
  ]
  const text = diffText(breakSentences(markdown.target), breakSentences(markdown.file))
  const isOnlyMarkup = remote.projectionHash === wanted.article.projectionHash
  return {
    fields,
    text,
    isOnlyMarkup,
    changedBy: {
      fields: whoChangedFields(versions),
      text: whoChangedText(versions, isOnlyMarkup && text !== ''),
    },
  }
}

type Scalar = Exclude<FieldName, 'categoryIds' | 'tagIds'>

const SCALARS = FIELD_NAMES.filter((name): name is Scalar => name !== 'categoryIds' && name !== 'tagIds')

function diffFields(target: ArticleFields, file: ArticleFields, names: TaxonomyNames): FieldDifference[] {
  const show = (field: Scalar, value: FieldValue) =>
    field === 'reviewDate' && value === NEVER_DATE ? 'never' : value
  const scalars = SCALARS.filter((field) => target[field] !== file[field]).map((field) => ({
    field,
    target: show(field, target[field]),
    file: show(field, file[field]),
  }))
  return [
    ...scalars,
    ...diffIds('categories', target.categoryIds, file.categoryIds, names.category),
    ...diffIds('tags', target.tagIds, file.tagIds, names.tag),
  ]
}

/** Ignores the order of categories and tags. */
function diffIds(
  field: string,
  target: readonly string[],
  file: readonly string[],
  nameOf: (id: string) => string,
): FieldDifference[] {
  const isEqual = target.toSorted().join(' ') === file.toSorted().join(' ')
  const named = (ids: readonly string[]) => ids.map(nameOf).toSorted()
  return isEqual ? [] : [{ field, target: named(target), file: named(file) }]
}

function diffLanguage(target: string | null, file: string | null): FieldDifference[] {
  return target === file ? [] : [{ field: 'language', target: target ?? '', file: file ?? '' }]
}

function whoChangedFields({ wanted, fields, remote, ours }: ArticleVersions): ChangedBy {
  if (ours === undefined) return 'unknown'
  const byFile = hashSentFields(fields, wanted.article.review) !== ours.fieldsHash
  // Each part is checked alone, so the other part is assumed to be unchanged on the target.
  const byTarget = hasDrifted({ ...ours, projectionHash: remote.projectionHash }, remote)
  return whoOf(byFile, byTarget)
}

/** @param isMarkup the texts differ only in markup that no hash covers, so either the file changed it or no one did */
function whoChangedText(
  { wanted: { article }, remote, ours }: ArticleVersions,
  isMarkup: boolean,
): ChangedBy {
  if (ours === undefined) return 'unknown'
  const byFile =
    article.projectionHash !== ours.projectionHash || (isMarkup && article.sourceHash !== ours.sourceHash)
  const byTarget = hasDrifted({ ...ours, fieldsHash: remote.fieldsHash }, remote)
  return whoOf(byFile, byTarget)
}

function whoOf(byFile: boolean, byTarget: boolean): ChangedBy {
  if (byFile) return byTarget ? 'both' : 'file'
  return byTarget ? 'target' : 'nobody'
}

const CONTEXT_LINES = 3

/** Unified diff of two texts from its first `@@` on; '' if they are equal. Ignores a missing line feed at the end. */
export function diffText(before: string, after: string): string {
  const patch = structuredPatch('', '', endLine(before), endLine(after), undefined, undefined, {
    context: CONTEXT_LINES,
  })
  return patch.hunks.length === 0 ? '' : formatPatch(patch, OMIT_HEADERS)
}
