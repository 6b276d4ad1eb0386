import { existsSync } from 'node:fs'
import { basename, join, resolve, relative } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isDotted, isInside, realPath, relativePath } from '../../core/paths.ts'
import { findRepository } from '../../core/git/find-repository.ts'
import { readEnvironment } from '../../core/config/resolve-target.ts'
import type { Settings } from '../../core/config/settings.ts'
import type { ExitCode } from '../../core/errors/exit-codes.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { projectOf } from '../../kb/create-kb.ts'
import { type Kb, kbOf } from '../../kb/kb.ts'
import type { KbOptions } from '../../kb/options.ts'
import type { Progress } from '../../sync/target-session.ts'
import { listenForInterruption } from '../terminal/interruption.ts'
import { createProgress, type RunProgress } from '../terminal/progress.ts'
import { printMessage } from '../terminal/print-message.ts'
import { assertContentFolder } from '../../content/source/content-folder.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface CommonFlags extends Pick<KbOptions, 'cwd' | 'config'> {
  readonly json?: boolean
  readonly quiet?: boolean
  readonly verbose?: boolean
}

/** Runs a command. `options` are the flags of its definition. Without an exit code as its result, it succeeded. */
export type RunCommand<Options = unknown, Result = ExitCode> = (
  args: readonly string[],
  options: CommonFlags & Options,
  terminal: Terminal,
) => Promise<Result>

/** The input of a command: a project, and a signal to stop it. */
interface ProjectRun extends Pick<RunProgress, 'onDelay'> {
  readonly onProgress: Progress
  readonly cwd: string
  readonly settings: Settings
  /** The commands as functions, with the loaded `settings`. */
  readonly kb: Kb
  /** Paths in the command line, as sources; undefined for all. */
  readonly sources: string[] | undefined
  readonly signal: AbortSignal
}

/** Runs a command on the project of `options`, with progress and Ctrl-C. */
export async function runOnProject<Result>(
  paths: readonly string[],
  options: CommonFlags,
  terminal: Terminal,
  command: (run: ProjectRun) => Promise<Result>,
): Promise<Result> {
  const cwd = resolve(options.cwd ?? '.')
  const progress = createProgress(terminal, options.quiet === true || options.json === true)
  const { signal, stop } = listenForInterruption(terminal, { onInterrupt: progress.freeze })
  try {
    readEnvironment(process.env)
    // Flags were checked when they were parsed, so zod is not loaded for them again.
    const project = projectOf({ cwd, config: options.config })
    const settings = await kbOf(project).loadSettings({ signal })
    warnOfWrittenKeys(settings, terminal)
    const sources = await toSources(paths, cwd, settings)
    const { onDelay } = progress
    const onProgress = tunedForMany(progress.onProgress)
    const kb = kbOf({ ...project, loadSettings: () => Promise.resolve(settings) })
    return await command({ cwd, settings, kb, sources, signal, onProgress, onDelay })
  } finally {
    progress.stop()
    stop()
  }
}

/** With fewer articles, memory is not a concern. */
const MANY_ARTICLES = 2_000

/** With more, a heap that may grow by half contains much garbage. */
const VERY_MANY_ARTICLES = 20_000

/**
 * By default, V8 collects the garbage of a thread only when its heap is several times larger than what is in use. With
 * these flags, a run over many articles takes two thirds of the memory and a tenth more CPU time. They apply to the
 * whole process, so the library does not set them. An existing heap takes its new limit from the next collection.
 */
function tunedForMany(onProgress: Progress): Progress {
  let isSet = false
  return (phase, done, total) => {
    if (!isSet && total > MANY_ARTICLES) {
      isSet = true
      const percent = total > VERY_MANY_ARTICLES ? 20 : 50
      for (const flag of [`heap-growing-percent=${percent}`, 'initial-old-space-size=24', 'expose-gc'])
        setFlagsFromString(`--${flag}`)
      compileLess()
      runInNewContext('gc()')
    }
    onProgress(phase, done, total)
  }
}

/**
 * Each thread compiles frequently run code to machine code, which took a fifth of all CPU time. With this flag, V8 11,
 * of Node.js 20, does that after ten times as much use, and the run takes a tenth less. Later versions have a compiler
 * in between.
 */
export function compileLess(): void {
  if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=675000')
}

/** Warns of API keys in the configuration, which are in git. The run works, so this is only a warning. */
export function warnOfWrittenKeys({ configFile, target, targets }: Settings, terminal: Terminal): void {
  const written = [target, ...Object.values(targets)].filter(
    (each) => each.kind === 'remote' && each.apiKey !== undefined,
  )
  if (written.length === 0) return
  const file = basename(configFile ?? 'kb.config.ts')
  const names = written.map(({ name }) => `"${name}"`).join(', ')
  printMessage(
    terminal,
    `warning: ${file} contains the API key of target ${names}; set it as KB_API_KEY instead.`,
    (line) => line.replace(/^warning(?=:)/, terminal.errColors.yellow),
  )
}

/**
 * Converts paths in the command line to sources; undefined for all. A path may be relative to `cwd`, the project, the
 * content folder or the repository, and end in a line and column: that is how commands and compilers print it.
 *
 * @throws KbError USAGE for a path that does not exist or is outside the content folder; CONTENT_UNREADABLE without one
 */
async function toSources(paths: readonly string[], cwd: string, settings: Settings) {
  if (paths.length === 0) return undefined
  // Without a project, this is why a path does not exist.
  assertContentFolder(settings.contentRoot, settings.configFile !== undefined)
  return Promise.all(paths.map((path) => toSource(path, cwd, settings)))
}

async function toSource(path: string, cwd: string, { root, contentRoot }: Settings): Promise<string> {
  if (path.trim() === '')
    throw new KbError('USAGE', 'A path is empty.', {
      hint: 'Without a path, the command covers all articles.',
    })
  const plain = path.replace(/(?<=.)(?::\d+){0,2}:?$/, '')
  const bases = isDotted(plain) ? [cwd] : [cwd, root, contentRoot, findRepository(root) ?? root]
  const files = [path, plain]
    .flatMap((form) => bases.map((base) => resolve(base, form)))
    .filter((file) => existsSync(file))
  const [file] = files
  if (file === undefined) {
    const { nearestEntry } = await import('../../content/includes/include-problems.ts')
    const wanted = bases.map((base) => relativePath(root, resolve(base, plain)))
    const meant = nearestEntry(contentRoot, root, wanted)
    throw new KbError('USAGE', `There is no file or folder ${path}.`, {
      hint:
        meant === undefined
          ? isDotted(plain)
            ? 'A path that starts with a dot is relative to the current folder.'
            : 'Paths are relative to the current folder, the project, the content folder or the repository.'
          : `Did you mean ${relative(cwd, join(root, meant)) || '.'}?`,
    })
  }
  const sources = files.map((each) => sourceOf(each, contentRoot))
  const found = sources.find((source) => source !== undefined)
  const isHere = [path, plain].some((form) => resolve(cwd, form) === file)
  if (found !== undefined && (sources[0] !== undefined || !isHere)) return found
  throw new KbError('USAGE', `${path} is not in the content folder.`, {
    hint:
      found === undefined
        ? `Articles are in ${relative(cwd, contentRoot) || '.'}.`
        : `Did you mean ${relative(cwd, join(contentRoot, found))}?`,
  })
}

/** Undefined outside the content folder. */
function sourceOf(file: string, contentRoot: string): string | undefined {
  if (isInside(contentRoot, file)) return relativePath(contentRoot, file)
  // The path may contain a symbolic link, which the current folder of a process never does.
  const [realRoot, real] = [realPath(contentRoot), realPath(file)]
  return isInside(realRoot, real) ? relativePath(realRoot, real) : undefined
}
