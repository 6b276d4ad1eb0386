// The same small site with every version of Vite that the plugin is for. Its sources lie in vite/; the other folders
// hold the versions.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { openSitePage } from '../support/site-page.ts'
import { startBuiltinService } from '../support/builtin-service.ts'
import { article, type Files, startCommand } from '../support/project.ts'
import { type SiteCopy, useSite } from '../support/site.ts'
import { SERVICE_KEY } from '../support/strict-service.ts'

const SOURCES = readSources(fileURLToPath(new URL('vite/', import.meta.url)))

describe.each(['vite', 'vite7', 'vite6', 'vite5'])('%s', (name) => {
  const site = useSite(name)

  test('builds the articles, sends them, and keeps every secret out of the bundle', async () => {
    const service = await startBuiltinService()
    const copy = site.copy(SOURCES)
    const env = { KB_URL: service.url, KB_API_KEY: SERVICE_KEY, KB_SYNC: '1', KB_ALLOW_HTTP: 'yes' }
    const { code, output } = await copy.run('vite', ['build'], { env })
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining(
        `[kb-sync] synced to ${service.url}: 3 created, 0 changed, 0 deleted, 0 unchanged`,
      ),
    })
    expect((await service.articles()).map(({ slug }) => slug).toSorted(compare)).toEqual([
      'change-email',
      'planned',
      'reset-password',
    ])
    await service.close()

    const bundle = JSON.stringify(copy.readAll('dist'))
    expect(bundle).toContain('works for one hour')
    expect(bundle).toContain('/help/reset-password#by-email')
    // A draft is sent as one, but is no part of the site.
    expect(bundle).not.toContain('Planned')
    const secrets = [SERVICE_KEY, service.url, new URL(service.url).port, copy.root, 'KB_']
    expect(secrets.filter((secret) => bundle.includes(secret))).toEqual([])
  })

  test('builds the example of the guide', async () => {
    const copy = site.copy({ ...SOURCES, 'src/main.ts': exampleOf("from 'virtual:kb'") })
    const { code, output } = await copy.run('vite', ['build'])
    expect({ code, output }).toEqual({ code: 0, output: expect.not.stringContaining('ERROR') })
    expect(JSON.stringify(copy.readAll('dist'))).toContain('works for one hour')
    expect(await typeErrors(copy)).toEqual([])
  })

  test('gives the server the same articles', async () => {
    const copy = site.copy(SOURCES)
    const { code } = await copy.run('vite', ['build', '--ssr', 'src/server.ts'])
    const script =
      "import('./dist/server.js').then(async ({ navigation, page }) => console.log(navigation(), await page('reset-password')))"
    const { stdout } = await startCommand(process.execPath, ['-e', script], { cwd: copy.root }).ended
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /<a href="\/help\/change-email" data-id="change-email">Change your email<\/a>.*en; 1 categories, 0 tags.*<h1>Reset your password<\/h1><ol><li><a href="#by-email">By email<\/a><\/li><\/ol><p>Ask for/s,
      ),
    ])
  })

  test('fails the build for a broken article, with its place and its lines', async () => {
    const copy = site.copy({
      ...SOURCES,
      'content/second.md': article('Second', { body: 'See [first](firts.md).' }),
    })
    const { code, output } = await copy.run('vite', ['build'])
    expect(code).toBe(1)
    expect(output).toContain(`${copy.path('content/second.md')}:6:13`)
    expect(output).toContain('There is no article "firts.md". [link-file-missing]\nhint: ')
    expect(output).toContain('  6 | See [first](firts.md).\n    |             ^^^^^^^^')
    expect(copy.readAll('.')['dist/index.html']).toBe(undefined)
  })

  test('with check: warn, makes the site, and says once why it fails where it was to be sent', async () => {
    const copy = site.copy({
      ...SOURCES,
      'content/second.md': article('Second', { body: 'See [first](firts.md).' }),
      'vite.config.ts': `import { kb } from 'kb-sync/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [kb({ check: 'warn', sync: 'build' })] })
`,
    })
    const { code, output } = await copy.run('vite', ['build'], { env: { KB_SYNC: '1' } })
    const told = output.match(/Nothing was sent because of 1 problem in the content, shown above\./g)
    expect({ code, told, output }).toMatchObject({
      code: 1,
      told: [expect.anything()],
      output: expect.stringContaining('content/second.md:6:13 error link-file-missing'),
    })
    expect(Object.keys(copy.readAll('dist'))).toContain('index.html')
  })

  test('sends nothing when another plugin fails after it', async () => {
    const service = await startBuiltinService()
    const copy = site.copy({
      ...SOURCES,
      'vite.config.ts': `import { kb } from 'kb-sync/vite'
import { defineConfig } from 'vite'

const handler = () => {
  throw new Error('broken on purpose')
}
const late = { name: 'late', enforce: 'post', [process.env.HOOK]: { order: 'post', sequential: true, handler } }

export default defineConfig({ plugins: [kb({ sync: 'build' }), late] })
`,
    })
    const target = { KB_URL: service.url, KB_API_KEY: SERVICE_KEY, KB_SYNC: '1' }
    for (const HOOK of ['writeBundle', 'closeBundle']) {
      const { code, output } = await copy.run('vite', ['build'], { env: { ...target, HOOK } })
      expect([code, output.includes('broken on purpose')]).toEqual([1, true])
    }
    expect(await service.articles()).toEqual([])
    await service.close()
  })

  // The oldest and the newest: what lies between them has the same types.
  test.runIf(name === 'vite' || name === 'vite5')('has types that know the articles', async () => {
    const copy = site.copy(SOURCES)
    // Before the first build, every text is an id.
    expect(await typeErrors(copy)).toEqual([])
    await copy.run('vite', ['build'])
    expect(await typeErrors(copy)).toEqual([])
    copy.write({
      'src/wrong.ts': "import { loadArticle } from 'virtual:kb'\n\nvoid loadArticle('reset-pasword')\n",
    })
    expect(await typeErrors(copy)).toEqual([
      'src/wrong.ts(3,18): error TS2345: Argument of type \'"reset-pasword"\' is not assignable to parameter of type \'"change-email" | "reset-password"\'.',
    ])
  })

  test('shows the articles in the development server, and an error in the overlay', async () => {
    const copy = site.copy(SOURCES)
    const server = copy.start('vite', ['--port', '0', '--strictPort', 'false'])
    const [url] = await server.waitFor(/http:\/\/localhost:\d+\//)
    const page = await openSitePage(await openBrowser())
    await page.goto(`${url}help/reset-password`)
    await page.locator('h1', { hasText: 'Reset your password' }).waitFor()
    copy.write({ 'content/reset-password.md': article('Broken', { status: 'public' }) })
    const overlay = page.locator('vite-error-overlay')
    await overlay.waitFor()
    expect(await overlay.locator('.file').innerText()).toContain(
      `${copy.path('content/reset-password.md')}:4:9`,
    )
    copy.write({ 'content/reset-password.md': article('Mended', { body: '## By email' }) })
    await page.locator('h1', { hasText: 'Mended' }).waitFor()
    expect(await overlay.count()).toBe(0)
  })
})

/** The first block of code of the guide's page that has this text in it. */
function exampleOf(text: string): string {
  const page = readFileSync(
    fileURLToPath(new URL('../../content/automation/vite.md', import.meta.url)),
    'utf8',
  )
  const blocks = [...page.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code = '']) => code)
  return blocks.find((code) => code.includes(text)) ?? ''
}

async function typeErrors(copy: SiteCopy): Promise<string[]> {
  const { output } = await copy.run('tsc', ['-p', '.'])
  return output.split('\n').filter((line) => line !== '')
}

function compare(a: string | null | undefined, b: string | null | undefined): number {
  return String(a).localeCompare(String(b))
}

function readSources(folder: string): Files {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && !each.name.startsWith('package'))
    .map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(
    files.map((file) => [relative(folder, file).replaceAll(sep, '/'), readFileSync(file, 'utf8')]),
  )
}
