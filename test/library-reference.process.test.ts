// The guide's reference of the library: it is that of the docstrings, and every example in it runs.
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { renderReference } from '../scripts/render-reference.mjs'
import { article, configFile, createProject, startCommand } from './support/project.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGE = readFileSync(join(ROOT, 'content/automation/library-reference.md'), 'utf8')

interface Example {
  readonly heading: string
  readonly code: string
}

const examples = PAGE.split(/^### /m)
  .slice(1)
  .flatMap((section): Example[] => {
    const heading = /^`(\w+)`/.exec(section)?.[1] ?? ''
    return [...section.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => ({ heading, code }))
  })

test('the page is made from the docstrings: npm run reference writes it', () => {
  expect(PAGE).toBe(renderReference((path) => readFileSync(join(ROOT, path), 'utf8')))
})

test('every function has an example', () => {
  expect(examples.map(({ heading }) => heading)).toEqual(
    [...PAGE.matchAll(/^### `(\w+)`$/gm)].map(([, name]) => name),
  )
})

test('every example runs, and prints what its comments say', async () => {
  const modules = examples.map(({ code }) => writeExample(code))
  const runner = createProject({
    'run.mjs': RUNNER,
    // The loaders look for the version of Astro.
    'node_modules/astro/package.json': '{ "name": "astro", "version": "5.0.0" }',
  })
  const { code, stdout, stderr } = await startCommand(process.execPath, ['run.mjs', ...modules], {
    cwd: runner.root,
  }).ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const printed = stdout.split(END).slice(0, -1)
  expect(examples.map(({ heading }, index) => [heading, printed[index]])).toEqual(
    examples.map(({ heading, code: text }) => [heading, printedBy(text)]),
  )
})

const END = '--- end of an example\n'

/** One after the other in one process: a process for each would load the library as often. */
const RUNNER = `
for (const path of process.argv.slice(2)) {
  const { default: exported } = await import(path)
  // The configuration of Eleventy is a function.
  if (typeof exported === 'function') exported({ addPlugin: (plugin) => plugin.name })
  process.stdout.write(${JSON.stringify(END)})
}
`

/** Runs a module of a site in the development server of Vite. */
const IN_VITE = `
import { createServer } from 'vite'
import { kb } from 'kb-sync/vite'

const server = await createServer({
  root: import.meta.dirname,
  configFile: false,
  logLevel: 'silent',
  appType: 'custom',
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, ws: false },
  plugins: [kb()],
})
await server.ssrLoadModule('/page.mjs')
await server.close()
`

function printedBy(code: string): string {
  return [...code.matchAll(/\/\/ prints (.*)$/gm)].map(([, line]) => `${line}\n`).join('')
}

/** The path of the example, in a project of its own. */
function writeExample(code: string): string {
  const project = createProject({
    'kb.config.ts': configFile({ project: 'demo', assets: { baseUrl: 'https://files.example.com' } }),
    'content/_categories.yml': '- { name: Guides, slug: guides }\n- { name: Accounts, slug: accounts }\n',
    'content/reset-password.md': article('Reset your password', { body: '[The form](form.pdf)' }),
    'content/form.pdf': 'a form',
    'astro-content.mjs': 'export const defineCollection = (collection) => collection\n',
  })
  mkdirSync(project.path('node_modules'))
  symlinkSync(ROOT, project.path('node_modules/kb-sync'))
  symlinkSync(join(ROOT, 'node_modules/vite'), project.path('node_modules/vite'))
  const own = code
    .replace('/path/to/project', project.root)
    .replace("'astro:content'", "'./astro-content.mjs'")
  if (own.includes("'virtual:kb'")) project.write({ 'page.mjs': own, 'example.mjs': IN_VITE })
  else project.write({ 'example.mjs': own })
  return project.path('example.mjs')
}
