import { resolve } from 'node:path'
import { type Kb, kbOf } from './kb.ts'
import type { KbOptions } from './options.ts'
import type { Project } from './project.ts'

/**
 * Returns the commands of `kb` as functions for one project. Nothing is read until one of them is called. Unknown
 * options are rejected at that time.
 *
 * @example
 * ```js
 * import { createKb } from 'kb-sync'
 *
 * const kb = createKb({ cwd: '/path/to/project' })
 * const { articles } = await kb.check()
 * console.log(articles) // prints 1
 * ```
 */
export function createKb(options: KbOptions = {}): Kb {
  return guarded(kbOf(projectOf(options)), options)
}

/** Creates a project whose options were validated, so that nothing is loaded to check them. */
export function projectOf({ cwd = '.', config, env = process.env }: KbOptions): Project {
  const root = resolve(cwd)
  return {
    cwd: root,
    configFile: config,
    env,
    loadSettings: async (onFiles) => {
      const { loadConfig } = await import('../core/config/load-config.ts')
      const settings = await loadConfig({ cwd: root, configFile: config, onFiles })
      const named = env['KB_DB']
      if (!named) return settings
      const { databaseOf } = await import('./project.ts')
      return { ...settings, server: { ...settings.server, db: databaseOf(named, root, settings) } }
    },
  }
}

type Call = (options?: unknown) => Promise<unknown>

/** Validates the options of each call first. */
function guarded(kb: Kb, own: KbOptions): Kb {
  const guard = ([name, call]: [string, Call]): [string, Call] => [
    name,
    async (options = {}) => {
      const { assertOptions } = await import('./assert-options.ts')
      assertOptions('createKb', own)
      assertOptions(name as keyof Kb, options)
      return call(options)
    },
  ]
  return Object.fromEntries(Object.entries(kb as unknown as Record<string, Call>).map(guard)) as unknown as Kb
}
