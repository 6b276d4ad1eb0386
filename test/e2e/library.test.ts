// The built library in a process of its own, as a script that imports it.
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { article, createProject, manyArticles, startCommand } from '../support/project.ts'

const LIBRARY = fileURLToPath(new URL('../../dist/index.js', import.meta.url))
const IMPORT = `import { createKb, KbError } from ${JSON.stringify(pathToFileURL(LIBRARY).href)}\n`

test('nothing is printed, nothing is read from the environment unasked, and nothing keeps the process alive', async () => {
  const project = createProject({
    'content/_categories.yml': '- name: Guides\n',
    'content/broken.md': article('Broken', { reviewDate: 'soon' }),
    ...manyArticles(60),
    'run.mjs': `${IMPORT}
      import { rmSync, writeFileSync } from 'node:fs'
      // A variable that kb-sync would refuse if it looked.
      process.env.KB_URI = 'http://127.0.0.1:9'
      const kb = createKb({ cwd: import.meta.dirname, env: {} })
      const { signal } = new AbortController()
      const told = { checked: (await kb.check({ signal })).diagnostics.map(({ code }) => code) }
      told.refused = (await kb.sync({ signal })).summary.created
      rmSync(new URL('content/broken.md', import.meta.url))
      told.planned = (await kb.plan({ signal, out: 'plan.json', diff: true })).operations.length
      told.synced = (await kb.sync({ signal, concurrency: 64 })).summary.created
      told.unchanged = (await kb.sync()).summary.unchanged
      told.pulled = (await kb.pull({ signal })).summary.unchanged
      told.findings = (await kb.doctor({ signal, probe: true })).findings.filter(({ status }) => status === 'error')
      told.outdated = await kb.sync({ plan: 'plan.json' }).catch((error) => [error instanceof KbError, error.code])
      told.unknown = await createKb({ cwd: import.meta.dirname }).plan().catch((error) => error.code)
      writeFileSync('told.json', JSON.stringify(told))
    `,
  })
  const { code, stdout, stderr } = await startCommand(process.execPath, ['run.mjs'], { cwd: project.root })
    .ended
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(JSON.parse(project.read('told.json'))).toEqual({
    checked: ['date-invalid'],
    refused: 0,
    planned: 61,
    synced: 60,
    unchanged: 60,
    pulled: 60,
    findings: [],
    outdated: [true, 'PLAN_OUTDATED'],
    unknown: 'ENVIRONMENT_INVALID',
  })
})

test('importing it loads next to nothing', () => {
  const files = loadedWith(LIBRARY)
  const names = files.map((file) => file.replace(dirname(LIBRARY), '').replace(/-[\w-]{8}\.js$/, '.js'))
  expect(names.toSorted()).toEqual(['/chunks/library.js', '/index.js', 'node:path'])
  const sizes = files.filter((file) => file.startsWith('/')).map((file) => statSync(file).size)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(10_000)
})

/** A module and all that is loaded before it runs. */
function loadedWith(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  if (!file.startsWith('/')) return [file]
  const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) [^;]*?from ["']([^"']+)["']/gm)
  const found = [...imports].flatMap(([, name = '']) =>
    loadedWith(name.startsWith('.') ? join(dirname(file), name) : name, seen),
  )
  return [file, ...found]
}
