// A site of test/sites/ with its own tool and the packed kb-sync installed, and copies of it to build.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { execFile } from 'node:child_process'
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest'
import { type Files, folderAt, startCommand, type TestFolder } from './project.ts'
import { type RunningSite, watchOutput } from './running-site.ts'
import { tellIfFailed } from './tell-if-failed.ts'

const SITES = fileURLToPath(new URL('../sites/', import.meta.url))
const NPM_FLAGS = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
/** No tool asks the network for anything but what npm has installed, and none draws colours. */
const QUIET = {
  NO_COLOR: '1',
  FORCE_COLOR: '0',
  DO_NOT_TRACK: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  ASTRO_DISABLE_UPDATE_CHECK: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  NO_UPDATE_NOTIFIER: '1',
  BROWSERSLIST_IGNORE_OLD_DATA: '1',
}

export interface InstalledSite {
  /** Absolute path below node_modules, of a template in a package for example. */
  readonly module: (path: string) => string
  /**
   * The site in a folder of its own, gone when the test is over.
   *
   * @param changes files to write over those of the site
   */
  readonly copy: (changes?: Files) => SiteCopy
}

interface RunOptions {
  /** Beside PATH, HOME and what keeps tools quiet, this is all that the tool sees: it runs in no CI. */
  readonly env?: Readonly<Record<string, string>>
}

/** How a run of a tool ended. */
export interface EndedTool {
  readonly code: number | null
  /** stdout and stderr as they came. */
  readonly output: string
}

export interface SiteCopy extends TestFolder {
  /** Runs a program of the site's packages until it ends, as `npx` would: `run('vite', ['build'])`. */
  readonly run: (program: string, args: readonly string[], options?: RunOptions) => Promise<EndedTool>
  /** Starts one and returns while it runs; it is killed when the test is over. */
  readonly start: (program: string, args: readonly string[], options?: RunOptions) => RunningSite
  /** Text of every file below a folder, by its path in it, with `/`. */
  readonly readAll: (folder: string) => Readonly<Record<string, string>>
}

/**
 * Installs test/sites/`name` once for a test file: its lock first, then the packed kb-sync, as a user would. Where the
 * environment variable `KB_SITES` names a folder, what is installed stays there for the next run.
 */
export function useSite(name: string): InstalledSite {
  const source = join(SITES, name)
  let root = ''
  beforeAll(async () => {
    const kept = process.env['KB_SITES']
    root = kept === undefined ? mkdtempSync(join(tmpdir(), `kb-site-${name}-`)) : join(kept, name)
    await install(source, root, inject('packed'))
    if (kept === undefined) afterAll(() => rmSync(root, { recursive: true, force: true }))
  })
  return {
    module: (path) => join(root, 'node_modules', path),
    copy: (changes = {}) => {
      const folder = mkdtempSync(join(root, 'site-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      cpSync(source, folder, { recursive: true, filter: (path) => !path.endsWith(`${sep}package-lock.json`) })
      const copy = createCopy(folder, join(root, 'node_modules', '.bin'))
      copy.write(changes)
      return copy
    },
  }
}

async function install(source: string, root: string, packed: string): Promise<void> {
  const files = ['package.json', 'package-lock.json'].map((name) => join(source, name))
  const wanted = digest(...files)
  const wantedPackage = digest(...files, packed)
  const doneFile = join(root, 'installed.json')
  const done = existsSync(doneFile) ? (JSON.parse(readFileSync(doneFile, 'utf8')) as object) : {}
  if ('packed' in done && done.packed === wantedPackage) return
  mkdirSync(root, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(source, name), join(root, name))
  if (!('lock' in done && done.lock === wanted)) await npm(['ci'], root)
  await npm(['install', '--no-save', packed], root)
  // The copies lie below what they use, like the packages of a monorepo: tools allow what lies in its root.
  writeFileSync(join(root, 'package.json'), JSON.stringify({ private: true, workspaces: ['site-*'] }))
  writeFileSync(doneFile, JSON.stringify({ lock: wanted, packed: wantedPackage }))
}

async function npm(args: readonly string[], cwd: string): Promise<void> {
  await promisify(execFile)('npm', [...args, ...NPM_FLAGS], { cwd })
}

function digest(...files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex')
}

function createCopy(root: string, programs: string): SiteCopy {
  const folder = folderAt(root)
  const start: SiteCopy['start'] = (program, args, { env = {} } = {}) => {
    const PATH = `${programs}${delimiter}${process.env['PATH'] ?? ''}`
    const running = watchOutput(
      startCommand(join(programs, program), args, { cwd: root, env: { PATH, ...QUIET, ...env } }),
    )
    tellIfFailed(`${program} ${args.join(' ')} printed`, running.output)
    return running
  }
  return {
    ...folder,
    start,
    run: async (program, args, options) => {
      const running = start(program, args, options)
      const { code } = await running.ended
      return { code, output: running.output() }
    },
    readAll: (name) => readAll(folder.path(name)),
  }
}

function readAll(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => [relative(folder, path).replaceAll(sep, '/'), readFileSync(path, 'utf8')]),
  )
}
