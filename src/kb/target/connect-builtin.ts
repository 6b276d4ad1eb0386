import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../../api/client/create-client.ts'
import type { Settings } from '../../core/config/settings.ts'
import { isDatabaseUrl } from '../../core/database-url.ts'
import type { LocalTaxonomy } from '../../core/model/taxonomy.ts'
import { createApiKey } from '../../server/api-key.ts'
import type { Connect, CreatedTaxonomy } from '../../sync/target-session.ts'
import { articlePathOf } from './article-path.ts'
import type { PreparedThread, ServerThread } from './server-thread.ts'
import { toSeed } from './taxonomy-seed.ts'

/**
 * Opens the built-in server on a free loopback port and connects to it over HTTP like to any target, with a key for
 * this run only.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
 */
export function connectBuiltin(settings: Settings, concurrency: number, thread: PreparedThread): Connect {
  return async ({ readOnly, signal }) => {
    const apiKey = createApiKey()
    const { languages, articleLimit, bodyLimitBytes, files } = settings.server
    const database = chooseDatabase(settings.server.db, readOnly)
    const articlePath = articlePathOf(settings)
    const server = await thread.open({
      db: database.file,
      languages,
      articleLimit,
      articlePath,
      bodyLimitBytes,
      files,
      apiKey,
    })
    const opened = identityOf(database.file)
    const { timeoutMs, retries } = settings.sync
    const client = createClient({
      url: server.url,
      apiKey,
      timeoutMs,
      retries,
      concurrency,
      ...(signal && { signal }),
    })
    return {
      name: 'builtin',
      client,
      duplicateSlugs: 'refused',
      storesAsSent: true,
      createTaxonomy: (taxonomy) => createTaxonomy(server, taxonomy),
      // Writes to a file that is no longer at its path would be lost.
      isCurrent: () => server.isAlive() && identityOf(database.file) === opened,
      close: async () => {
        await client.close()
        // A failure that ended the server is reported where it occurred.
        const { ownRevisions } = server.isAlive()
          ? await server.request({ kind: 'close' }, 'closed')
          : { ownRevisions: 0 }
        database.dispose()
        return { ownRevisions }
      },
    }
  }
}

/** Reading must not create a database. If there is none, a temporary empty one is used. */
function chooseDatabase(db: string, readOnly: boolean) {
  if (!readOnly || isDatabaseUrl(db) || existsSync(db)) return { file: db, dispose: () => undefined }
  const folder = mkdtempSync(join(tmpdir(), 'kb-plan-'))
  return { file: join(folder, 'kb.db'), dispose: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Identifies a file even if another one replaces it; undefined if there is none. */
function identityOf(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}

async function createTaxonomy(server: ServerThread, taxonomy: LocalTaxonomy): Promise<CreatedTaxonomy> {
  const seed = toSeed(taxonomy)
  const { seeded } = await server.request({ kind: 'seed', seed }, 'seeded')
  const tagIds = seed.tags.flatMap(({ name, slug }) => {
    const id = seeded.tags[slug]
    return id === undefined ? [] : [[name, id] as const, [slug, id] as const]
  })
  return { ...seeded.created, categoryIds: seeded.categories, tagIds: Object.fromEntries(tagIds) }
}
