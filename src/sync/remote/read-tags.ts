import type { ApiClient } from '../../api/client/create-client.ts'
import type { RemoteTag } from '../../core/model/remote-article.ts'
import type { LocalTag } from '../../core/model/taxonomy.ts'
import { digestTag, tagStateKey } from '../plan/taxonomy/compare-tag.ts'
import type { TaxonomyIndex } from '../plan/taxonomy/taxonomy-index.ts'
import { toRemoteTag } from './to-remote.ts'

/** Reads the tags that must be compared: those whose entry is not, word for word, what was last found equal or sent. */
export async function readTagsToCompare(
  client: ApiClient,
  tags: readonly LocalTag[],
  index: TaxonomyIndex,
  known: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, RemoteTag>> {
  const changed = tags.filter((tag) => known[tagStateKey(tag)] !== digestTag(tag))
  const ids = new Set(changed.flatMap((tag) => index.tagIdOf(tag) ?? []))
  const read = await Promise.all([...ids].map((id) => client.readTag(id)))
  return new Map(
    read.flatMap((answer) => (answer === undefined ? [] : [[answer.data.id, toRemoteTag(answer.data)]])),
  )
}
