import type { FrontmatterChanges } from '../../content/write-back/edit-frontmatter.ts'
import type { ArticleFields, FieldName } from '../../core/model/article-fields.ts'
import type { Frontmatter } from '../../core/model/document.ts'
import { NEVER_DATE } from '../../core/calendar-date.ts'

/** The spelling of categories and tags in this file. */
export interface WrittenNames {
  readonly categories: (ids: readonly string[]) => readonly string[]
  readonly tags: (ids: readonly string[]) => readonly string[]
}

/** The frontmatter key of a field. */
export function keyOfField(name: FieldName): keyof Frontmatter {
  if (name === 'categoryIds') return 'categories'
  return name === 'tagIds' ? 'tags' : name
}

/** Frontmatter for fields of the target. A field without a value is removed. */
export function frontmatterChanges(
  names: readonly FieldName[],
  fields: ArticleFields,
  written: WrittenNames,
): FrontmatterChanges {
  return Object.fromEntries(names.map((name) => [keyOfField(name), valueOf(name, fields, written)]))
}

function valueOf(
  name: FieldName,
  fields: ArticleFields,
  written: WrittenNames,
): string | number | boolean | readonly string[] | null {
  if (name === 'categoryIds') return written.categories(fields.categoryIds)
  if (name === 'tagIds') return written.tags(fields.tagIds)
  if (name === 'reviewDate') return writtenDate(fields.reviewDate)
  // Excerpt and title may be empty; an empty status or URL is unset.
  const isUnset = (name === 'status' || name === 'seoBannerUrl') && fields[name] === ''
  return isUnset ? null : fields[name]
}

/** A date as in frontmatter; null for none. */
export function writtenDate(date: string): string | null {
  if (date === '') return null
  return date === NEVER_DATE ? 'never' : date
}
