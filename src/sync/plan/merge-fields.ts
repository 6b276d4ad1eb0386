import {
  type ArticleFields,
  changedFields,
  FIELD_NAMES,
  type FieldName,
  hashFields,
} from '../../core/model/article-fields.ts'

export type MergedFields =
  | {
      readonly kind: 'merged'
      /** Changed on the target only. */
      readonly taken: readonly FieldName[]
      /** The last sent fields; undefined if both sides changed a field to the same value. */
      readonly sent: ArticleFields | undefined
    }
  /** At least one field was changed on both sides. */
  | { readonly kind: 'conflict'; readonly disputed: readonly FieldName[] }

/**
 * Three-way comparison of the last sent fields (known by their hashes only), the file and the target, field by field.
 *
 * @param wanted with the review date '' if it is a default; such a date is never taken from the target
 */
export function mergeFields(sentHash: string, wanted: ArticleFields, remote: ArticleFields): MergedFields {
  const differing = new Set(changedFields(hashFields(wanted), remote))
  const inFile = new Set(changedFields(sentHash, wanted))
  const onTarget = new Set(changedOnTarget(sentHash, remote))
  // A default date changes over time without an edit.
  if (wanted.reviewDate === '') onTarget.delete('reviewDate')
  const taken = FIELD_NAMES.filter((name) => differing.has(name) && onTarget.has(name))
  if (taken.some((name) => inFile.has(name))) return { kind: 'conflict', disputed: taken }
  const isUnknown = FIELD_NAMES.some((name) => inFile.has(name) && onTarget.has(name) && !differing.has(name))
  const kept = FIELD_NAMES.filter((name) => inFile.has(name) && name !== 'reviewDate')
  const sent = { ...wanted, ...pick(remote, kept), reviewDate: sentDate(sentHash, wanted, remote) }
  return { kind: 'merged', taken, sent: isUnknown ? undefined : sent }
}

/** Returns the fields that the target changed since they were sent. A default date was sent without being recorded. */
function changedOnTarget(sentHash: string, remote: ArticleFields): readonly FieldName[] {
  const isDefault = !changedFields(sentHash, { ...remote, reviewDate: '' }).includes('reviewDate')
  return changedFields(sentHash, remote).filter((name) => !(isDefault && name === 'reviewDate'))
}

function sentDate(sentHash: string, wanted: ArticleFields, remote: ArticleFields): string {
  const isSent = (reviewDate: string) =>
    !changedFields(sentHash, { ...remote, reviewDate }).includes('reviewDate')
  return [wanted.reviewDate, remote.reviewDate].find(isSent) ?? ''
}

function pick(fields: ArticleFields, names: readonly FieldName[]): Partial<ArticleFields> {
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}
