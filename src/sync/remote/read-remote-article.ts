import type { ApiClient } from '../../api/client/create-client.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import { toRemoteArticle } from './to-remote.ts'

/** Reads an article; undefined where it is gone. */
export async function readRemoteArticle(
  client: ApiClient,
  id: string,
  defaultLanguage: string,
): Promise<RemoteArticle | undefined> {
  const read = await client.readArticle(id)
  return read === undefined ? undefined : toRemoteArticle(read, defaultLanguage)
}
