import type { DesiredArticle } from '../../core/model/document.ts'
import type { RemoteEntry } from '../../sync/plan/remote-entry.ts'
import { draftFile, type DraftTools } from './draft-file.ts'
import type { Incoming } from './incoming.ts'
import { createLinkBack, type LinkBackInput } from './link-back.ts'
import type { SettleInput } from './settle-drafts.ts'

type Placed = Pick<DesiredArticle, 'source' | 'slug' | 'language'>

export interface DraftAllInput {
  readonly documents: readonly DesiredArticle[]
  /** Articles of the target by source. */
  readonly entryOf: ReadonlyMap<string, RemoteEntry>
  readonly links: Pick<LinkBackInput, 'urlOf' | 'findFragment' | 'assets' | 'rootFolders' | 'taxonomyLinks'>
  readonly tools: Omit<DraftTools, 'referTo'>
}

/** Drafts files that link to each other as they will be. Pure. */
export function createDraftAll({ documents, entryOf, links, tools }: DraftAllInput): SettleInput['draftAll'] {
  const onTarget = documents.flatMap(({ source }) => {
    const entry = entryOf.get(source)
    return entry === undefined ? [] : [{ source, slug: entry.slug, language: entry.language }]
  })
  return (open, excerpts) => {
    const next = placeAll(documents, open)
    const linkBack = createLinkBack({ ...links, documents: next, formerly: [...documents, ...onTarget] })
    const referTo: DraftTools['referTo'] = (original, language) => nameOriginal(original, language, next)
    return new Map(
      open.map((incoming) => {
        const { source } = incoming
        return [
          source,
          draftFile(incoming, excerpts.get(source), linkBack(source), { ...tools, referTo }),
        ] as const
      }),
    )
  }
}

/** All documents with the slugs that they will have. */
function placeAll(documents: readonly DesiredArticle[], open: readonly Incoming[]): Placed[] {
  const coming = new Map(open.map((incoming) => [incoming.source, incoming]))
  const kept = documents.map(({ source, slug, language }) => {
    const incoming = coming.get(source)
    const takesSlug = incoming?.kind === 'edit' && incoming.fields.includes('slug')
    return { source, slug: takesSlug ? incoming.remote.fields.slug : slug, language }
  })
  const added = open.flatMap(({ kind, source, remote: { fields, language } }) =>
    kind === 'new' ? [{ source, slug: fields.slug, language }] : [],
  )
  return [...kept, ...added]
}

/** The slug, if it means one article only; else the path. Undefined where that file was not taken in after all. */
function nameOriginal(
  original: string,
  language: string | null,
  documents: readonly Placed[],
): string | undefined {
  const slug = documents.find(({ source }) => source === original)?.slug
  if (slug === undefined) return undefined
  const meant = documents.filter((each) => each.slug === slug && each.language !== language)
  return meant.length === 1 ? slug : original
}
