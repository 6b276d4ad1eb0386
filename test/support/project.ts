// A project in a temporary folder, and the built program run in it: in this process, or in one of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type * as Main from '../../src/cli/main.ts'
import { createTerminal } from '../../src/cli/terminal/terminal.ts'
import { temporaryFolder } from './folder.ts'

export const BINARY = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))
const MAIN = new URL('../../dist/cli/main.js', import.meta.url)

/** Contents by path from the project folder. */
export type Files = Readonly<Record<string, string>>

/** How one command ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** All of stdout as one JSON document; throws where it is not exactly that. */
  readonly json: unknown
}

export interface RunningCommand {
  readonly process: ChildProcess
  /** Resolves with the first line of stdout, or with all of it where it ends before. */
  readonly firstLine: Promise<string>
  readonly ended: Promise<Ended>
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Folder to run in; default: the project's. */
  readonly cwd?: string
}

/** A folder that a test writes in. */
export interface TestFolder {
  readonly root: string
  /** Absolute path of a file of the folder. */
  readonly path: (name: string) => string
  readonly read: (name: string) => string
  readonly write: (files: Readonly<Record<string, string | Uint8Array>>) => void
  readonly remove: (...names: readonly string[]) => void
  readonly move: (from: string, to: string) => void
}

export interface TestProject extends TestFolder {
  /** Runs `kb` with these arguments in this process, as it is built; one run at a time. */
  readonly kb: (...args: readonly string[]) => Promise<Ended>
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Ended>
  /** Starts `kb` in a process of its own and returns while it runs; it is killed when the test is over. */
  readonly start: (args: readonly string[], options?: RunOptions) => RunningCommand
}

/** A project of these files, gone when the test is over. @param root its folder; default: a new one */
export function createProject(files: Files = {}, root: string = temporaryFolder()): TestProject {
  const folder = folderAt(root)
  const start: TestProject['start'] = (args, options) =>
    startCommand(process.execPath, [BINARY, ...args], { cwd: folder.root, ...options })
  folder.write(files)
  return {
    ...folder,
    kb: (...args) => runHere(args, { cwd: folder.root }),
    run: (args, options) => runHere(args, { cwd: folder.root, ...options }),
    start,
  }
}

let lastRun: Promise<unknown> = Promise.resolve()

/** Runs the built program in this process: what a process of its own would print and end with, without its start. */
function runHere(args: readonly string[], options: RunOptions): Promise<Ended> {
  // Folder and environment belong to the whole process.
  const run = lastRun.then(() => runAlone(args, options))
  lastRun = run.catch(() => undefined)
  return run
}

async function runAlone(args: readonly string[], { cwd, env }: RunOptions): Promise<Ended> {
  const { main } = (await import(MAIN.href)) as typeof Main
  const before = { cwd: process.cwd(), env: { ...process.env } }
  const written = { stdout: '', stderr: '' }
  const pipe = (name: 'stdout' | 'stderr') => ({ write: (text: string) => void (written[name] += text) })
  setEnvironment(environmentOf(env))
  if (cwd !== undefined) process.chdir(cwd)
  try {
    const pipes = { stdout: pipe('stdout'), stderr: pipe('stderr'), env: process.env }
    const code = await main(args, createTerminal(pipes as unknown as NodeJS.Process))
    return endedWith(code, written.stdout, written.stderr)
  } finally {
    setEnvironment(before.env)
    process.chdir(before.cwd)
  }
}

/** Changes the environment itself: an object put in its place would not change the time zone. */
function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
}

/** A folder that already exists. @param root its absolute path */
export function folderAt(root: string): TestFolder {
  const path = (name: string) => join(root, name)
  return {
    root,
    path,
    read: (name) => readFileSync(path(name), 'utf8'),
    write: (written) => {
      for (const [name, content] of Object.entries(written)) {
        mkdirSync(dirname(path(name)), { recursive: true })
        writeFileSync(path(name), content)
      }
    },
    remove: (...names) => {
      for (const name of names) rmSync(path(name), { recursive: true })
    },
    move: (from, to) => {
      mkdirSync(dirname(path(to)), { recursive: true })
      renameSync(path(from), path(to))
    },
  }
}

/** Starts any program with an environment that is the same on every machine. */
export function startCommand(
  program: string,
  args: readonly string[],
  { cwd, env }: RunOptions,
): RunningCommand {
  const child = spawn(program, args, { cwd, env: environmentOf(env), stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  return { process: child, firstLine: stdout.firstLine, ended: endOf(child, stdout, stderr) }
}

function environmentOf(env: RunOptions['env']): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME, ...env }
}

interface Collected {
  readonly text: () => string
  readonly firstLine: Promise<string>
}

function collect(stream: Readable): Collected {
  let text = ''
  stream.setEncoding('utf8')
  const firstLine = new Promise<string>((resolve) => {
    stream.on('data', (part: string) => {
      text += part
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    stream.on('end', () => resolve(text))
  })
  return { text: () => text, firstLine }
}

async function endOf(child: ChildProcess, stdout: Collected, stderr: Collected): Promise<Ended> {
  const [code] = (await once(child, 'close')) as [number | null]
  return endedWith(code, stdout.text(), stderr.text())
}

function endedWith(code: number | null, stdout: string, stderr: string): Ended {
  return {
    code,
    stdout,
    stderr,
    get json(): unknown {
      return JSON.parse(stdout)
    },
  }
}

/** A Markdown file: every member but `body` becomes frontmatter. */
export function article(
  title: string,
  { body = `Text of ${title}.`, ...frontmatter }: Readonly<Record<string, unknown>> = {},
): string {
  const fields = Object.entries({ title, categories: ['Guides'], ...frontmatter })
  const lines = fields.flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${JSON.stringify(value)}`],
  )
  return `---\n${lines.join('\n')}\n---\n\n${String(body)}\n`
}

/** kb.config.ts with these members. */
export function configFile(config: object = {}): string {
  return `import { defineConfig } from 'kb-sync'\n\nexport default defineConfig(${JSON.stringify(config)})\n`
}

/** `count` articles in `content/`, in one category. */
export function manyArticles(count: number): Files {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `content/page-${index}.md`,
      article(`Page ${index}`, { body: `Text of page ${index}.\n\n## More\n\n- one\n- **two**` }),
    ]),
  )
}

/** Starts `kb serve` on a free port and resolves once it listens. */
export async function startServing(
  project: TestProject,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: Record<string, string> } = {},
): Promise<RunningCommand & { readonly url: string; readonly apiKey: string }> {
  const running = project.start(['serve', '--port', '0', '--json', '--check-links', 'off', ...args], { env })
  const { url } = JSON.parse(await running.firstLine) as { readonly url: string }
  return { ...running, url, apiKey: env['KB_API_KEY'] ?? project.read('.kb/api-key').trim() }
}
