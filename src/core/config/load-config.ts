import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import type { Jiti } from 'jiti'
import { isRecord } from '../is-record.ts'
import { tryTo } from '../try-to.ts'
import { digest, digestParts } from '../digest.ts'
import { KbError, reasonOf } from '../errors/kb-error.ts'
import { codeFile, IS_BUILT } from '../package-files.ts'
import { entriesOf, isFolder } from '../paths.ts'
import { readProgramVersion } from '../version.ts'
import { dialectOf } from '../dialects/dialects.ts'
import { CONFIG_DEFAULTS } from './defaults.ts'
import type { KbConfig } from './schema.ts'
import {
  type ConfigContext,
  contentRootOf,
  describeConfig,
  normaliseConfig,
  type Settings,
} from './settings.ts'

/** In search order. */
export const CONFIG_NAMES = ['kb.config.ts', 'kb.config.mts', 'kb.config.js', 'kb.config.mjs']

interface ConfigFile {
  /** Absolute path; see `findProjectFolder`. */
  cwd: string
  /** Relative to `cwd`, which is then the project folder. */
  configFile?: string | undefined
}

interface RunConfigOptions {
  /** Writes nothing to disk, not even the cache of validated configurations. */
  leavesNoTrace?: boolean | undefined
  /**
   * Called with the files that were run, even if that failed. If set, files loaded by an earlier call are read again.
   */
  onFiles?: ((files: readonly string[]) => void) | undefined
}

/**
 * Finds, runs, validates and normalises the project's configuration. Without a file, the defaults apply.
 *
 * @throws KbError USAGE (no such folder), CONFIG_UNREADABLE, CONFIG_INVALID
 */
export async function loadConfig(options: ConfigFile & RunConfigOptions): Promise<Settings> {
  assertFolder(options.cwd)
  const root = options.configFile === undefined ? findProjectFolder(options.cwd) : options.cwd
  const configFile = findConfig({ ...options, cwd: root })
  if (configFile === undefined) {
    assertNoOtherConfig(root)
    options.onFiles?.([])
  }
  let files: readonly string[] = []
  const { onFiles } = options
  const onRan = onFiles && ((ran: readonly string[]) => onFiles((files = ran)))
  const config = configFile === undefined ? {} : await runConfig(configFile, { ...options, onFiles: onRan })
  const programVersion = readProgramVersion()
  await validate(config, { root, configFile, programVersion, leavesNoTrace: options.leavesNoTrace })
  const packageName = readPackageName(root)
  const configDigest =
    configFile === undefined || !OWN_CODE.some((key) => config[key] !== undefined)
      ? undefined
      : digestParts(
          (await listFiles(configFile, options.leavesNoTrace)).map((file) =>
            existsSync(file) ? digest(readFileSync(file)) : '',
          ),
        )
  const { paths, ...site } = await readSite(config, root)
  if (paths.length > 0) options.onFiles?.([...files, ...paths])
  const context = { root, configFile, packageName, programVersion, configDigest, ...site }
  return normaliseConfig(config, context)
}

/** Reads the configuration of the tool's site. `paths` are the files it depends on. */
async function readSite(config: KbConfig, root: string) {
  if (config.preset === undefined) return { paths: [] }
  const reader = await dialectOf(config.preset).loadSite()
  const folders = { root, contentRoot: contentRootOf(config, root) }
  const { site: toolSite, configFiles } = reader.readSite(folders)
  const site = reader.readFiles?.(folders)
  const paths = new Set([...configFiles, ...(site?.paths ?? [])])
  return { toolSite, site, paths: [...paths] }
}

/** Configuration keys with functions that affect the rendering. */
const OWN_CODE = ['frontmatter', 'components', 'shortcodes'] as const

/** Returns the file and its imports within the project, which may contain the code of a function. */
async function listFiles(file: string, leavesNoTrace: boolean | undefined): Promise<string[]> {
  if (!/['"`]\.{0,2}\//.test(readFileSync(file, 'utf8'))) return [file]
  let files: readonly string[] = []
  await runConfig(file, { leavesNoTrace, onFiles: (ran) => (files = ran) })
  return [...new Set([file, ...files])].toSorted()
}

function assertFolder(cwd: string): void {
  if (isFolder(cwd)) return
  throw new KbError('USAGE', `There is no folder ${cwd}.`, {
    hint: 'Set --cwd to the folder of your project.',
  })
}

/**
 * Returns the project folder for `cwd`: the nearest folder, from `cwd` up, with a configuration file; `cwd` if it has a
 * content folder or no such folder exists.
 */
export function findProjectFolder(cwd: string): string {
  const hasConfig = (folder: string) => findConfig({ cwd: folder }) !== undefined
  if (hasConfig(cwd) || existsSync(join(cwd, CONFIG_DEFAULTS.content))) return cwd
  for (let folder = dirname(cwd); folder !== dirname(folder); folder = dirname(folder))
    if (hasConfig(folder)) return folder
  return cwd
}

function findConfig({ cwd, configFile }: ConfigFile): string | undefined {
  if (configFile === undefined)
    return CONFIG_NAMES.map((name) => join(cwd, name)).find((file) => existsSync(file))
  const file = resolve(cwd, configFile)
  if (existsSync(file)) return file
  throw new KbError('CONFIG_UNREADABLE', `The configuration ${configFile} does not exist.`, {
    hint: 'Use the path of an existing file, relative to the project folder.',
  })
}

const OTHER_CONFIG = /^kb[-_.]?(?:sync)?[-_.]?config\.(?:[cm]?[jt]s|json5?|toml|ya?ml)$/i

/** Without this error, all settings in that file would be silently ignored. @throws KbError CONFIG_UNREADABLE */
function assertNoOtherConfig(root: string): void {
  const file = entriesOf(root).find((entry) => entry.isFile() && OTHER_CONFIG.test(entry.name))
  if (file === undefined) return
  throw new KbError('CONFIG_UNREADABLE', `kb-sync does not read ${file.name}.`, {
    hint: 'Name the configuration kb.config.ts, and write the settings as export default defineConfig({ … }).',
  })
}

/**
 * Runs a configuration file with the import of `kb-sync` resolved to this program, so that it needs no node_modules.
 *
 * @throws KbError CONFIG_UNREADABLE
 */
async function runConfig(file: string, options: RunConfigOptions): Promise<KbConfig> {
  const jiti = await openJiti(options.leavesNoTrace === true)
  try {
    if (options.onFiles === undefined) return await jiti.import<KbConfig>(file, { default: true })
    return await runAnew(jiti, file, options.onFiles)
  } catch (error) {
    // The loader itself fails at a default export of null, because it checks whether that is a promise.
    const isOfNull = error instanceof Error && error.message.endsWith("of null (reading 'then')")
    if (isOfNull && error.stack?.includes(file) !== true) assertExport(null, file)
    throw unloadable(file, error)
  }
}

async function openJiti(leavesNoTrace: boolean): Promise<Jiti> {
  const self = codeFile(`index.${IS_BUILT ? 'js' : 'ts'}`)
  const [{ createJiti }, library] = await Promise.all([import('jiti'), import(self.href) as Promise<object>])
  return createJiti(import.meta.url, {
    // The running library is passed as it is, to avoid compiling it again.
    virtualModules: { 'kb-sync': library },
    interopDefault: true,
    // A long-running program sees later edits as far as possible: see runAnew.
    moduleCache: false,
    // The cache may be in the project's node_modules.
    ...(leavesNoTrace && { fsCache: false }),
  })
}

/**
 * Node.js caches files that it loads itself (.mjs, .json and .cjs) until the process ends. With `require` instead of
 * `import`, nearly all of them go through the compiler, and the cache of the others can be cleared.
 */
async function runAnew(jiti: Jiti, file: string, onFiles: (files: readonly string[]) => void) {
  const { cache: native } = createRequire(import.meta.url)
  const before = new Set(Object.keys(native))
  const files = [file]
  const run = (async: boolean) => {
    const cache = {}
    const options = { id: file, filename: file, ext: extname(file), cache, forceTranspile: true, async }
    try {
      return jiti.evalModule(readFileSync(file, 'utf8'), options)
    } finally {
      files.push(...Object.keys(cache))
    }
  }
  try {
    return defaultOf(run(false))
  } catch {
    // The file has a top-level await, or an error that the second attempt reports.
    return defaultOf(await run(true))
  } finally {
    const loaded = Object.keys(native).filter((path) => !before.has(path) && !isPackaged(path))
    for (const path of loaded) Reflect.deleteProperty(native, path)
    onFiles([...new Set([...files, ...loaded])].filter((path) => !isPackaged(path)))
  }
}

function isPackaged(path: string): boolean {
  return path.split(/[/\\]/).includes('node_modules')
}

function defaultOf(module: unknown): KbConfig {
  const { default: exported = module } = module as { default?: KbConfig }
  return exported as KbConfig
}

/** The parser puts the location, with the absolute path, on a separate line. Code that fails has it in its stack. */
function unloadable(file: string, error: unknown): KbError {
  // If a module is missing, Node.js appends the require stack.
  const [reason = '', next = ''] = reasonOf(error)
    .trim()
    .split(/\s*\n\s*/)
  const parsed = /:(\d+):(\d+)$/.exec(next)
  const [, frame = ''] = error instanceof Error ? (error.stack ?? '').split(`${file}:`, 2) : []
  const [, line, column] = parsed ?? /^(\d+):(\d+)/.exec(frame) ?? []
  // The compiler counts columns from 0, and the loader puts code of its own before the first line.
  const first = parsed === null ? 0 : 1
  const isMoved = parsed === null && line === '1'
  const place =
    line === undefined ? undefined : { line: Number(line), column: isMoved ? 1 : Number(column) + first }
  const folder = `${dirname(file)}/`
  const text = reason.replaceAll(folder, '').replace(/^(\w*Error): /, '')
  return new KbError(
    'CONFIG_UNREADABLE',
    `${basename(file)}${place === undefined ? '' : `:${place.line}:${place.column}`} could not be loaded: ${text}`,
    {
      hint: 'Fix the file or what it imports. For a working example, run kb init in an empty folder.',
      ...(place && { places: [{ file, ...place }] }),
      cause: error,
    },
  )
}

async function validate(
  config: unknown,
  context: Pick<ConfigContext, 'root' | 'configFile' | 'programVersion'> & RunConfigOptions,
): Promise<void> {
  if (context.configFile === undefined) return
  const identity = digestParts([context.programVersion, describeConfig(config)])
  if (tryTo(() => readFileSync(fileOf(context.root), 'utf8') === identity, false)) return
  assertExport(config, context.configFile)
  const { explainConfigProblems, findConfigKey } = await import('./explain-config-problems.ts')
  const problems = explainConfigProblems(config)
  if (problems.length > 0) {
    const file = context.configFile
    const text = readFileSync(file, 'utf8')
    const name = relative(context.root, file)
    throw new KbError(
      'CONFIG_INVALID',
      `${name} has ${problems.length === 1 ? 'an error' : 'errors'}:\n${problems.map((problem) => `  ${problem.text}`).join('\n')}`,
      {
        hint: 'The page "Configuration" in the guide lists every key with its default.',
        places: distinct(problems.map(({ path }) => path)).flatMap((path) => {
          const span = findConfigKey(text, path)
          return span === undefined ? [] : [{ file, ...span }]
        }),
      },
    )
  }
  if (context.leavesNoTrace !== true) rememberValidated(context.root, identity)
}

/** Removes duplicates: an object that lacks several keys is shown once. */
function distinct(paths: readonly (readonly string[])[]): (readonly string[])[] {
  return [...new Map(paths.map((path) => [path.join('\0'), path])).values()]
}

/** @throws KbError CONFIG_INVALID for a file that exports no object, or whose settings would all be ignored */
function assertExport(config: unknown, file: string): void {
  // The loader returns the whole module if its default export is undefined.
  const exported = isRecord(config) && 'default' in config ? config['default'] : config
  const isMeant = /^\s*$|\bexports?\b/.test(readFileSync(file, 'utf8'))
  if (isRecord(exported) && (isMeant || Object.keys(exported).length > 0)) return
  const isNothing = exported === undefined || exported === null
  const kind = isNothing ? String(exported) : Array.isArray(exported) ? 'an array' : `a ${typeof exported}`
  const what = isRecord(exported)
    ? 'no configuration, so its settings are ignored'
    : `${kind} instead of an object with settings`
  throw new KbError('CONFIG_INVALID', `${basename(file)} exports ${what}.`, {
    hint: 'Write the settings as export default defineConfig({ … }).',
  })
}

function readPackageName(root: string): string | undefined {
  const file = join(root, 'package.json')
  if (!existsSync(file)) return undefined
  try {
    // npm accepts a byte order mark, too.
    const { name } = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) as { name?: unknown }
    return typeof name === 'string' && name !== '' ? name : undefined
  } catch (error) {
    throw new KbError('CONFIG_UNREADABLE', `package.json is not valid JSON: ${reasonOf(error)}`, {
      cause: error,
    })
  }
}

// Remembers which configurations are valid. Disposable: without the cache, validation runs again.
const fileOf = (root: string) => join(root, '.kb', 'cache', 'validated-config')

/** Remembers the last valid configuration if the cache folder exists; does not create it. */
function rememberValidated(root: string, identity: string): void {
  try {
    mkdirSync(dirname(fileOf(root)))
  } catch {
    // Either the folder exists or .kb does not; the next line tells which.
  }
  try {
    writeFileSync(fileOf(root), identity)
  } catch {
    // There is no .kb folder or it is not writable: validation runs again next time.
  }
}
