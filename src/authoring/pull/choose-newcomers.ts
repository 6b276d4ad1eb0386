import type { DesiredArticle } from '../../core/model/document.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import type { RemoteEntry } from '../../sync/plan/remote-entry.ts'

/** What is to become of an article that no run of ours made. */
export type Newcomer =
  | { readonly kind: 'create'; readonly entry: RemoteEntry }
  /** The file `source` has its slug already; '' where another newcomer has it. */
  | {
      readonly kind: 'conflict'
      readonly entry: RemoteEntry
      readonly source: string
      readonly reason: string
    }

/**
 * Finds the articles that exist only on the target and may become files: nobody's, that is of no project, and no draft
 * beside another article. Pure; originals come before their translations.
 */
export function chooseNewcomers(
  entries: readonly RemoteEntry[],
  documents: readonly DesiredArticle[],
): Newcomer[] {
  const draftIds = new Set(entries.flatMap(({ remote }) => remote?.draftId ?? []))
  const held = new Map(documents.map((document) => [slugKey(document), document.source]))
  return entries
    .filter(({ id, ours, project }) => ours === undefined && project === undefined && !draftIds.has(id))
    .toSorted(byRank)
    .map((entry) => {
      const source = held.get(slugKey(entry))
      if (source !== undefined) return { kind: 'conflict', entry, source, reason: reasonOf(entry, source) }
      held.set(slugKey(entry), '')
      return { kind: 'create', entry }
    })
}

function reasonOf({ slug }: RemoteEntry, source: string): string {
  return source === ''
    ? 'two articles on the target have this slug'
    : `a file has this slug, and the article on the target is another one; kb sync --adopt ${slug} overwrites that`
}

function byRank(a: RemoteEntry, b: RemoteEntry): number {
  const rank = ({ languageParent }: RemoteEntry) => (languageParent === undefined ? 0 : 1)
  return rank(a) - rank(b) || (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : a.id < b.id ? -1 : 1)
}
