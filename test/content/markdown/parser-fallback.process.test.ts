// The parser is chosen once per process, so each of these tests has its own.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startScript } from '../../support/child-script.ts'
import { article, createProject } from '../../support/project.ts'
import { builtinArticles } from '../../support/read-articles.ts'

const FILES = {
  'content/_categories.yml': '- name: Guides\n',
  'content/page.md': article('Page', { body: '~a~' }),
}

test('without a binary of the native parser, remark is used with a warning', async () => {
  const project = createProject(FILES)
  const env = { NAPI_RS_NATIVE_LIBRARY_PATH: '/nowhere/satteri.node' }
  const run = project.start(['sync', '--json'], { env })
  const { code, json } = await run.ended
  const diagnostics = [{ code: 'parser-fallback', severity: 'warning', message: expect.stringMatching(/./) }]
  expect([code, json]).toMatchObject([0, { summary: { created: 1 }, diagnostics }])
  expect((await builtinArticles(project)).get('page')?.content).toMatch(/^<p><del>a<\/del><\/p>\n/)
})

test('the native binary is loaded only if it is used', async () => {
  const resolver = new URL('../../../src/content/parser/resolve-parser.ts', import.meta.url)
  const script = `
    import { resolveParser } from ${JSON.stringify(fileURLToPath(resolver))}
    const nativeIsLoaded = () => process.report.getReport().sharedObjects.some((path) => path.includes('satteri'))
    const seen = [nativeIsLoaded()]
    for (const parser of ['remark', 'native']) {
      await resolveParser({ parser, remarkPlugins: [] })
      seen.push(nativeIsLoaded())
    }
    console.log(JSON.stringify(seen))
  `
  const project = createProject({ 'run.ts': script })
  const { lines } = startScript(project.path('run.ts'))
  for await (const line of lines) expect(JSON.parse(line)).toEqual([false, false, true])
  expect.assertions(1)
})
