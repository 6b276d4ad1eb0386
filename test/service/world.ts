// One service for all histories; every history has two knowledge bases of its own in it, and their models beside them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { v7 as newId } from 'uuid'
import { hashApiKey, keyIdOf } from '../../src/server/api-key.ts'
import { openKnowledgeBase } from '../../src/server/open-knowledge-base.ts'
import { openStore } from '../../src/server/store/open-store.ts'
import { openAdminStore } from '../../src/server/store/admin/open-admin-store.ts'
import { createOpenApiValidator, type OpenApiValidator } from '../support/open-api-validator.ts'
import { temporaryFolder } from '../support/folder.ts'
import { createTaxon, Learned, type Site, type Taxon, type User } from '../support/service-model.ts'
import { startKillableServer } from './killable-server.ts'
import { LANGUAGES } from './steps.ts'

const START = Date.parse('2026-03-01T10:00:00.000Z')

/** A knowledge base with its keys. */
interface Place {
  readonly site: Site
  readonly user: User
  readonly keys: { readonly writer: string; readonly reader: string; readonly revoked: string }
}

export interface World extends Service {
  readonly validator: OpenApiValidator
  /** Two knowledge bases that nobody used before. */
  createPlaces(): Promise<readonly [Place, Place]>
}

/** A service on a database, whose clock the history moves. */
interface Service {
  readonly request: (path: string, init?: RequestInit) => Promise<Response>
  readonly clock: { ms: number }
  /** What it met and did not expect. */
  readonly faults: readonly unknown[]
  readonly close: () => Promise<void>
}

/** A server in this process. */
async function serveHere(db: string): Promise<Service> {
  const clock = { ms: START }
  const faults: unknown[] = []
  const kb = await openKnowledgeBase({
    db,
    clock: () => new Date(clock.ms),
    onError: (error) => faults.push(error),
  })
  return { request: async (path, init) => kb.app.request(path, init), clock, faults, close: () => kb.close() }
}

/** Two server processes: each request goes to the one that has not answered the last one. */
export async function serveInTwoProcesses(db: string): Promise<Service> {
  const file = join(temporaryFolder(), 'clock')
  writeFileSync(file, String(START))
  const servers = [await startKillableServer(db, file), await startKillableServer(db, file)]
  let nowMs = START
  let turn = 0
  return {
    request: (path, init) => fetch(`${servers[turn++ % servers.length]?.url}${path}`, init),
    clock: {
      get ms() {
        return nowMs
      },
      set ms(ms) {
        nowMs = ms
        writeFileSync(file, String(ms))
      },
    },
    // The processes print them, and answer with 500.
    faults: [],
    close: async () => void (await Promise.all(servers.map((server) => server.kill()))),
  }
}

const SEED = {
  categories: [
    { name: 'Guides', slug: 'a', priority: 1, translations: { fr: { name: 'Guides (fr)', slug: 'a' } } },
    { name: 'Accounts', slug: 'accounts', parent: 'a', priority: 2 },
    { name: 'Empty', slug: 'empty' },
  ],
  tags: [
    { name: 'Security', slug: 'b', description: 'Safe', translations: { fr: { name: 'Sûreté', slug: 'b' } } },
    { name: 'Billing', slug: 'billing', longDescription: '<p>Money</p>' },
  ],
}

export async function openWorld(
  db = join(temporaryFolder(), 'kb.db'),
  serve: (db: string) => Promise<Service> = serveHere,
): Promise<World> {
  const service = await serve(db)
  const now = new Date(START).toISOString()
  const admin = await openAdminStore({ db, languages: ['en'], now })
  const store = await openStore({ db, languages: ['en'], articleLimit: 1_000_000, now })
  const document = (await (await service.request('/api/v2/openapi.json')).json()) as object

  async function createPlace(languages: readonly string[], limit: number): Promise<Place> {
    const { id: siteId } = await admin.sites.add({ name: newId(), languages, articleLimit: limit, now })
    const user = createUser(siteId)
    const { id: userId } = await admin.users.add(siteId, user)
    const keys = { writer: `writer-${siteId}`, reader: `reader-${siteId}`, revoked: `revoked-${siteId}` }
    for (const [label, key] of Object.entries(keys)) {
      const record = { siteId, userId, readOnly: label === 'reader', label, now }
      await admin.keys.add({ ...record, hash: hashApiKey(key) })
    }
    await admin.keys.revoke(siteId, keyIdOf(hashApiKey(keys.revoked)), now)
    const seeded = await store.seed(siteId, SEED, now)
    return { site: modelOf(siteId, languages, limit, seeded), user, keys }
  }

  return {
    request: service.request,
    clock: service.clock,
    faults: service.faults,
    validator: createOpenApiValidator(document),
    createPlaces: async () => [await createPlace(LANGUAGES, 5), await createPlace(['fr', 'en'], 3)],
    async close() {
      await admin.close()
      await store.close()
      await service.close()
    },
  }
}

function createUser(siteId: string): User {
  return {
    username: `ada-${siteId}`,
    first_name: 'Ada',
    last_name: `of ${siteId}`,
    email_address: `ada@${siteId}.example`,
  }
}

interface Seeded {
  readonly categories: Readonly<Record<string, string>>
  readonly tags: Readonly<Record<string, string>>
}

function modelOf(siteId: string, languages: readonly string[], limit: number, seeded: Seeded): Site {
  const site: Site = {
    id: new Learned(siteId),
    languages,
    limit,
    categories: [],
    tags: [],
    articles: [],
    lastNumber: 0,
  }
  for (const list of ['categories', 'tags'] as const) {
    for (const sown of SEED[list]) site[list].push(...taxaOf(site, list, sown, seeded))
  }
  return site
}

type Sown = (typeof SEED.categories)[number] & (typeof SEED.tags)[number]

function taxaOf(site: Site, list: 'categories' | 'tags', item: object, seeded: Seeded): Taxon[] {
  const sown = item as Partial<Sown> & Pick<Sown, 'name' | 'slug'>
  const language = site.languages[0] ?? ''
  const original = createTaxon({
    language,
    name: sown.name,
    slug: sown.slug,
    id: new Learned(seeded[list][sown.slug]),
    description: sown.description ?? '',
    longDescription: sown.longDescription ?? '',
    priority: sown.priority ?? 0,
    parent: site[list].find(({ slug }) => slug === sown.parent),
  })
  // The first language of a knowledge base is that of the originals.
  const translations = Object.entries(sown.translations ?? {}).filter(([code]) => code !== language)
  return [
    original,
    ...translations.map(([code, words]) => createTaxon({ ...words, language: code, original })),
  ]
}
