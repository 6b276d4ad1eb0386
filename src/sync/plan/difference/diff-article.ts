import { endLine } from '../../../content/from-html/text-of-code.ts'
// Three versions of an article meet: what was last sent (as hashes, from marker or state), what the target has now, and
// what the file asks for.
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
import type { ResolvedArticle } from '../payload.ts'
import type { Ownership } from '../remote-entry.ts'
import { breakSentences } from './sentence-lines.ts'
import { OMIT_HEADERS, formatPatch, structuredPatch } from 'diff'

/** How ids of categories and tags are shown. */
export interface TaxonomyNames {
  readonly category: (id: string) => string
  readonly tag: (id: string) => string
}

interface ArticleVersions {
  readonly wanted: ResolvedArticle
  /** The fields that would be sent. */
  readonly fields: ArticleFields
  readonly remote: RemoteArticle
  /** What was last sent; undefined for an article that is not ours. */
  readonly ours: Ownership | undefined
  /** Both texts by the same converter, so that quotes and the order of attributes do not show. */
  readonly markdown: { readonly target: string; readonly file: string }
}

/** What the target has against what the file says. Pure. */
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

/** The order of categories and tags counts for nothing. */
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
  // Each part is checked alone: of the other, the target is taken to have what was sent.
  const byTarget = hasDrifted({ ...ours, projectionHash: remote.projectionHash }, remote)
  return whoOf(byFile, byTarget)
}

/** @param isMarkup whether the texts differ in what no hash shows: then the file changed, or no one did */
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

/** Unified diff of two texts, from its first `@@` on; '' where they are equal. A missing last line feed counts for nothing. */
export function diffText(before: string, after: string): string {
  const patch = structuredPatch('', '', endLine(before), endLine(after), undefined, undefined, {
    context: CONTEXT_LINES,
  })
  return patch.hunks.length === 0 ? '' : formatPatch(patch, OMIT_HEADERS)
}
