// A checkout on a service without sockets whose changes are sent as a watch sends them: what was only edited alone, all
// else with everything. Its runs can be killed at any request, and the next one is then another program's.
import { createClient } from '../../src/api/client/create-client.ts'
import type { SendRequest } from '../../src/api/client/send-request.ts'
import { KbError } from '../../src/core/errors/kb-error.ts'
import type { LocalArticle } from '../../src/core/model/document.ts'
import { findContent, type OpenContent, openContent } from '../../src/sync/open-content.ts'
import {
  type LiveRunOptions,
  LiveTarget,
  type LiveTargetOptions,
} from '../../src/watch/live-sync/live-target.ts'
import type { SyncResult } from '../../src/sync/sync-options.ts'
import { createMemoryCheckout, type MemoryCheckout } from './memory-project.ts'
import { Killed, type MemoryService, type Mishap } from './memory-service.ts'
import type { Files } from './project.ts'
import { SERVICE_KEY } from './strict-service.ts'

/** By how many requests of the run come before. */
type NumberedMishaps = readonly (readonly [number, Mishap])[]

export interface SaveOptions extends Partial<LiveRunOptions> {
  readonly mishaps?: NumberedMishaps | undefined
  /** What comes before each request. */
  readonly pause?: ((path: string) => Promise<void>) | undefined
}

interface StartOptions extends Partial<LiveTargetOptions> {
  /** Stands between the target and its connections. */
  readonly wrapConnect?: (connect: LiveTargetOptions['connect']) => LiveTargetOptions['connect']
}

export interface LiveCheckout extends MemoryCheckout {
  readonly updatesInPlace: () => Promise<boolean | undefined>
  /** Sends what was changed in the files since the last time. */
  readonly save: (options?: SaveOptions) => Promise<SyncResult>
  /** As `save`; undefined where the program was killed or refused. */
  readonly survive: (options?: SaveOptions) => Promise<SyncResult | undefined>
  /** How the last run was made; undefined where it did not end. */
  readonly lastWay: () => 'edited' | 'all' | undefined
  readonly flush: () => Promise<void>
  readonly close: () => Promise<void>
  /** The program ends there and then. */
  readonly kill: () => void
}

interface Program {
  readonly target: LiveTarget
  answer: SendRequest
  /** What was last sent; undefined where a run did not end well. */
  sent: readonly LocalArticle[] | undefined
}

export function createLiveCheckout(
  service: MemoryService,
  files: Files,
  options: StartOptions = {},
): LiveCheckout {
  const checkout = createMemoryCheckout(service, files)
  let running: Program | undefined
  let way: 'edited' | 'all' | undefined

  async function save({ mishaps = [], pause, ...run }: SaveOptions = {}): Promise<SyncResult> {
    const program = (running ??= startProgram(service, checkout, options))
    program.answer = service.connect(new Map(mishaps), pause)
    const { content, cache } = await load(checkout)
    const { sent } = program
    program.sent = undefined
    try {
      const edited = run.held === undefined && sent && editedSince(sent, content.articles)
      way = undefined
      const short = edited ? await program.target.syncEdited(content, edited, run) : undefined
      const result =
        short ?? (await program.target.syncAll(content, { held: new Set(), prune: false, ...run }))
      way = short === undefined ? 'all' : 'edited'
      program.sent = content.articles
      return result
    } finally {
      cache.close()
    }
  }

  return {
    ...checkout,
    save,
    survive: async (manner) => {
      try {
        return await save(manner)
      } catch (error) {
        if (error instanceof KbError) return undefined
        if (!(error instanceof Killed)) throw error
        running = undefined
        // What was under way beside the request that was killed runs into the kill, too.
        for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
        return undefined
      }
    },
    lastWay: () => way,
    updatesInPlace: async () => running?.target.updatesInPlace(),
    flush: async () => running?.target.flush(),
    close: async () => running?.target.close(),
    kill: () => {
      running = undefined
    },
  }
}

function startProgram(
  service: MemoryService,
  { settings, clock }: MemoryCheckout,
  { wrapConnect = (connect) => connect, ...options }: StartOptions,
): Program {
  const program = { answer: service.connect(), sent: undefined } as Omit<Program, 'target'> as Program
  const { concurrency = 8, maxDeletes, timeoutMs, onConflict } = settings.sync
  const connect: LiveTargetOptions['connect'] = ({ signal }) => {
    const client = createClient({
      url: 'http://service.test',
      apiKey: SERVICE_KEY,
      timeoutMs,
      retries: 0,
      concurrency,
      signal,
      sleep: clock.sleep,
      now: () => clock.now().getTime(),
      random: () => 0.5,
      send: (request) => program.answer(request),
    })
    return Promise.resolve({
      name: settings.target.name,
      client,
      createTaxonomy: undefined,
      close: async () => {
        await client.close()
        return { ownRevisions: 0 }
      },
    })
  }
  const target = new LiveTarget({
    settings,
    target: settings.target,
    connect: wrapConnect(connect),
    onConflict,
    adopt: [],
    maxDeletes,
    yes: false,
    concurrency,
    ...clock,
    ...options,
  })
  return Object.assign(program, { target })
}

export async function load({ settings }: Pick<MemoryCheckout, 'settings'>): Promise<OpenContent> {
  return openContent(settings, await findContent(settings))
}

/** The articles whose own text was edited; undefined where that is not all that happened. */
function editedSince(
  before: readonly LocalArticle[],
  now: readonly LocalArticle[],
): readonly LocalArticle[] | undefined {
  const past = new Map(before.map((article) => [article.source, article]))
  const isKept = (article: LocalArticle) => {
    const old = past.get(article.source)
    const isSame = (name: keyof LocalArticle) => old?.[name] === article[name]
    return isSame('key') && isSame('slug') && isSame('language') && isSame('original')
  }
  if (now.length !== before.length || !now.every(isKept)) return undefined
  return now.filter(({ source, sourceHash }) => past.get(source)?.sourceHash !== sourceHash)
}
