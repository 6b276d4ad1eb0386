// A real Vite build of a tiny site with the built plugin.
import { existsSync } from 'node:fs'
import type { KbPluginOptions } from '../../src/plugins/vite.ts'
import { build, createLogger, type Plugin } from 'vite'
import { expect, test } from 'vitest'
import { article, configFile, createProject, type Files, type TestProject } from '../support/project.ts'
import { builtinArticles } from '../support/read-articles.ts'

// What the package exports, not the sources: the built-in server runs in a thread of its own.
const { kb } = (await import(new URL('../../dist/plugins/vite.js', import.meta.url).href)) as {
  kb: (options?: KbPluginOptions) => Plugin
}

const SITE: Files = {
  'index.html': '<!doctype html><script type="module" src="/main.js"></script>',
  'main.js': 'document.title = "Demo"\n',
  'kb.config.ts': configFile({ project: 'demo' }),
  'content/_categories.yml': '- name: Guides\n',
  'content/first.md': article('First'),
  'content/second.md': article('Second'),
}
const BROKEN: Files = { ...SITE, 'content/second.md': article('Second', { status: 'public' }) }

/** Builds the site; resolves with what was logged. */
async function buildSite(
  { root }: TestProject,
  options: KbPluginOptions,
  ...others: readonly Plugin[]
): Promise<string[]> {
  const logged: string[] = []
  const log = (text: string) => void logged.push(text)
  const customLogger = { ...createLogger('info'), info: log, warn: log, warnOnce: log, error: log }
  await build({ root, configFile: false, customLogger, plugins: [kb(options), ...others] })
  return logged
}

const hasDatabase = (project: TestProject) => existsSync(project.path('.kb/kb.db'))

test('a build checks the content and sends nothing', async () => {
  const project = createProject(SITE)
  await buildSite(project, {})
  expect([existsSync(project.path('dist/index.html')), hasDatabase(project)]).toEqual([true, false])
})

test('on request a build syncs, and the next one has nothing to send', async () => {
  const project = createProject(SITE)
  const first = await buildSite(project, { sync: 'build' })
  expect(first.join('\n')).toContain('synced to builtin: 2 created, 0 changed, 0 deleted, 0 unchanged')
  expect([...(await builtinArticles(project)).keys()]).toEqual(['first', 'second'])
  const second = await buildSite(project, { sync: 'build' })
  expect(second.join('\n')).toContain('synced to builtin: 0 created, 0 changed, 0 deleted, 2 unchanged')
})

test('a broken article fails the build, at its place, and nothing is sent', async () => {
  const project = createProject(BROKEN)
  const failure: unknown = await buildSite(project, { sync: 'build' }).catch((error: unknown) => error)
  expect(failure).toMatchObject({
    errors: [
      {
        message:
          'kb-sync: 1 problem in the content\n' +
          'content/second.md:4:9 status must be draft or published. [frontmatter-value]',
        loc: { file: project.path('content/second.md'), line: 4, column: 9 },
      },
    ],
  })
  expect([existsSync(project.path('dist')), hasDatabase(project)]).toEqual([false, false])
})

test('check "warn" lets a build pass with warnings, but sends nothing broken', async () => {
  const project = createProject(BROKEN)
  const logged = await buildSite(project, { check: 'warn' })
  expect(logged.join('\n')).toContain('content/second.md:4:9 status must be draft or published.')
  expect(existsSync(project.path('dist/index.html'))).toBe(true)
  const built = await buildSite(project, { check: 'warn', sync: 'build' })
  expect(built.join('\n')).toContain('the content has problems, so nothing was synced')
  expect(hasDatabase(project)).toBe(false)
})

test.each<[string, Partial<Plugin>]>([
  ['while it reads', { transform: () => Promise.reject(new Error('broken on purpose')) }],
  ['while it writes', { renderChunk: () => Promise.reject(new Error('broken on purpose')) }],
])('a build that fails %s never syncs', async (_, hooks) => {
  const project = createProject(SITE)
  const failing = { name: 'failing', ...hooks }
  await expect(buildSite(project, { sync: 'build' }, failing)).rejects.toThrow('broken on purpose')
  expect(hasDatabase(project)).toBe(false)
})
