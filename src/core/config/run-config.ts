import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, extname } from 'node:path'
import type { Jiti } from 'jiti'
import { KbError, reasonOf } from '../errors/kb-error.ts'
import { codeFile, IS_BUILT } from '../package-files.ts'
import type { KbConfig } from './define-config.ts'

/**
 * Runs a configuration file with the import of `kb-sync` resolved to this program, so that no node_modules is needed
 * beside it.
 *
 * @throws KbError CONFIG_UNREADABLE
 */
export async function runConfig(
  file: string,
  options: {
    leavesNoTrace?: boolean | undefined
    /** Told the files that were run, also where one of them fails; with it, all of them are read anew. */
    onFiles?: ((files: readonly string[]) => void) | undefined
  },
): Promise<KbConfig> {
  const jiti = await openJiti(options.leavesNoTrace === true)
  try {
    if (options.onFiles === undefined) return await jiti.import<KbConfig>(file, { default: true })
    return await runAnew(jiti, file, options.onFiles)
  } catch (error) {
    throw unloadable(file, error)
  }
}

async function openJiti(leavesNoTrace: boolean): Promise<Jiti> {
  const self = codeFile(`index.${IS_BUILT ? 'js' : 'ts'}`)
  const [{ createJiti }, library] = await Promise.all([import('jiti'), import(self.href) as Promise<object>])
  return createJiti(import.meta.url, {
    // What runs here is handed over as it is: nothing of it has to be compiled again.
    virtualModules: { 'kb-sync': library },
    interopDefault: true,
    // A program that runs for long sees what was edited since, as far as this reaches: see runAnew.
    moduleCache: false,
    // Its cache may lie in the project's node_modules.
    ...(leavesNoTrace && { fsCache: false }),
  })
}

/**
 * Node.js keeps what it has loaded by itself (.mjs, .json and .cjs files) for as long as it runs. Required, not imported,
 * nearly everything goes through the compiler instead, and the rest lies in a cache from which it can be taken.
 */
async function runAnew(
  jiti: Jiti,
  file: string,
  onFiles: (files: readonly string[]) => void,
): Promise<KbConfig> {
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
    // An await at its top level, or a mistake: then that is what the second try tells.
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

/** The parser puts its place, with the whole path, on a line of its own. */
function unloadable(file: string, error: unknown): KbError {
  // Node.js adds the way to a module that is not there.
  const [reason = '', next = ''] = reasonOf(error)
    .trim()
    .split(/\s*\n\s*/)
  const [place] = /:\d+:\d+$/.exec(next) ?? []
  const folder = `${dirname(file)}/`
  const text = reason.replaceAll(folder, '').replace(/^(\w*Error): /, '')
  return new KbError('CONFIG_UNREADABLE', `${basename(file)}${place ?? ''} could not be loaded: ${text}`, {
    hint: 'Correct it, or what it imports; kb init in an empty folder writes one that works.',
    cause: error,
  })
}
