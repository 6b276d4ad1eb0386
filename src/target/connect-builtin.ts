import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createClient } from '../client/create-client.ts'
import type { Settings } from '../config/settings.ts'
import type { LocalTaxonomy } from '../model/taxonomy.ts'
import { createApiKey } from '../server/api-key.ts'
import type { Connect, CreatedTaxonomy } from '../sync/target-session.ts'
import { articlePathOf } from './article-path.ts'
import { type BuiltinOptions, type FromServer, fromPlainFailure, type ToServer } from './builtin-messages.ts'
import { toSeed } from './taxonomy-seed.ts'

/**
 * Starts the built-in server on a free loopback port and speaks HTTP to it like to any target. A key made for this
 * run alone opens it.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
 */
export function connectBuiltin(settings: Settings, concurrency: number): Connect {
  return async ({ readOnly, signal }) => {
    const apiKey = createApiKey()
    const { languages, articleLimit, bodyLimitBytes } = settings.server
    const database = chooseDatabase(settings.server.db, readOnly)
    const articlePath = articlePathOf(settings)
    const server = await startServer({
      db: database.file,
      languages,
      articleLimit,
      articlePath,
      bodyLimitBytes,
      apiKey,
    })
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
      keepsComments: true,
      createTaxonomy: (taxonomy) => createTaxonomy(server, taxonomy),
      close: async () => {
        await client.close()
        const { ownRevisions } = await server.request({ kind: 'close' }, 'closed')
        database.dispose()
        return { ownRevisions }
      },
    }
  }
}

/** Looking must not make a database: where there is none, an empty one elsewhere stands for it. */
function chooseDatabase(
  db: string,
  readOnly: boolean,
): { readonly file: string; readonly dispose: () => void } {
  if (!readOnly || existsSync(db)) return { file: db, dispose: () => undefined }
  const folder = mkdtempSync(join(tmpdir(), 'kb-plan-'))
  return { file: join(folder, 'kb.db'), dispose: () => rmSync(folder, { recursive: true, force: true }) }
}

interface ServerThread {
  readonly url: string
  /** Sends a message and waits for the answer of the given kind. */
  readonly request: <Kind extends FromServer['kind']>(
    message: ToServer,
    kind: Kind,
  ) => Promise<Extract<FromServer, { kind: Kind }>>
}

async function startServer(options: BuiltinOptions): Promise<ServerThread> {
  const worker = new Worker(new URL('./builtin-server.js', import.meta.url), { workerData: options })
  const { url } = await answerOf(worker, 'listening')
  return {
    url,
    request: async (message, kind) => {
      worker.postMessage(message)
      return answerOf(worker, kind)
    },
  }
}

/** `once` rejects where the thread itself breaks. */
async function answerOf<Kind extends FromServer['kind']>(
  worker: Worker,
  kind: Kind,
): Promise<Extract<FromServer, { kind: Kind }>> {
  const [message] = (await once(worker, 'message')) as [FromServer]
  if (message.kind === 'failed') {
    await worker.terminate()
    throw fromPlainFailure(message.failure)
  }
  if (message.kind !== kind)
    throw new Error(`the server's thread answered ${message.kind} instead of ${kind}`)
  return message as Extract<FromServer, { kind: Kind }>
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
