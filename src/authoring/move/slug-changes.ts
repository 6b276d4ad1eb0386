import { isSlug } from '../../api/contract/fields.ts'
import { type PathMove, pathAfter } from './path-move.ts'
import { type TextFile, writtenText } from './text-file.ts'

type SlugChange =
  /** The slug is written down, or both names make the same one. */
  { readonly kind: 'none' } | { readonly kind: 'other'; readonly before: string; readonly after: string }

/** @param from source before the move */
export function slugChangeOf(file: TextFile, from: string, move: PathMove): SlugChange {
  const before = file.slugAt(from)
  const after = file.slugAt(pathAfter(move, from))
  if (before === after) return { kind: 'none' }
  // A name that cannot be a slug was an error before; the new one may put it right.
  return isSlug(before) ? { kind: 'other', before, after } : { kind: 'none' }
}

/** A text of the frontmatter; undefined where it is not there or no text. */
export function writtenField({ yaml }: TextFile, field: 'translationOf' | 'language'): string | undefined {
  return writtenText(yaml, field)
}
