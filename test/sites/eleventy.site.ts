// The plugin in real builds and development servers of Eleventy.
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { headingsIn, lostWords, wordsOf } from '../support/compare-words.ts'
import { openSitePage } from '../support/site-page.ts'
import { article, type Files } from '../support/project.ts'
import { builtinArticles } from '../support/read-articles.ts'
import type { RunningSite } from '../support/running-site.ts'
import { type SiteCopy, useSite } from '../support/site.ts'

const site = useSite('eleventy')

const SENDING = { env: { KB_SYNC: '1' } }
const BROKEN = article('Broken', { body: 'See [first](firts.md).' })
const BROKEN_REPORT = `kb-sync: 1 problem in the content

content/broken.md:6:13 error link-file-missing
  There is no article "firts.md".
  6 | See [first](firts.md).
    |             ^^^^^^^^
  hint: The path is relative to this file: correct it, or create that article.
`

const hasSent = (copy: SiteCopy) => existsSync(copy.path('.kb/kb.db'))
const slugsSent = async (copy: SiteCopy) => [...(await builtinArticles(copy)).keys()]

/** What the tool said, without its prefix. */
const said = (output: string) => output.replaceAll(/^\[11ty\] ?/gm, '')

/** The parts of pages that come from the articles, by address. */
function readPages(copy: SiteCopy): Record<string, string> {
  const pages = Object.entries(copy.readAll('_site')).filter(([name]) => name.endsWith('index.html'))
  return Object.fromEntries(
    pages.map(([name, text]) => [
      `/${name.slice(0, -'index.html'.length)}`,
      (/<body>(.*)<\/body>/s.exec(text)?.[1] ?? '').replaceAll(/\s*\n\s*/g, '\n').trim(),
    ]),
  )
}

test('the pages contain the articles, the categories and the tags', async () => {
  const copy = site.copy()
  const { code, output } = await copy.run('eleventy', [])
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining(
      '[11ty] kb-sync: not synced: this is not a CI build; set KB_SYNC=1 to send anyway',
    ),
  })
  expect(readPages(copy)).toMatchInlineSnapshot(`
    {
      "/": "<a href="/help/in/guides/">Guides</a>: 1",
      "/help/about/security/": "<h1>security</h1>
    <a href="/help/reset-password/">Reset your password</a>",
      "/help/change-email/": "<nav>
    <a href="/help/in/accounts/">Accounts</a>
    <a href="/help/in/guides/">Guides</a>
    </nav>
    <h1>Change your address</h1>
    <ul>
    <li><a href="#the-new-one">The new one</a></li>
    </ul>
    <div class="markdown-alert markdown-alert-note">
    <p class="markdown-alert-title">Note</p>
    <p>The old one works for a day.</p>
    </div>
    <h2 id="the-new-one">The new one</h2>
    <p><code>{{ nothing }}</code> is no template here.</p>",
      "/help/in/accounts/": "<h1>Accounts</h1>
    <p>All about your account</p>
    <a href="/help/in/guides/">Up to Guides</a>
    <ul>
    <li><a href="/help/reset-password/">Reset your password</a>: You need the address of your account.</li>
    <li><a href="/help/change-email/">Change your address</a>: {{ nothing }} is no template here.</li>
    </ul>",
      "/help/in/guides/": "<h1>Guides</h1>
    <p></p>
    <h2><a href="/help/in/accounts/">Accounts</a></h2>
    <ul>
    <li><a href="/help/change-email/">Change your address</a>: {{ nothing }} is no template here.</li>
    </ul>",
      "/help/reset-password/": "<nav>
    <a href="/help/in/accounts/">Accounts</a>
    </nav>
    <h1>Reset your password</h1>
    <ul>
    <li><a href="#ask-for-a-link">Ask for a link</a></li>
    </ul>
    <p>You need the <a href="/help/change-email/#the-new-one">address of your account</a>.</p>
    <h2 id="ask-for-a-link">Ask for a link</h2>
    <p>It comes by mail.</p>",
    }
  `)
})

test('the files that the guide shows make a site', async () => {
  const guide = readFileSync(new URL('../../content/automation/eleventy.md', import.meta.url), 'utf8')
  const shown = [...guide.matchAll(/^`([^`]+)`:\n\n```\w+\n(.*?\n)```$/gms)].map(
    ([, name = '', text = '']) => [name, text],
  )
  const files = Object.fromEntries(shown) as Files
  expect(Object.keys(files)).toEqual(['eleventy.config.js', 'site/article.njk', 'site/category.liquid'])
  const copy = site.copy(files)
  copy.remove('site/index.11ty.js', 'site/tag.njk')
  const { code } = await copy.run('eleventy', [])
  expect({ code, names: Object.keys(copy.readAll('_site')) }).toEqual({
    code: 0,
    names: [
      'help/change-email/index.html',
      'help/in/accounts/index.html',
      'help/in/guides/index.html',
      'help/reset-password/index.html',
    ],
  })
  expect(copy.read('_site/help/reset-password/index.html')).toContain(
    '<h1>Reset your password</h1>\n    <p>You need',
  )
  expect(copy.read('_site/help/in/accounts/index.html')).toContain('Up to Guides</a>')
})

test('Markdown of the content makes no pages of its own where the site lies around it', async () => {
  const config = site
    .copy()
    .read('eleventy.config.js')
    .replace("{ input: 'site' }", "{ includes: 'site/_includes' }")
  const copy = site.copy({ 'eleventy.config.js': config })
  await copy.run('eleventy', [])
  const names = Object.keys(copy.readAll('_site'))
  expect(names).toContain('help/reset-password/index.html')
  expect(names.filter((name) => name.startsWith('content/'))).toEqual([])
  const both = site.copy({ 'eleventy.config.js': config.replace('links:', 'ignoreContent: false,\nlinks:') })
  both.remove('content/accounts/change-email.md')
  both.write({ 'content/accounts/reset-password.md': article('Reset', { categories: ['Guides'] }) })
  await both.run('eleventy', [])
  expect(Object.keys(both.readAll('_site'))).toContain('content/accounts/reset-password/index.html')
})

test('a build sends the articles where it is asked to, and the next one nothing', async () => {
  const copy = site.copy()
  const first = await copy.run('eleventy', [], SENDING)
  expect(first.output).toContain('synced to builtin: 3 created, 0 changed, 0 deleted, 0 unchanged')
  expect(await slugsSent(copy)).toEqual(['change-email', 'planned', 'reset-password'])
  const lost = [...(await builtinArticles(copy)).values()]
    .filter(({ status }) => status === 'published')
    .map(({ slug, name, content }) => {
      const page = copy.read(`_site/help/${slug}/index.html`)
      const sent = wordsOf(`${name} ${headingsIn(content)} ${content}`)
      return [
        slug,
        lostWords(
          wordsOf(page, ({ tagName }) => tagName === 'body'),
          sent,
        ),
      ]
    })
  expect(lost).toEqual([
    ['change-email', []],
    ['reset-password', []],
  ])
  const second = await copy.run('eleventy', [], SENDING)
  expect(second.output).toContain('synced to builtin: 0 created, 0 changed, 0 deleted, 3 unchanged')
  expect([first.code, second.code]).toEqual([0, 0])
})

test('a broken article fails the build with its file and line, and nothing is sent', async () => {
  const copy = site.copy({ 'content/broken.md': BROKEN })
  const { code, output } = await copy.run('eleventy', [], SENDING)
  expect(said(output)).toContain(`Problem writing Eleventy templates:\n${BROKEN_REPORT.trimEnd()}`)
  expect({ code, hasSent: hasSent(copy) }).toEqual({ code: 1, hasSent: false })
})

test('with check: warn it is told, the others make the site, and the sync that was asked for fails', async () => {
  const config = site.copy().read('eleventy.config.js').replace('links:', "check: 'warn',\nlinks:")
  const copy = site.copy({ 'content/broken.md': BROKEN, 'eleventy.config.js': config })
  const { code, output } = await copy.run('eleventy', [], SENDING)
  expect(said(output)).toContain('content/broken.md:6:13 error link-file-missing')
  expect(said(output)).toContain('Nothing was sent because of 1 problem in the content, shown above.')
  expect({ code, hasSent: hasSent(copy) }).toEqual({ code: 1, hasSent: false })
  expect(Object.keys(readPages(copy))).toContain('/help/reset-password/')
})

test.each<[what: string, changes: Files, args: readonly string[], told: string]>([
  ['a template that fails', { 'site/bad.njk': '{{ bad' }, [], 'rendering njk template ./site/bad.njk'],
  ['a step after the pages that fails', lateFailure('parallel'), [], 'bad option: --no-such-option'],
  [
    'a late step that fails, one step at a time',
    lateFailure('sequential'),
    [],
    'bad option: --no-such-option',
  ],
  [
    'a configuration with an error',
    { 'kb.config.ts': 'export default { nope: 1 }\n' },
    [],
    'nope: unknown key',
  ],
])('after %s nothing is sent', async (_, changes, args, told) => {
  const copy = site.copy(changes)
  const { code, output } = await copy.run('eleventy', args, SENDING)
  expect(output).toContain(told)
  expect({ code, hasSent: hasSent(copy) }).toEqual({ code: 1, hasSent: false })
})

/** A site that runs a program when its pages are written, which ends badly some time later. */
function lateFailure(mode: 'parallel' | 'sequential'): Files {
  return {
    'eleventy.config.js': `import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import kb from 'kb-sync/eleventy'

export default (eleventyConfig) => {
  eleventyConfig.setEventEmitterMode('${mode}')
  eleventyConfig.addPlugin(kb, { sync: 'build', links: { article: '/help/{slug}/', category: '/in/{slug}/', tag: '/about/{slug}/' } })
  eleventyConfig.on('eleventy.after', () => promisify(execFile)(process.execPath, ['--no-such-option']))
}
export const config = { dir: { input: 'site' } }
`,
  }
}

test('what writes no pages sends nothing', async () => {
  const copy = site.copy()
  // Its page, as Eleventy makes it, has no end in JSON.
  copy.remove('site/index.11ty.js')
  const runs = await Promise.all([
    copy.run('eleventy', ['--dryrun'], SENDING),
    copy.run('eleventy', ['--to=ndjson'], SENDING),
  ])
  expect(runs.map(({ code }) => code)).toEqual([0, 0])
  expect(hasSent(copy)).toBe(false)
})

test('the types of the plugin fit those of Eleventy', async () => {
  const copy = site.copy({
    'types.ts': `import type UserConfig from '@11ty/eleventy/UserConfig'
import kb, { kb as named, type KbArticle, type KbCategory } from 'kb-sync/eleventy'
declare const config: UserConfig
export const added: Promise<void> = kb(config, { sync: 'build', links: { article: '/{slug}/' }, ignoreContent: false })
export const same: typeof kb = named
// @ts-expect-error -- there is no such choice
void kb(config, { sync: 'always' })
export const nameOf = ({ name, children, articles }: KbCategory): string => \`\${name} \${children.length + articles.length}\`
export const levels = ({ headings }: KbArticle): number[] => headings.map(({ level }) => level)
`,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        module: 'nodenext',
        target: 'es2023',
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        allowJs: true,
        maxNodeModuleJsDepth: 1,
        types: [],
      },
      files: ['types.ts', 'eleventy.config.js'],
    }),
  })
  expect(await copy.run('tsc', ['-p', '.'])).toEqual({ code: 0, output: '' })
})

/**
 * Has Node print each path that is watched from then on. Eleventy says that it watches, and starts its server, before it
 * does: its watcher counts every missing file twice, and so takes itself for ready too early.
 */
const TELLS_WATCHES = `--import=data:text/javascript,${encodeURIComponent(`import fs from 'node:fs'
const { watch } = fs
fs.watch = (path, ...rest) => {
  const watcher = watch(path, ...rest)
  console.error('watched: ' + path)
  return watcher
}`)}`

/** Starts the development server; the address is where its pages are. */
async function serve(copy: SiteCopy) {
  const running = copy.start('eleventy', ['--serve', '--port=0'], { env: { NODE_OPTIONS: TELLS_WATCHES } })
  const [, address = ''] = await running.waitFor(/Server at (http:\S+)/)
  return { running, address }
}

const literally = (path: string): string => path.replaceAll('.', '\\.')

/**
 * Saves a file, whole at once, and waits until the site was built with it.
 *
 * @returns length of the output before
 */
async function save(running: RunningSite, copy: SiteCopy, name: string, text: string): Promise<number> {
  const watched = existsSync(copy.path(name)) ? name : dirname(name)
  await running.waitFor(new RegExp(`^watched: ${literally(watched)}$`, 'm'))
  const before = running.output().length
  copy.write({ 'saved.tmp': text })
  copy.move('saved.tmp', name)
  await running.waitFor(new RegExp(`File (?:added|changed): \\./${literally(name)}\n[^]*Watching…`), before)
  return before
}

const panelOf = (page: Page) => page.locator('#kb-sync-problems')

test('while it is served, a mistake keeps the last good page and shows what is wrong, until it is mended', async () => {
  const copy = site.copy()
  const good = copy.read('content/accounts/reset-password.md')
  const { running, address } = await serve(copy)
  const page = await openSitePage(await openBrowser())
  await page.goto(`${address}help/reset-password/`)
  expect(await panelOf(page).count()).toBe(0)

  const mistake = good.replace('order: 1', 'order: one').replace('by mail', 'by pigeon')
  const before = await save(running, copy, 'content/accounts/reset-password.md', mistake)
  await running.waitFor(/reset-password\.md:5:8 error frontmatter-value/, before)
  await panelOf(page).waitFor()
  expect(await panelOf(page).innerText()).toContain(
    'content/accounts/reset-password.md:5:8 error frontmatter-value\n  order must be a number.',
  )
  expect(await page.locator('body').innerText()).toContain('It comes by mail.')
  await page.goto(`${address}help/change-email/`)
  await panelOf(page).waitFor()

  await save(running, copy, 'content/accounts/reset-password.md', good.replace('by mail', 'by post'))
  await panelOf(page).waitFor({ state: 'detached' })
  await page.goto(`${address}help/reset-password/`)
  expect(await page.locator('body').innerText()).toContain('It comes by post.')
  expect(hasSent(copy)).toBe(false)
})

test('while it is served, new articles, drafts and an edit of the configuration come to the pages', async () => {
  const copy = site.copy({ 'other/only.md': article('Only') })
  const { running } = await serve(copy)
  expect(Object.keys(readPages(copy))).toContain('/help/planned/')
  await save(running, copy, 'content/new.md', article('New', { categories: ['Accounts'] }))
  const pages = readPages(copy)
  expect(pages['/help/new/']).toContain('<h1>New</h1>')
  expect(pages['/help/in/accounts/']).toContain('<a href="/help/new/">New</a>')

  const before = await save(running, copy, 'kb.config.ts', 'export default { nope: 1 }\n')
  await running.waitFor(/nope: unknown key/, before)
  const other = "export default { content: 'other', defaults: { status: 'published' } }\n"
  await save(running, copy, 'kb.config.ts', other)
  expect(readPages(copy)['/']).toContain('<a href="/help/in/guides/">Guides</a>: 1')
})

test('with sync: watch, what is saved is sent until the server ends', async () => {
  const config = site.copy().read('eleventy.config.js').replace("'build'", "'watch'")
  const copy = site.copy({ 'eleventy.config.js': config })
  const { running } = await serve(copy)
  await running.waitFor(/kb-sync: watching; builtin has 3 articles/)
  const before = running.output().length
  copy.write({ 'content/new.md': article('New') })
  await running.waitFor(/create new\.md done/, before)
  running.process.kill('SIGINT')
  expect((await running.ended).code).toBe(0)
  expect(await slugsSent(copy)).toEqual(['change-email', 'new', 'planned', 'reset-password'])
})

test('with sync: watch, a server that is ended while it builds ends too, and its pages are whole', async () => {
  const config = site.copy().read('eleventy.config.js').replace("'build'", "'watch'")
  const copy = site.copy({
    'eleventy.config.js': config.replace(
      'eleventyConfig.addPlugin',
      `let builds = 0
      eleventyConfig.on('eleventy.before', async () => {
        builds += 1
        if (builds !== 2) return
        const interrupted = new Promise((resolve) => process.once('SIGINT', resolve))
        process.kill(process.pid, 'SIGINT')
        await interrupted
      })
      eleventyConfig.addPlugin`,
    ),
  })
  const { running } = await serve(copy)
  await running.waitFor(/kb-sync: watching;/)
  await running.waitFor(/^watched: content$/m)
  copy.write({ 'content/new.md': article('New', { body: 'All of it.' }) })
  expect((await running.ended).code).toBe(0)
  expect(readPages(copy)['/help/new/']).toContain('<p>All of it.</p>')
})
