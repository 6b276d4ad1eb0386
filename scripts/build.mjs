// Compiles src/ into a fresh dist/, makes the binary executable, writes the JSON Schemas that editors use, and puts the
// files that browsers are sent beside the code that sends them: Swagger UI, and styles and scripts of the pages.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const require = createRequire(import.meta.url)
const typescript = require.resolve('typescript/package.json')
const compiler = join(dirname(typescript), 'bin', 'tsc')

rmSync(join(root, 'dist'), { recursive: true, force: true })
const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], {
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)
chmodSync(join(root, 'dist/cli/bin.js'), 0o755)

const { JSON_SCHEMAS } = await import(pathToFileURL(join(root, 'dist/kb/json-schemas.js')).href)
mkdirSync(join(root, 'dist/schemas'))
for (const [name, createSchema] of Object.entries(JSON_SCHEMAS)) {
  const text = `${JSON.stringify(await createSchema(), undefined, 2)}\n`
  writeFileSync(join(root, 'dist/schemas', `${name}.json`), text)
}

// Declarations of what no module of ours is, such as `virtual:kb`: the compiler reads them and writes none.
for (const name of readdirSync(join(root, 'src/plugins'), { recursive: true })) {
  if (name.endsWith('.d.ts')) cpSync(join(root, 'src/plugins', name), join(root, 'dist/plugins', name))
}

const swaggerUi = dirname(require.resolve('swagger-ui-dist/package.json'))
for (const name of [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'favicon-32x32.png',
  'LICENSE',
  'NOTICE',
]) {
  cpSync(join(swaggerUi, name), join(root, 'dist/server/docs/swagger-ui', name))
}

// What browsers are sent as it is: pages and report read it beside their own code.
for (const folder of ['pages/assets', 'cli/report/html/assets', 'plugins/docusaurus/theme']) {
  cpSync(join(root, 'src', folder), join(root, 'dist', folder), {
    recursive: true,
    filter: (path) => !path.endsWith('.json'),
  })
}
