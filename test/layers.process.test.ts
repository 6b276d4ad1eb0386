import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from './support/folder.ts'
import { type Files, folderAt } from './support/project.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What dependency-cruiser says of src/ in a folder, line breaks made spaces. */
async function cruise(root: string): Promise<{ code: number; said: string }> {
  const binary = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const args = [binary, 'src', '--config', '.dependency-cruiser.mjs', '--output-type', 'err-long']
  const ended = await promisify(execFile)(process.execPath, args, { cwd: root }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: unknown) => error as { code: number; stdout: string },
  )
  return { code: ended.code, said: ended.stdout.replaceAll(/\s+/g, ' ') }
}

/** Files of the sources that wrong imports name; what they hold is no matter. */
const IMPORTED = [
  'src/cli/commands/sync.ts',
  'src/content/pipeline/load-content.ts',
  'src/server/store/records.ts',
  'src/sync/sync-content.ts',
]

/** A package with our rules and these files alone: `npm run layers` goes over all sources, which takes seconds. */
function packageOf(planted: Files): string {
  const { root, write } = folderAt(temporaryFolder())
  for (const name of ['.dependency-cruiser.mjs', 'package.json', 'tsconfig.json'])
    copyFileSync(join(ROOT, name), join(root, name))
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  expect(IMPORTED.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
  write({ ...Object.fromEntries(IMPORTED.map((name) => [name, 'export {}\n'])), ...planted })
  return root
}

test('every kind of wrong import is found, with advice', async () => {
  const root = packageOf({
    'src/api/client/upwards.ts': "export type { SyncOptions } from '../../sync/sync-content.ts'\n",
    'src/content/pipeline/sideways.ts': "export type { Store } from '../../server/store/records.ts'\n",
    'src/content/source/inside.ts': "export type { LoadedContent } from '../pipeline/load-content.ts'\n",
    'src/content/markdown/beside.ts': "export type { LoadedContent } from '../loose.ts'\n",
    'src/content/loose.ts': "export type { LoadedContent } from './pipeline/load-content.ts'\n",
    'src/sync/plan/inside.ts': "export type { SyncOptions } from '../sync-content.ts'\n",
    'src/cli/results/command.ts': "export { runSyncCommand } from '../commands/sync.ts'\n",
    'src/sync/server.ts': "export type { Store } from '../server/store/records.ts'\n",
    'src/sync/http.ts': "export { request } from 'undici'\n",
    'src/sync/terminal.ts': "export { default } from 'picocolors'\n",
    'src/sync/markdown.ts': "export { default } from 'remark-gfm'\n",
    'src/sync/sql.ts': "export { default } from 'libsql'\n",
    'src/sync/watching.ts': "export { watch } from 'chokidar'\n",
    'src/sync/chart.ts': "export { plot } from '@observablehq/plot'\n",
    'src/sync/developer.ts': "export { test } from 'vitest'\n",
    'src/core/one.ts': "import type { Two } from './two.ts'\nexport type One = Two\n",
    'src/core/two.ts': "import type { One } from './one.ts'\nexport type Two = One\n",
  })
  const { code, said } = await cruise(root)
  for (const line of [
    'api-imports-only-below: src/api/client/upwards.ts → src/sync/sync-content.ts',
    'src/api may import only core.',
    'Move what both need into a lower layer, or pass it in as an argument.',
    'content-imports-only-below: src/content/pipeline/sideways.ts → src/server/store/records.ts',
    'content/source-imports-only-below: src/content/source/inside.ts → src/content/pipeline/load-content.ts',
    'src/content/source may import only itself of its room.',
    'content/markdown-imports-only-below: src/content/markdown/beside.ts → src/content/loose.ts',
    'content-has-a-floor-for-every-folder: src/content/loose.ts → src/content/pipeline/load-content.ts',
    'sync/plan-imports-only-below: src/sync/plan/inside.ts → src/sync/sync-content.ts',
    'src/sync/plan may import only sync/state of its room.',
    'cli/results-imports-only-below: src/cli/results/command.ts → src/cli/commands/sync.ts',
    'server-is-started-from-the-top: src/sync/server.ts → src/server/store/records.ts',
    'undici-stays-in-its-place: src/sync/http.ts',
    'HTTP is spoken in api/client/ and by the link checks only: call the client instead.',
    'terminal-stays-in-its-place: src/sync/terminal.ts',
    'markdown-stays-in-its-place: src/sync/markdown.ts',
    'sql-stays-in-its-place: src/sync/sql.ts',
    'watching-stays-in-its-place: src/sync/watching.ts',
    'charts-stays-in-its-place: src/sync/chart.ts',
    'no-undeclared-packages: src/sync/developer.ts',
    'no-circles: src/core/one.ts → src/core/two.ts → src/core/one.ts',
  ])
    expect(said).toContain(line)
  expect(code).toBeGreaterThan(0)
})
