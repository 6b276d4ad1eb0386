import { isSlug, SLUG_RULE } from '../../api/contract/fields.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import { groupBy } from '../../core/group-by.ts'
import { pathAfter, type PathMove } from './path-move.ts'
import { type TextFile, writtenText } from './text-file.ts'

export interface RenamedSlugs {
  /** New slugs of originals by old slug, if the old one refers to only one article. */
  readonly originals: ReadonlyMap<string, string>
  /** By source after the move, if no article of the language has the old slug any more. */
  readonly freed: ReadonlyMap<string, FreedSlug>
}

export interface FreedSlug {
  readonly before: string
  readonly after: string
}

/**
 * Returns the new slugs of moved articles whose slugs come from their names.
 *
 * @throws KbError USAGE if two articles of one language would have the same slug, or one would have none
 */
export function renameSlugs(
  articles: Iterable<{ readonly source: string; readonly file: TextFile }>,
  move: PathMove,
  defaultLanguage: string,
): RenamedSlugs {
  const all = [...articles].map(({ source, file }) => {
    const change = slugChangeOf(file, source, move)
    const before = file.slugAt(source)
    const slug = change.kind === 'none' ? before : change.after
    const language = writtenField(file, 'language') ?? defaultLanguage
    return { source: pathAfter(move, source), before, slug, language, isRenamed: slug !== before }
  })
  const used = groupBy(all, slugKey)
  for (const twins of used.values()) refuseTwins(twins)
  const renamed = all.filter(({ isRenamed }) => isRenamed)
  const counts = groupBy(all, ({ before }) => before)
  const isFreed = ({ before, language }: (typeof all)[number]) =>
    isSlug(before) && !used.has(slugKey({ slug: before, language }))
  return {
    originals: new Map(
      renamed.flatMap(({ before, slug }) => (counts.get(before)?.length === 1 ? [[before, slug]] : [])),
    ),
    freed: new Map(
      renamed.filter(isFreed).map(({ source, before, slug }) => [source, { before, after: slug }]),
    ),
  }
}

function refuseTwins(
  twins: readonly { readonly source: string; readonly slug: string; readonly isRenamed: boolean }[],
): void {
  const renamed = twins.find(({ isRenamed }) => isRenamed)
  if (renamed === undefined) return
  const { source, slug } = renamed
  const other = twins.find((twin) => twin !== renamed)
  if (other !== undefined) {
    throw new KbError('USAGE', `${source} would get the slug "${slug}", which ${other.source} already has.`, {
      hint: 'Nothing was moved. Choose another name, or omit --new-slug to keep the URL.',
    })
  }
  if (!isSlug(slug)) {
    throw new KbError('USAGE', `${source} would get the slug "${slug}", which is not valid.`, {
      hint: `Nothing was moved. Omit --new-slug to keep the URL. A slug is ${SLUG_RULE}.`,
    })
  }
}

type SlugChange =
  /** Both names result in the same slug. */
  | { readonly kind: 'none' }
  /** `written`: the slug is in the file, and changes only on request. */
  | { readonly kind: 'other' | 'written'; readonly before: string; readonly after: string }

/** @param from source before the move */
export function slugChangeOf(file: TextFile, from: string, move: PathMove): SlugChange {
  const to = pathAfter(move, from)
  const before = file.slugAt(from)
  const after = file.slugAt(to)
  const derived = file.derivedSlugAt(to)
  if (before === after)
    return derived === before || derived === file.derivedSlugAt(from)
      ? { kind: 'none' }
      : { kind: 'written', before, after: derived }
  // A name that cannot be a slug was already an error; the new one may fix it.
  return isSlug(before) ? { kind: 'other', before, after } : { kind: 'none' }
}

/** Returns a text in the frontmatter, or undefined if it is missing or not a text. */
export function writtenField(
  { yaml }: TextFile,
  field: 'translationOf' | 'language' | 'seoBannerUrl',
): string | undefined {
  return writtenText(yaml, field)
}
