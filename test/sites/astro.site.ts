// Astro: what the guide says to set up is what is built here.
import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { fillStore } from '../../src/plugins/astro/loaders.ts'
import type { EntryStore } from '../../src/plugins/astro/astro-types.ts'
import { openBrowser } from '../support/browser.ts'
import { lostWords, wordsOf } from '../support/compare-words.ts'
import { openSitePage } from '../support/site-page.ts'
import { startBuiltinService } from '../support/builtin-service.ts'
import { article } from '../support/project.ts'
import { type SiteCopy, useSite } from '../support/site.ts'
import { waitFor } from '../support/wait-for.ts'
import { SERVICE_KEY } from '../support/strict-service.ts'

const site = useSite('astro')
const BROKEN = {
  'content/second.md': article('Second', { categories: ['Accounts'], body: 'See [first](firts.md).' }),
}
// Those of content/_categories.yml: on a remote target they have to be there.
const CATEGORIES = [
  { name: 'Accounts', slug: 'accounts', priority: 2 },
  { name: 'Billing', slug: 'billing', priority: 1 },
  { name: 'Invoices', slug: 'invoices', parent: 'billing' },
]

async function startTarget() {
  const service = await startBuiltinService(CATEGORIES)
  onTestFinished(() => service.close())
  const env = { KB_URL: service.url, KB_API_KEY: SERVICE_KEY, KB_SYNC: '1' }
  const { articles } = service
  return { env, articles, slugs: async () => (await articles()).map(({ slug }) => slug ?? '').toSorted() }
}

const build = (copy: SiteCopy, env: Record<string, string> = {}) => copy.run('astro', ['build'], { env })

test('the guide shows the files of this site', () => {
  const guide = readFileSync(new URL('../../content/automation/astro.md', import.meta.url), 'utf8')
  const shown = [...guide.matchAll(/^`([^`\n]+)`:\n\n```\w+\n([^]*?)^```$/gm)].map(([, name, text]) => [
    name,
    text,
  ])
  const names = [
    'astro.config.mjs',
    'src/content.config.ts',
    'src/pages/help/[...id].astro',
    'src/pages/topics/[slug].astro',
  ]
  const copy = site.copy()
  expect(shown).toEqual(names.map((name) => [name, copy.read(name)]))
})

test('pages hold the articles, the target gets them once, and no page holds a secret', async () => {
  const { env, articles, slugs } = await startTarget()
  const copy = site.copy()
  const first = await build(copy, env)
  expect(first).toEqual({
    code: 0,
    output: expect.stringContaining('4 created, 0 changed, 0 deleted, 0 unchanged'),
  })
  expect(await slugs()).toEqual(['pay-an-invoice', 'reset-password', 'sign-in', 'unfinished'])

  const files = copy.readAll('dist')
  expect(Object.keys(files)).toEqual([
    'help/pay-an-invoice/index.html',
    'help/reset-password/index.html',
    'help/sign-in/index.html',
    'index.html',
    'topics/accounts/index.html',
    'topics/billing/index.html',
    'topics/invoices/index.html',
  ])
  expect(bodyOf(files['help/reset-password/index.html'])).toBe(
    '<h1>Reset your password</h1>' +
      '<nav><ul><li><a href="#by-mail">By mail</a></li><li><a href="#by-phone">By phone</a></li></ul></nav>' +
      '<p>Open <strong>Settings</strong> and choose <em>Reset password</em>. ' +
      'See also <a href="/help/sign-in/#with-a-code">sign in</a>.</p>' +
      '<h2 id="by-mail">By mail</h2><p>We send you a link.</p><h2 id="by-phone">By phone</h2><p>Call us.</p>',
  )
  const lost = (await articles())
    .filter(({ status }) => status === 'published')
    .map(({ slug, name, content }) => {
      const built = wordsOf(files[`help/${slug}/index.html`] ?? '', ({ tagName }) => tagName === 'body')
      return lostWords(built, wordsOf(`${name} ${content}`))
    })
  expect(lost).toEqual([[], [], []])
  expect(bodyOf(files['topics/accounts/index.html'])).toBe(
    '<h1>Accounts</h1><ul><li><a href="/help/reset-password/">Reset your password</a></li>' +
      '<li><a href="/help/sign-in/">Sign in</a></li></ul>',
  )
  expect(bodyOf(files['index.html'])).toContain(
    '<li><a href="/topics/billing/">Billing</a></li><li><a href="/topics/invoices/">',
  )
  const everything = Object.values(files).join('\n')
  for (const secret of [SERVICE_KEY, env.KB_URL, copy.path(''), 'KB_', 'Not yet.']) {
    expect(everything).not.toContain(secret)
  }

  const second = await build(copy, env)
  expect(second.output).toContain('0 created, 0 changed, 0 deleted, 4 unchanged')
})

test('nothing is sent where nobody has asked for it', async () => {
  const { env, slugs } = await startTarget()
  const { code, output } = await build(site.copy(), { KB_URL: env.KB_URL, KB_API_KEY: SERVICE_KEY })
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining('[kb-sync] not synced: this is not a CI build;'),
  })
  expect(await slugs()).toEqual([])
})

test('a broken article ends a build with its place, and sends nothing', async () => {
  const { env, slugs } = await startTarget()
  const copy = site.copy(BROKEN)
  const { code, output } = await build(copy, env)
  expect(code).toBe(1)
  expect(output).toContain(
    '[kb-sync] 1 problem in the content: There is no article "firts.md". [link-file-missing]\n',
  )
  expect(output).toContain(`  Location:\n    ${copy.path('content/second.md')}:6:13\n`)
  expect(output).toContain('  6 | See [first](firts.md).\n    |             ^^^^^^^^')
  expect(await slugs()).toEqual([])
})

test('what only warns makes the site, which ends with an error where it was to be sent', async () => {
  const { env, slugs } = await startTarget()
  const config = site.copy().read('astro.config.mjs').replace('kb({', "kb({ check: 'warn',")
  const { code, output } = await build(site.copy({ ...BROKEN, 'astro.config.mjs': config }), env)
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringContaining('[WARN] [kb-sync] content/second.md:6:13'),
  })
  expect(output).toContain('The site is built, but not synced. Nothing was sent because of 1 problem')
  expect(await slugs()).toEqual([])
})

test.each([
  ['page', { 'src/pages/broken.astro': "---\nthrow new Error('broken on purpose')\n---\n" }],
  [
    'integration',
    {
      'astro.config.mjs': `import { defineConfig } from 'astro/config'
import kb from 'kb-sync/astro'
const failing = { name: 'failing', hooks: { 'astro:build:done': () => { throw new Error('broken on purpose') } } }
export default defineConfig({ integrations: [kb({ sync: 'build' }), failing] })
`,
    },
  ],
])('a build that fails in another %s sends nothing', async (_, changes) => {
  const { env, slugs } = await startTarget()
  const { code, output } = await build(site.copy(changes), env)
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('broken on purpose') })
  expect(await slugs()).toEqual([])
})

test('a sync that fails ends the build', async () => {
  const { env } = await startTarget()
  const { code, output } = await build(site.copy(), { ...env, KB_API_KEY: 'wrong' })
  expect(code).toBe(1)
  expect(output).toContain('[kb-sync] The site is built, but not synced.')
})

test('a collection without the integration says what is missing', async () => {
  const config = "import { defineConfig } from 'astro/config'\nexport default defineConfig({})\n"
  const { code, output } = await build(site.copy({ 'astro.config.mjs': config }))
  expect(code).toBe(1)
  expect(output).toContain(
    '[kb-sync] A collection gets its content from the integration of kb-sync, which is missing.',
  )
  expect(output).toContain('Add kb() of kb-sync/astro to the integrations in astro.config.')
})

test('two knowledge bases in one site', async () => {
  const copy = site.copy({
    'astro.config.mjs': `import { defineConfig } from 'astro/config'
import kb from 'kb-sync/astro'
export default defineConfig({ integrations: [kb({ config: 'kb.config.ts' }), kb({ config: 'second.config.ts' })] })
`,
    'second.config.ts': `export default { content: 'second', defaults: { status: 'published', categories: ['All'] } }\n`,
    'content/_tags.yml': '- name: Safety\n  slug: safety\n',
    'second/only.md': '---\ntitle: The only one\n---\n\nText.\n',
    'src/content.config.ts': `import { defineCollection } from 'astro:content'
import { kbCategoriesLoader, kbLoader, kbTagsLoader } from 'kb-sync/astro'
export const collections = {
  kb: defineCollection({ loader: kbLoader({ config: 'kb.config.ts' }) }),
  kbCategories: defineCollection({ loader: kbCategoriesLoader({ config: 'kb.config.ts' }) }),
  second: defineCollection({ loader: kbLoader({ config: 'second.config.ts' }) }),
  tags: defineCollection({ loader: kbTagsLoader({ config: 'kb.config.ts' }) }),
}
`,
    'src/pages/others.json.ts': `import { getCollection } from 'astro:content'
export const GET = async () => Response.json([await getCollection('second'), await getCollection('tags')])
`,
  })
  const { code, output } = await build(copy)
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('7 page(s) built') })
  const [[second], tags] = JSON.parse(copy.read('dist/others.json')) as [object[], object[]]
  expect(second).toMatchObject({
    id: 'only',
    collection: 'second',
    filePath: 'second/only.md',
    data: { title: 'The only one', source: 'only.md', categories: ['All'], url: '/articles/only' },
    rendered: { html: '<p>Text.</p>\n', metadata: { headings: [] } },
  })
  const names = { name: 'Safety', slug: 'safety', description: '', url: '/tags/safety' }
  expect(tags).toMatchObject([{ id: 'Safety', data: { ...names, translations: {} } }])
})

test('the collections have types, which hold a site to them', async () => {
  const sound = await site.copy().run('astro', ['check'])
  expect(sound).toEqual({ code: 0, output: expect.stringContaining('- 0 errors\n- 0 warnings\n- 0 hints') })
  const wrong = site.copy({
    'src/wrong.ts': `import type { CollectionEntry } from 'astro:content'
import { kb, type KbArticle } from 'kb-sync/astro'
export const title = (entry: CollectionEntry<'kb'>): number => entry.data.title
export const nothing = (entry: CollectionEntry<'kb'>) => entry.data.nothing
export const article = (entry: CollectionEntry<'kb'>): KbArticle => entry.data
export const parent = (entry: CollectionEntry<'kbCategories'>): string => entry.data.parent
export const integration = kb({ sync: 'often' })
`,
  })
  const { code, output } = await wrong.run('astro', ['check'])
  const places = [...stripVTControlCharacters(output).matchAll(/src\/wrong\.ts:(\d+):/g)].map(([, line]) =>
    Number(line),
  )
  expect({ code, places: places.toSorted((a, b) => a - b) }).toEqual({ code: 1, places: [3, 4, 6, 7] })
})

test('in development pages follow the files, and problems stand over them until they are mended', async () => {
  const copy = site.copy()
  const good = copy.read('content/reset-password.md')
  const server = copy.start('astro', ['dev', '--host', '127.0.0.1', '--port', '0'])
  const [, address = ''] = await server.waitFor(/(http:\/\/127\.0\.0\.1:\d+)\//)
  await server.waitFor(/watching for file changes/)
  const browser = await openBrowser()
  const page = await openSitePage(browser)
  await page.goto(`${address}/help/reset-password`)

  copy.write({ 'content/reset-password.md': good.replace('Call us.', 'Write to us.') })
  await page.getByText('Write to us.').waitFor()

  copy.write({ 'content/reset-password.md': good.replace('sign-in.md', 'nowhere.md') })
  const overlay = page.locator('vite-error-overlay')
  const message = overlay.locator('#message-content')
  await message.getByText('There is no article "nowhere.md". [link-file-missing]').waitFor()
  await overlay.locator('#code').getByText('content/reset-password.md:7:').waitFor()
  // A page that is opened now has missed the event.
  const late = await openSitePage(browser)
  await late.goto(`${address}/help/sign-in`)
  await late.locator('vite-error-overlay').getByText('1 problem in the content').waitFor()
  await server.waitFor(/\[ERROR\] \[kb-sync\] content\/reset-password\.md:7:/)

  copy.write({ 'content/reset-password.md': good })
  await server.waitFor(/\[kb-sync\] all problems are fixed/)
  await Promise.all(
    [page, late].map((each) => each.locator('vite-error-overlay').waitFor({ state: 'detached' })),
  )

  const config = copy.read('kb.config.ts')
  copy.write({ 'kb.config.ts': config.replace('published', 'publish') })
  await message.getByText('kb.config.ts has an error:').waitFor()
  copy.write({ 'kb.config.ts': config })
  await overlay.waitFor({ state: 'detached' })

  // The server may reload the others again, which would end their navigation.
  const unfinished = await openSitePage(browser)
  await unfinished.goto(`${address}/help/unfinished`)
  await unfinished.getByText('Not yet.').waitFor()
  expect(existsSync(copy.path('.kb/kb.db'))).toBe(false)
})

test('an edit of astro.config shows at once, and the articles stay live', async () => {
  const copy = site.copy({
    'src/pages/addresses.astro': `---
import { getCollection } from 'astro:content'
const entries = [...(await getCollection('kb')), ...(await getCollection('kbCategories'))]
---
<html><body>{entries.map(({ data }) => <p>{data.url}</p>)}</body></html>
`,
  })
  const text = copy.read('content/reset-password.md')
  const config = copy.read('astro.config.mjs')
  // Whole at once: Astro does not look again when it has met the file empty, in the middle of a write.
  const saveConfig = (changed: string) => {
    copy.write({ 'saved.mjs': changed })
    copy.move('saved.mjs', 'astro.config.mjs')
  }
  const server = copy.start('astro', ['dev', '--host', '127.0.0.1', '--port', '0'])
  const [, address = ''] = await server.waitFor(/(http:\/\/127\.0\.0\.1:\d+)\//)
  await server.waitFor(/watching for file changes/)
  // From the server: a browser's page that loads while Astro restarts misses the message to load again.
  const waitForText = (path: string, shown: string) =>
    waitFor(async () => {
      const html = await (await fetch(address + path)).text()
      expect(html).toContain(shown)
      return html
    })

  saveConfig(config.replace('/topics/', '/subjects/'))
  await server.waitFor(/Configuration file updated\. Restarting/)
  copy.write({ 'content/reset-password.md': text.replace('Call us.', 'Write to us.') })
  await waitForText('/help/reset-password', 'Write to us.')
  expect(await waitForText('/addresses', '/subjects/accounts/')).not.toContain('/topics/')

  // Another knowledge base is an option like any other.
  copy.write({
    'other.config.ts':
      "export default { content: 'other', defaults: { status: 'published', categories: ['All'] } }\n",
    'other/only.md': '---\ntitle: The only one\n---\n\nText.\n',
  })
  saveConfig(config.replace('kb({', "kb({ config: 'other.config.ts',"))
  await waitForText('/addresses', '/help/only/')
})

test('in development the articles are sent where that is asked for', async () => {
  const { env, slugs } = await startTarget()
  const config = site.copy().read('astro.config.mjs').replace("'build'", "'watch'")
  const copy = site.copy({ 'astro.config.mjs': config })
  const { KB_SYNC: _, ...target } = env
  const server = copy.start('astro', ['dev', '--port', '0'], { env: target })
  await server.waitFor(/\[kb-sync\] watching; .* has 4 articles/)
  copy.write({ 'content/third.md': article('Third', { categories: ['Accounts'] }) })
  await server.waitFor(/\[kb-sync\] create third\.md done/)
  expect(await slugs()).toEqual(['pay-an-invoice', 'reset-password', 'sign-in', 'third', 'unfinished'])
})

test('an entry that is as it was is neither rendered nor written again', async () => {
  const { MutableDataStore } = (await import(
    pathToFileURL(site.module('astro/dist/content/mutable-data-store.js')).href
  )) as { MutableDataStore: new () => { scopedStore: (name: string) => EntryStore } }
  const store = new MutableDataStore().scopedStore('kb')
  const rendered: string[] = []
  const fill = async (...ids: readonly string[]) => {
    rendered.length = 0
    const entries = ids.map((each) => {
      const [id = '', bodyDigest] = each.split(':')
      return { id, data: {}, bodyDigest, render: () => (rendered.push(id), { html: each }) }
    })
    const generateDigest = (data: object) => JSON.stringify(data)
    await fillStore({ store, generateDigest, parseData: ({ data }) => Promise.resolve(data) }, entries)
    return [store.keys().map((id) => store.get(id)?.rendered?.html), [...rendered]]
  }
  expect(await fill('a:1', 'b:1', 'c:1')).toEqual([
    ['a:1', 'b:1', 'c:1'],
    ['a', 'b', 'c'],
  ])
  expect(await fill('a:1', 'b:1', 'c:1')).toEqual([['a:1', 'b:1', 'c:1'], []])
  expect(await fill('a:1', 'b:2', 'c:1')).toEqual([['a:1', 'b:2', 'c:1'], ['b']])
  expect(await fill('a:1', 'd:1', 'c:1')).toEqual([['a:1', 'c:1', 'd:1'], ['d']])
  expect(await fill('d:1')).toEqual([['d:1'], []])
})

/** What stands between the tags of the body, without the white space between tags. */
function bodyOf(html = ''): string {
  const [, body = ''] = /<body>([^]*)<\/body>/.exec(html) ?? []
  return body.replaceAll(/>\s+</g, '><').trim()
}
