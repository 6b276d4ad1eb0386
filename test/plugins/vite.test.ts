// Real builds of a tiny site with the installed Vite; what is sent goes to a real server.
import { existsSync } from 'node:fs'
import { createBuilder, type Plugin } from 'vite'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { kb } from '../../src/plugins/vite.ts'
import { type BuiltinService, startBuiltinService } from '../support/builtin-service.ts'
import { article, configFile } from '../support/project.ts'
import { SERVICE_KEY } from '../support/strict-service.ts'
import { createViteProject, type ViteProject } from '../support/vite-project.ts'

let service: BuiltinService
let tests = 0

beforeAll(async () => {
  service = await startBuiltinService()
  return () => service.close()
})

beforeEach(() => {
  vi.stubEnv('KB_URL', service.url)
  vi.stubEnv('KB_API_KEY', SERVICE_KEY)
  vi.stubEnv('KB_SYNC', '1')
  return () => vi.unstubAllEnvs()
})

const FIRST = 'content/first.md'
const BROKEN = article('Second', { status: 'public' })

/** A site whose articles no other test has. */
function createSite(changes = {}): ViteProject & { readonly sent: () => Promise<string[]> } {
  const name = `site-${++tests}`
  const own = {
    'kb.config.ts': configFile({ project: name, defaults: { status: 'published' } }),
    'content/first.md': article('First', { slug: `${name}-first`, body: 'Text of First.\n\n## Far below' }),
    'content/second.md': article('Second', { slug: `${name}-second` }),
  }
  const project = createViteProject({ ...own, ...changes })
  const sent = async () => {
    const slugs = (await service.articles()).map(({ slug }) => String(slug))
    return slugs.filter((slug) => slug.startsWith(`${name}-`)).toSorted()
  }
  return { ...project, sent }
}

const told = ({ logged }: ViteProject) =>
  logged.filter((line) => line.startsWith('[kb-sync]')).map((line) => line.replace(service.url, 'URL'))

test('a build has the articles in it, each text in a chunk of its own, and sends nothing unasked', async () => {
  const site = createSite()
  await site.build(kb())
  const chunks = site.readAll('dist/assets')
  const withText = Object.entries(chunks).filter(([, text]) => text.includes('Far below'))
  expect(withText.map(([name]) => name)).toEqual([expect.stringMatching(/^site-\d+-first-.*\.js$/)])
  expect(Object.keys(chunks)).toHaveLength(3)
  expect([await site.sent(), told(site)]).toEqual([[], []])
})

test('the types name articles, categories, tags and languages, and are written when they change', async () => {
  const site = createSite({
    'content/first.md': article('First', { slug: 'first' }),
    'content/second.md': '',
  })
  site.remove('content/second.md')
  await site.build(kb())
  expect(site.read('.kb/types/virtual-kb.d.ts')).toBe(`// Made by kb-sync from the content; do not edit.
/// <reference types="kb-sync/virtual" />
declare module 'virtual:kb' {
  interface Register {
    article:
      | "first"
    category:
      | "Guides"
    tag: never
    language:
      | "en"
  }
}
`)
})

test('on request a build sends, and the next one has nothing to send', async () => {
  const site = createSite()
  await site.build(kb({ sync: 'build' }))
  await site.build(kb({ sync: 'build' }))
  expect(await site.sent()).toEqual([expect.stringMatching(/-first$/), expect.stringMatching(/-second$/)])
  expect(told(site)).toEqual([
    '[kb-sync] synced to URL: 2 created, 0 changed, 0 deleted, 0 unchanged',
    '[kb-sync] synced to URL: 0 created, 0 changed, 0 deleted, 2 unchanged',
  ])
})

test('where nothing may be sent from, a build says so', async () => {
  vi.stubEnv('KB_SYNC', '0')
  const site = createSite()
  await site.build(kb({ sync: 'build' }))
  expect([told(site), await site.sent()]).toEqual([['[kb-sync] not synced: KB_SYNC is 0'], []])
})

test('a broken article fails the build, at its place and with its lines, and nothing is sent', async () => {
  const site = createSite({ 'content/second.md': BROKEN })
  const failure: unknown = await site.build(kb({ sync: 'build' })).catch((error: unknown) => error)
  expect(failure).toMatchObject({
    errors: [
      {
        plugin: 'kb-sync',
        id: site.path('content/second.md'),
        message: 'status must be draft or published. [frontmatter-value]',
        loc: { file: site.path('content/second.md'), line: 4, column: 9 },
        frame: '  4 | status: "public"\n    |         ^^^^^^^^\n',
      },
    ],
  })
  expect([existsSync(site.path('dist')), await site.sent()]).toEqual([false, []])
})

test('of several problems, all are told', async () => {
  const site = createSite({
    [FIRST]: article('First', { body: 'To [x](x.md).' }),
    'content/second.md': BROKEN,
  })
  await expect(site.build(kb())).rejects.toMatchObject({
    errors: [
      {
        message: `2 problems in the content

content/second.md:4:9 error frontmatter-value
  status must be draft or published.
  4 | status: "public"
    |         ^^^^^^^^

content/first.md:6:8 There is no article "x.md". [link-file-missing]
hint: The path is relative to this file: correct it, or create that article.`,
        loc: { file: site.path(FIRST), line: 6, column: 8 },
      },
    ],
  })
})

test('check "warn" makes the site without the broken article, and fails where it was to be sent', async () => {
  const site = createSite({ 'content/second.md': BROKEN })
  const problem =
    '[kb-sync] content/second.md:4:9 error frontmatter-value\n' +
    '  status must be draft or published.\n' +
    '  4 | status: "public"\n' +
    '    |         ^^^^^^^^'
  await site.build(kb({ check: 'warn' }))
  expect([told(site), existsSync(site.path('dist/index.html'))]).toEqual([[problem], true])
  site.remove('dist')
  await expect(site.build(kb({ check: 'warn', sync: 'build' }))).rejects.toThrow(
    'The site is built, but not synced. Nothing was sent because of 1 problem in the content, shown above.',
  )
  expect([existsSync(site.path('dist/index.html')), await site.sent()]).toEqual([true, []])
  // Where nothing may be sent from anyway, nothing fails.
  vi.stubEnv('KB_SYNC', '0')
  await site.build(kb({ check: 'warn', sync: 'build' }))
})

const fault = () => Promise.reject(new Error('broken on purpose'))

test.each<[string, Partial<Plugin>]>([
  ['before the articles are read', { enforce: 'pre', buildStart: fault }],
  ['while it reads', { transform: fault }],
  ['while it renders', { renderChunk: fault }],
  ['while it generates', { generateBundle: fault }],
  ['while it writes', { writeBundle: fault }],
  ['while it closes', { closeBundle: fault }],
  ['after it has written', { enforce: 'post', writeBundle: { order: 'post', handler: fault } }],
  ['at its very end', { enforce: 'post', closeBundle: { order: 'post', sequential: true, handler: fault } }],
])('a build that fails %s never sends', async (_, hooks) => {
  const site = createSite()
  const failing = { name: 'failing', ...hooks }
  await expect(site.build([kb({ sync: 'build' }), failing])).rejects.toThrow('broken on purpose')
  expect(await site.sent()).toEqual([])
})

test('a build that failed does not keep the next one from sending', async () => {
  const site = createSite({ 'content/second.md': BROKEN })
  await expect(site.build(kb({ sync: 'build' }))).rejects.toThrow('status must be')
  site.write({ 'content/second.md': article('Second', { slug: `site-${tests}-second` }) })
  await site.build(kb({ sync: 'build' }))
  expect(await site.sent()).toHaveLength(2)
})

test('a failed sync fails the build', async () => {
  vi.stubEnv('KB_API_KEY', 'not-the-key')
  const site = createSite()
  await expect(site.build(kb({ sync: 'build' }))).rejects.toThrow(
    /The site is built, but not synced\. .*: The API key is unknown, has expired or was revoked/,
  )
})

const SERVER = { 'server.js': "export { articles, loadArticle } from 'virtual:kb'\n" }
const CLIENT_AND_SERVER = {
  builder: {},
  environments: { ssr: { build: { outDir: 'dist/server', rollupOptions: { input: 'server.js' } } } },
}

test('environments built in turn are one build: it sends once, after the last', async () => {
  const site = createSite(SERVER)
  const order: string[] = []
  const watcher: Plugin = {
    name: 'order',
    closeBundle() {
      order.push(this.environment.name)
    },
  }
  const plugin = [watcher, kb({ sync: 'build' })]
  const builder = await createBuilder(site.config(plugin, CLIENT_AND_SERVER), null)
  await builder.buildApp()
  expect(order).toEqual(['client', 'ssr'])
  expect(told(site)).toEqual([expect.stringContaining('2 created')])
  expect(site.logged.at(-1)).toContain('2 created')
  expect(Object.keys(site.readAll('dist/server'))).toContain('server.mjs')
})

test('what fails once the environments are built keeps them from being sent', async () => {
  const site = createSite(SERVER)
  const late: Plugin = { name: 'late', buildApp: { order: 'post', handler: fault } }
  // A hook that is asked after the environments are built: Vite builds them only after all hooks else.
  const building: Plugin = {
    name: 'building',
    async buildApp(builder) {
      for (const environment of Object.values(builder.environments)) await builder.build(environment)
    },
  }
  const config = site.config([kb({ sync: 'build' }), building, late], CLIENT_AND_SERVER)
  const builder = await createBuilder(config, null)
  await expect(builder.buildApp()).rejects.toThrow('broken on purpose')
  expect([await site.sent(), told(site)]).toEqual([[], []])
})

test('an environment that fails keeps the ones before it from sending', async () => {
  const site = createSite({ 'server.js': "import './missing.js'\n" })
  const builder = await createBuilder(site.config(kb({ sync: 'build' }), CLIENT_AND_SERVER), null)
  await expect(builder.buildApp()).rejects.toThrow('missing.js')
  expect([await site.sent(), told(site)]).toEqual([[], []])
})

test('a framework that builds the environments itself ends the build where its own hook ends', async () => {
  const site = createSite(SERVER)
  let sentWhenRendered: string[] | undefined
  const more = {
    ...CLIENT_AND_SERVER,
    builder: {
      buildApp: async (builder: Awaited<ReturnType<typeof createBuilder>>) => {
        for (const environment of Object.values(builder.environments)) await builder.build(environment)
        sentWhenRendered = await site.sent()
      },
    },
  }
  const builder = await createBuilder(site.config(kb({ sync: 'build' }), more), null)
  await builder.buildApp()
  expect([sentWhenRendered, (await site.sent()).length]).toEqual([[], 2])
})

test('a build within a build sends when the outer one is through', async () => {
  const site = createSite(SERVER)
  let sentWithin: string[] | undefined
  const nesting: Plugin = {
    name: 'nesting',
    async writeBundle() {
      await site.build(kb({ sync: 'build' }), { build: { outDir: 'dist/inner' } })
      sentWithin = await site.sent()
    },
  }
  await site.build([kb({ sync: 'build' }), nesting], { build: { ssr: 'server.js', outDir: 'dist/outer' } })
  expect([sentWithin, (await site.sent()).length]).toEqual([[], 2])
  expect(told(site)).toHaveLength(1)
})

test.each([
  ['astro:build', 'Astro goes on after its bundles. Use the integration of kb-sync/astro.'],
  ['nuxt:resolver', 'Nuxt goes on after its bundles. Run kb sync when nuxt build is through.'],
])('with %s, nothing is sent from here', async (name, advice) => {
  const site = createSite()
  await site.build([kb({ sync: 'build' }), { name }])
  expect([told(site), await site.sent()]).toEqual([[`[kb-sync] not synced: ${advice}`], []])
})

test('an option that does not exist is refused', () => {
  expect(() => kb({ synch: 'build' } as never)).toThrow(
    'The Vite plugin of kb-sync has no option "synch". Did you mean "sync"?',
  )
})
