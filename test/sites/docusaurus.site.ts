import { once } from 'node:events'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { openSitePage } from '../support/site-page.ts'
import { startBuiltinService } from '../support/builtin-service.ts'
import { classesOf, lostWords, wordsOf } from '../support/compare-words.ts'
import { article, configFile, folderAt, type TestFolder } from '../support/project.ts'
import { builtinArticles } from '../support/read-articles.ts'
import { textOfPage } from '../support/text-of-page.ts'
import { useSite } from '../support/site.ts'
import { SERVICE_KEY } from '../support/strict-service.ts'

const site = useSite('docusaurus')
const BROKEN = { 'content/broken.md': article('Broken', { body: 'See [first](guides/log-im.md).' }) }

const ARTICLE = 'content/guides/reset-password.md'
const SENDS = { KB_SYNC: '1' }

/** Where nothing may arrive. */
async function startTarget() {
  const { url, articles, close } = await startBuiltinService()
  onTestFinished(close)
  return { env: { KB_URL: url, KB_API_KEY: SERVICE_KEY }, url, articles }
}

async function slugsSent(folder: TestFolder) {
  return [...(await builtinArticles(folder)).keys()]
}

/** Docusaurus finds no free port by itself where nobody can answer. */
async function startArguments(): Promise<string[]> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return ['start', '--no-open', '--port', String(port)]
}

test('makes pages of the articles in every locale, and sends them once', async () => {
  const copy = site.copy()
  const { code, output } = await copy.run('docusaurus', ['build'], { env: SENDS })
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('3 created') })
  expect(output.match(/synced to/g)).toHaveLength(1)
  expect(await slugsSent(copy)).toEqual(['log-in', 'mot-de-passe', 'reset-password'])
  const built = copy.readAll('build')
  const pages = Object.keys(built).filter((path) => path.includes('help/'))
  expect(pages).toEqual([
    'fr/help/categories/accounts/index.html',
    'fr/help/categories/aide/index.html',
    'fr/help/index.html',
    'fr/help/log-in/index.html',
    'fr/help/mot-de-passe/index.html',
    'help/categories/accounts/index.html',
    'help/categories/guides/index.html',
    'help/index.html',
    'help/log-in/index.html',
    'help/reset-password/index.html',
    'help/tags/security/index.html',
  ])
  expect(textOfPage(built['help/reset-password/index.html'])).toMatchObject({
    title: 'Reset your password | Demo',
    description: 'What to do when you cannot log in any more.',
    text: expect.stringContaining('Keep your new password.'),
    links: expect.arrayContaining([
      '/help/log-in#people',
      '/help/categories/accounts',
      '/help/tags/security',
    ]),
  })
  // The site's own components draw it: an admonition, highlighted code, headings with their links.
  expect(built['help/reset-password/index.html']).toMatch(/theme-admonition-info.*prism-code/s)
  // A page in another locale is a page of another site for Docusaurus.
  expect(textOfPage(built['help/log-in/index.html']).links).toContain('/fr/help/mot-de-passe')
  // What nobody has translated stands in the default language, and links stay in the locale.
  expect(textOfPage(built['fr/help/mot-de-passe/index.html']).links).toContain('/fr/help/log-in')
  expect(textOfPage(built['fr/help/log-in/index.html']).links).toContain('/fr/help/mot-de-passe')
  expect(textOfPage(built['index.html']).links).toEqual(
    expect.arrayContaining(['/help/log-in', '/help/reset-password']),
  )
})

test('an article whose slug means something to a router has its page, below a base URL, too', async () => {
  const slugs = ['c++', '(a)', 'a.b', ':any', "what's-new", '100%', 'größe']
  const links = slugs.map((_, index) => `[To ${index}](${index}.md)`).join(' ')
  const files = slugs.map((slug, index) => [
    `content/${index}.md`,
    article(`Title ${index}`, { slug, categories: ['Guides'], body: links }),
  ])
  const copy = site.copy(Object.fromEntries(files) as Record<string, string>)
  const config = copy.read('docusaurus.config.ts').replace("baseUrl: '/'", "baseUrl: '/docs/'")
  copy.write({ 'docusaurus.config.ts': config })
  const { code, output } = await copy.run('docusaurus', ['build', '--locale', 'en'])
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('Generated static files') })
  const [, ...rest] = await startArguments()
  const [, port = ''] = rest.slice(-2)
  const running = copy.start('docusaurus', ['serve', '--no-open', '--port', port])
  const [, url = ''] = await running.waitFor(/Serving .* at: (http:\S+)/)
  const page = await openSitePage(await openBrowser())
  await page.goto(`${url}help/c++`)
  for (const index of slugs.keys()) {
    const title = page.getByRole('heading', { level: 1, name: `Title ${index}` })
    await page
      .getByRole('article')
      .getByRole('link', { name: `To ${index}` })
      .click()
    await title.waitFor()
    await page.reload()
    await title.waitFor()
    // React has taken the page as it came, and has not put another one in its place.
    await page
      .getByRole('button', { name: /Collapse sidebar category/ })
      .first()
      .click()
    await title.waitFor()
  }
})

test('with check: warn, the site is made, and the sync that was asked for fails', async () => {
  const config = site
    .copy()
    .read('docusaurus.config.ts')
    .replace("sync: 'build'", "sync: 'build', check: 'warn'")
  const { env, articles } = await startTarget()
  const copy = site.copy({
    ...BROKEN,
    'docusaurus.config.ts': config.replace("onBrokenLinks: 'throw'", "onBrokenLinks: 'warn'"),
  })
  const { code, output } = await copy.run('docusaurus', ['build', '--locale', 'en'], {
    env: { ...env, ...SENDS },
  })
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringContaining('Nothing was sent because of 1 problem in the content, shown above.'),
  })
  expect(Object.keys(copy.readAll('build'))).toContain('help/reset-password/index.html')
  expect(await articles()).toEqual([])
})

test('without being asked, nothing is sent, and nothing of the target is in the pages', async () => {
  const { env, url, articles } = await startTarget()
  const copy = site.copy()
  const { code, output } = await copy.run('docusaurus', ['build', '--locale', 'fr'], { env })
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining(
      'kb-sync: not synced: this is not a CI build; set KB_SYNC=1 to send anyway',
    ),
  })
  expect(await articles()).toEqual([])
  const built = copy.readAll('build')
  // A locale that is built alone lies at the root.
  expect(textOfPage(built['help/mot-de-passe/index.html']).links).toContain('/help/log-in')
  const everything = Object.values(built).join('\n')
  expect([SERVICE_KEY, url, copy.root, 'KB_'].filter((secret) => everything.includes(secret))).toEqual([])
})

test('a broken article fails the build, with its place, and nothing is sent', async () => {
  const copy = site.copy(BROKEN)
  const { code, output } = await copy.run('docusaurus', ['build'], { env: SENDS })
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringContaining('[cause]: [kb-sync: 1 problem in the content'),
  })
  expect(output).toMatch(
    /content\/broken\.md:6:13 error link-file-missing\n.*\n +6 \| See \[first\]\(guides\/log-im\.md\)\.\n/,
  )
  expect(existsSync(copy.path('.kb/kb.db'))).toBe(false)
})

test('a build that fails after the bundle, at a broken link of the site, sends nothing', async () => {
  const page = 'import Link from \'@docusaurus/Link\'\nexport default () => <Link to="/nowhere">Go</Link>\n'
  const copy = site.copy({ 'src/pages/index.tsx': page })
  const { code, output } = await copy.run('docusaurus', ['build', '--locale', 'en'], { env: SENDS })
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('broken links') })
  expect(existsSync(copy.path('.kb/kb.db'))).toBe(false)
})

test('a sync that fails fails the build', async () => {
  const { env } = await startTarget()
  // The target has no category Accounts, and nobody may create one.
  const { code, output } = await site
    .copy()
    .run('docusaurus', ['build', '--locale', 'en'], { env: { ...env, ...SENDS } })
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringMatching(/\[ERROR\] kb-sync: content.*error category-unknown/),
  })
})

/** What a page may be made of beside the text of its file. */
const PARTS = {
  'existing/docs/parts.mdx': `---
title: Parts
version: 4.2
---

import Part from './_part.mdx'
import Short from '@site/docs/_short.md'
import Tabs from '@theme/Tabs'
import TabItem from '@theme/TabItem'

export const maker = 'somebody'

Version {frontMatter.version} by {maker}, <Short/>.

<Part />

<Tabs>
  <TabItem value="one" label="First way"><Part /></TabItem>
  <TabItem value="two" label="Second way">

    Words in the tab.

  </TabItem>
</Tabs>

- an item

  <Part />

:::tip[A title]

Tipped words.

:::

Then {[1, 2].map((each) => 'computed')}.
`,
  'existing/docs/_part.mdx': `import Inner from './_inner.md'

Words of a **part**.

<Inner />
`,
  'existing/docs/_inner.md': '| a | b |\n|---|---|\n| inner | cells |\n',
  'existing/docs/_short.md': '*in short*\n',
}

test('an existing docs folder is sent as it is, and no word of it gets lost without a diagnostic', async () => {
  const copy = site.copy(PARTS)
  const { code, output } = await copy.run('docusaurus', ['build', 'existing'], { env: SENDS })
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('3 created') })
  const sent = await builtinArticles(folderAt(copy.path('existing')))
  expect([...sent.keys()]).toEqual(['index', 'parts', 'start-first-step'])
  const pages = { index: '', parts: 'parts/', 'start-first-step': 'start/first-step/' }
  const lost = Object.entries(pages).map(([slug, path]) => {
    const html = copy.read(`existing/build/${path}index.html`)
    const built = wordsOf(html, (element) => classesOf(element).includes('theme-doc-markdown'))
    const { name, content } = sent.get(slug) ?? {}
    return [slug, lostWords(built, wordsOf(`${name} ${content}`))]
  })
  expect(Object.fromEntries(lost)).toEqual({ index: [], parts: ['computedcomputed'], 'start-first-step': [] })
  expect(output).toMatch(/parts\.mdx:\d+:6 warning expression-removed/)
})

test('the docs of Docusaurus show a content folder by its own frontmatter', async () => {
  const copy = site.copy()
  const { code, output } = await copy.run('docusaurus', ['build', 'shown'])
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('Generated static files') })
  const built = copy.readAll('shown/build')
  expect(Object.keys(built).filter((path) => path.startsWith('guides/'))).toEqual([
    'guides/log-in/index.html',
    'guides/new-password/index.html',
  ])
  expect(textOfPage(built['guides/new-password/index.html'])).toMatchObject({
    description: 'What to do when you cannot log in any more.',
    links: expect.arrayContaining(['/guides/log-in']),
  })
})

test('types fit those of Docusaurus', async () => {
  const { code, output } = await site.copy().run('tsc', ['--noEmit'])
  expect({ code, output }).toEqual({ code: 0, output: '' })
})

test('the development server shows every change, and a mistake until it is mended', async () => {
  const { env, articles } = await startTarget()
  const copy = site.copy()
  const text = copy.read(ARTICLE)
  const running = copy.start('docusaurus', await startArguments(), { env })
  const [, url = ''] = await running.waitFor(/running at: (http:\S+)/)
  await running.waitFor(/compiled successfully/)
  const browser = await openBrowser()
  const page = await openSitePage(browser)
  const overlay = page.frameLocator('#webpack-dev-server-client-overlay')
  await page.goto(`${url}help/reset-password`)
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  copy.write({ [ARTICLE]: text.replace('First steps', 'Other steps') })
  await page.getByRole('heading', { name: 'Other steps' }).waitFor()
  copy.write({ [ARTICLE]: text.replace('log-in.md', 'log-im.md') })
  await overlay.getByText('content/guides/reset-password.md:8:23 error link-file-missing').waitFor()
  // A page that is opened later says so, too, and the article is there.
  const later = await openSitePage(browser)
  await later.goto(`${url}help/reset-password`)
  await later.frameLocator('#webpack-dev-server-client-overlay').getByText('Did you mean').waitFor()
  await later.getByRole('heading', { name: 'First steps' }).waitFor()
  copy.write({ [ARTICLE]: text })
  await page.locator('#webpack-dev-server-client-overlay').waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  expect(running.output()).toMatch(/8 \| Read \[who may log in\]\(log-im\.md#people\)/)
  expect(await articles()).toEqual([])
})

test('with webpack in the place of Rspack, too, and an edit of kb.config.ts counts at once', async () => {
  const copy = site.copy()
  const config = copy.read('docusaurus.config.ts').replace(/^ *future: .*\n/m, '')
  copy.write({ 'docusaurus.config.ts': config })
  const running = copy.start('docusaurus', await startArguments())
  await running.waitFor(/compiled successfully/i)
  const from = running.output().length
  copy.write({ 'kb.config.ts': configFile({ project: 'demo', rules: { 'excerpt-missing': 'error' } }) })
  const [place] = await running.waitFor(/\S+ error excerpt-missing/, from)
  expect(place).toMatch(/^content\/\S+\.md:\d+:\d+ error/)
})

test('on request, the development server sends what is saved', async () => {
  const copy = site.copy()
  const config = copy.read('docusaurus.config.ts').replace("sync: 'build'", "sync: 'watch'")
  copy.write({ 'docusaurus.config.ts': config })
  const running = copy.start('docusaurus', await startArguments())
  await running.waitFor(/kb-sync: watching; builtin has 3 articles, 3 sent and 0 deleted now/)
  copy.write({ 'content/more.md': article('More') })
  const [done] = await running.waitFor(/kb-sync: create .*/)
  expect(done).toBe('kb-sync: create more.md done')
})

/** The code blocks of a section of the guide, in their order. */
function stepsOf(section: string): string[] {
  const guide = readFileSync(new URL('../../content/automation/docusaurus.md', import.meta.url), 'utf8')
  const [, text = ''] = guide.split(`\n## ${section}\n`)
  const [own = ''] = text.split('\n## ')
  return [...own.matchAll(/^ *```\w+\n(.*?)^ *```$/gms)].map(([, code = '']) =>
    code.replaceAll(/^ {3}/gm, ''),
  )
}

/** The default template of create-docusaurus, as that program would leave it, in a copy of the site. */
function takeTemplate() {
  const copy = site.copy()
  copy.remove('docusaurus.config.ts', 'kb.config.ts', 'content', 'src', 'tsconfig.json', 'existing', 'shown')
  for (const name of ['shared', 'classic']) {
    cpSync(site.module(`create-docusaurus/templates/${name}`), copy.root, { recursive: true })
  }
  const insert = (after: string, lines: string) => {
    const config = copy.read('docusaurus.config.js')
    const [before, rest, ...more] = config.split(after)
    expect({ rest: typeof rest, more }).toEqual({ rest: 'string', more: [] })
    copy.write({ 'docusaurus.config.js': `${before}${after}\n${lines}${rest}` })
  }
  return { ...copy, insert }
}

test("the default template shows articles by the guide's steps", async () => {
  const copy = takeTemplate()
  const [config = '', categories = '', plugins = '', item = ''] = stepsOf('Pages from a content folder')
  copy.write({ 'kb.config.ts': config, 'content/_categories.yml': categories })
  copy.write({ 'content/reset-password.md': article('Reset your password') })
  copy.insert("onBrokenLinks: 'throw',", plugins)
  copy.insert("{to: '/blog', label: 'Blog', position: 'left'},", item)
  const { code, output } = await copy.run('docusaurus', ['build'], { env: SENDS })
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('1 created') })
  const built = copy.readAll('build')
  expect(textOfPage(built['help/reset-password/index.html'])).toMatchObject({
    title: 'Reset your password | My Site',
    text: expect.stringContaining('Text of Reset your password.'),
  })
  expect(textOfPage(built['index.html']).links).toContain('/help')
  expect(await slugsSent(copy)).toEqual(['reset-password'])
})

test("the default template sends its docs by the guide's steps", async () => {
  const copy = takeTemplate()
  const [config = '', plugins = ''] = stepsOf('An existing docs folder')
  copy.write({ 'kb.config.ts': config })
  copy.insert("onBrokenLinks: 'throw',", plugins)
  const { code, output } = await copy.run('docusaurus', ['build'], { env: SENDS })
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('9 created') })
  expect(await slugsSent(copy)).toContain('tutorial-basics-create-a-document')
})
