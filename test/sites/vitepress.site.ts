// The site that VitePress makes for a beginner takes the plugin by the steps of the guide.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { CheckResult } from '../../src/inspect/check/run-check.ts'
import { openBrowser } from '../support/browser.ts'
import { openSitePage } from '../support/site-page.ts'
import { classesOf, lostWords, wordsOf } from '../support/compare-words.ts'
import { startBuiltinService } from '../support/builtin-service.ts'
import { startCommand } from '../support/project.ts'
import { type SiteCopy, useSite } from '../support/site.ts'
import { SERVICE_KEY } from '../support/strict-service.ts'

const GUIDE = readFileSync(
  fileURLToPath(new URL('../../content/automation/vite.md', import.meta.url)),
  'utf8',
)
const site = useSite('vitepress')

/** The block of the guide right behind the name of a file. */
function shown(file: string): string {
  const from = GUIDE.indexOf(`\`${file}\`:`)
  const [, text] = /```\w+\n(.*?)```/s.exec(from === -1 ? '' : GUIDE.slice(from)) ?? []
  if (text === undefined) throw new Error(`The guide shows no ${file}.`)
  return text
}

/** The default template of the installed package, and the steps of the guide. */
async function createSite(): Promise<SiteCopy> {
  const copy = site.copy()
  const script =
    "import('vitepress').then(({ scaffold }) => scaffold({ root: './docs', title: 'Help', description: 'Help pages', theme: 'default theme', useTs: false, injectNpmScripts: false }))"
  const { code } = await startCommand(process.execPath, ['-e', script], { cwd: copy.root }).ended
  expect(code).toBe(0)
  copy.write({
    'kb.config.ts': shown('kb.config.ts'),
    'docs/.vitepress/config.js': shown('docs/.vitepress/config.js'),
  })
  return copy
}

test('the pages of the template are checked, built and sent, once', async () => {
  const service = await startBuiltinService()
  const copy = await createSite()
  const env = { KB_URL: service.url, KB_API_KEY: SERVICE_KEY, KB_SYNC: '1' }
  const { code, output } = await copy.run('vitepress', ['build', 'docs'], { env })
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('[kb-sync] synced to') })
  expect(output.match(/\[kb-sync\] synced/g)).toHaveLength(1)
  expect(output.indexOf('rendering pages...')).toBeLessThan(output.indexOf('[kb-sync] synced'))
  const sent = (await service.articles()).map(({ slug }) => String(slug))
  expect(sent.toSorted((a, b) => a.localeCompare(b))).toEqual(['api-examples', 'markdown-examples'])
  expect(copy.read('docs/.vitepress/dist/markdown-examples.html')).toContain('Markdown Extension Examples')
  const bundle = JSON.stringify(copy.readAll('docs/.vitepress/dist'))
  expect([SERVICE_KEY, service.url, copy.root].filter((secret) => bundle.includes(secret))).toEqual([])
  await service.close()
})

/** What a page of VitePress has beside the template. */
const PAGES = {
  'docs/more.md': `---
title: More
version: 4.2
---

# More

Version {{ $frontmatter.version }} of <Badge type="tip" text="all" />.

<<< @/_code/run.js

::: code-group
<<< @/_code/run.js#end [Its end]
<<< @/_code/run.js
:::

- an item

  <<< ./_code/run.js#end{ts}

<!--@include: ./_part.md-->

::: details Show me
Hidden words
:::

| a | b |
|---|---|
| c | d[^1] |
`,
  'docs/_part.md': '## Shared\n\nWords of **both**.\n',
  'docs/_code/run.js': "import { start } from 'tool'\n\n// #region end\nstart('now')\n// #endregion end\n",
}

test('no word of a page gets lost without a diagnostic', async () => {
  const service = await startBuiltinService()
  const copy = await createSite()
  copy.write(PAGES)
  // Includes are no pages of their own.
  const config = copy.read('docs/.vitepress/config.js')
  copy.write({
    'docs/.vitepress/config.js': config.replace('vite: {', "srcExclude: ['**/_*.md'],\n  vite: {"),
  })
  const env = { KB_URL: service.url, KB_API_KEY: SERVICE_KEY, KB_SYNC: '1' }
  const { code, output } = await copy.run('vitepress', ['build', 'docs'], { env })
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('[kb-sync] synced to') })
  const sent = new Map((await service.articles()).map((article) => [String(article.slug), article]))
  const check = JSON.parse((await copy.run('kb', ['check', '--json'])).output) as CheckResult
  const pages = ['api-examples', 'markdown-examples', 'more'].map((slug) => {
    const html = copy.read(`docs/.vitepress/dist/${slug}.html`)
    const built = wordsOf(html, (element) => classesOf(element).includes('vp-doc'))
    const { name, content } = sent.get(slug) ?? {}
    const told = check.diagnostics.filter(({ file }) => file === `docs/${slug}.md`).map((each) => each.code)
    return [slug, { lost: lostWords(built, wordsOf(`${name} ${content}`)), told: [...new Set(told)] }]
  })
  expect(Object.fromEntries(pages)).toEqual({
    // Its three expressions show what the site is made of.
    'api-examples': { lost: expect.arrayContaining(['outline', 'deep']), told: ['expression-removed'] },
    'markdown-examples': { lost: [], told: [] },
    more: { lost: [], told: [] },
  })
  await service.close()
})

test('a page that cannot be rendered keeps everything from being sent', async () => {
  const service = await startBuiltinService()
  const copy = await createSite()
  copy.write({
    'docs/.vitepress/theme/index.js': `import DefaultTheme from 'vitepress/theme'

export default {
  ...DefaultTheme,
  enhanceApp() {
    if (import.meta.env.SSR) throw new Error('broken on purpose')
  },
}
`,
  })
  const env = { KB_URL: service.url, KB_API_KEY: SERVICE_KEY, KB_SYNC: '1' }
  const { code, output } = await copy.run('vitepress', ['build', 'docs'], { env })
  expect([code, output.includes('broken on purpose'), await service.articles()]).toEqual([1, true, []])
  await service.close()
})

test('a broken page fails the build with its place, and is in the overlay of the development server', async () => {
  const copy = await createSite()
  const broken = '---\ntitle: Broken\ncategories: 5\n---\n\nText.\n'
  copy.write({ 'docs/broken.md': broken })
  const { code, output } = await copy.run('vitepress', ['build', 'docs'])
  expect([code, output]).toEqual([1, expect.stringContaining(`${copy.path('docs/broken.md')}:3:13`)])

  const server = copy.start('vitepress', ['dev', 'docs', '--port', '0'])
  const [url] = await server.waitFor(/http:\/\/localhost:\d+\//)
  const page = await openSitePage(await openBrowser())
  await page.goto(`${url}markdown-examples`)
  const overlay = page.locator('vite-error-overlay')
  await overlay.waitFor()
  expect(await overlay.locator('.file').innerText()).toContain(`${copy.path('docs/broken.md')}:3:13`)
  copy.write({ 'docs/broken.md': broken.replace('categories: 5', 'categories: [Docs]') })
  await overlay.waitFor({ state: 'detached' })
  await page.locator('h1', { hasText: 'Markdown Extension Examples' }).waitFor()
})
