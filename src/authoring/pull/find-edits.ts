import type { ApiClient } from '../../api/client/create-client.ts'
import type { ResolvedArticle } from '../../sync/plan/payload.ts'
import type { RemoteEntry } from '../../sync/plan/remote-entry.ts'
import type { PlannedRun } from '../../sync/planning/planned-run.ts'
import { toRemoteArticle } from '../../sync/remote/to-remote.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import { decideEdit, type EditDecision } from './decide-edit.ts'

/** A file to report. */
export type FoundEdit =
  | {
      readonly kind: 'edited'
      readonly resolved: ResolvedArticle
      readonly remote: RemoteArticle
      readonly html: string
      readonly decision: Exclude<EditDecision, { kind: 'keep' | 'draft' }>
    }
  | { readonly kind: 'draft'; readonly resolved: ResolvedArticle; readonly entry: RemoteEntry }
  | { readonly kind: 'gone'; readonly resolved: ResolvedArticle; readonly entry: RemoteEntry }

/** Finds edited articles of this project. Each is read again with its HTML before the decision. */
export async function findEdits(
  { wanted, matches, remote: { goneIds } }: PlannedRun,
  {
    client,
    defaultLanguage,
    isSelected,
  }: {
    readonly client: ApiClient
    readonly defaultLanguage: string
    readonly isSelected: (source: string) => boolean
  },
): Promise<FoundEdit[]> {
  const selected = [...wanted.values()].filter(({ article }) => isSelected(article.source))
  const found = await Promise.all(
    selected.map(async (each): Promise<FoundEdit[]> => {
      const entry = matches.entryOf.get(each.article.source)
      if (entry === undefined) return []
      if (goneIds.has(entry.id)) return [{ kind: 'gone', resolved: each, entry }]
      if (entry.ours === undefined || entry.remote === undefined) return []
      const first = decideEdit(each, entry.ours, entry.remote)
      if (first.kind === 'keep') return []
      if (first.kind === 'draft') return [{ kind: 'draft', resolved: each, entry }]
      const read = await client.readArticle(entry.id)
      if (read === undefined) return [{ kind: 'gone', resolved: each, entry }]
      const remote = toRemoteArticle(read, defaultLanguage)
      const decision = decideEdit(each, entry.ours, remote)
      if (decision.kind === 'keep') return []
      if (decision.kind === 'draft') return [{ kind: 'draft', resolved: each, entry }]
      return [{ kind: 'edited', resolved: each, remote, html: read.data.content ?? '', decision }]
    }),
  )
  return found.flat()
}
