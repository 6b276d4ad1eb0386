import { relative, sep } from 'node:path'
import { CONFIG_NAMES } from '../../core/config/load-config.ts'
import type { Adapter } from '../adapter/adapter.ts'
import type { EleventyConfig } from './eleventy-config.ts'

interface FileWishes {
  /** Absolute path of the folder that Eleventy runs in. */
  readonly cwd: string
  /** Configuration file that the plugin was given. */
  readonly configFile: string | undefined
  /** Whether the articles are no templates of the site. */
  readonly ignoresContent: boolean
}

/**
 * Has Eleventy watch the articles and the configuration, an edit of which runs the plugin anew, and takes the articles for
 * no templates of its own. A configuration that cannot be read is watched as well: the build will tell what is wrong.
 */
export async function announceFiles(
  config: EleventyConfig,
  adapter: Adapter,
  { cwd, configFile, ignoresContent }: FileWishes,
): Promise<void> {
  const fromHere = (path: string) => relative(cwd, path).replaceAll(sep, '/') || '.'
  const watched = await adapter.watched().catch(() => undefined)
  const known = watched?.configFiles.map(fromHere) ?? []
  const configFiles = known.length > 0 ? known : configFile === undefined ? CONFIG_NAMES : [configFile]
  for (const file of configFiles) config.addWatchTarget(file, { resetConfig: true })
  if (watched === undefined) return
  const content = fromHere(watched.content)
  config.addWatchTarget(content)
  if (ignoresContent) config.ignores.add(`${literally(content)}/**/*.md`)
  const workspace = `${literally(fromHere(await adapter.root()))}/.kb/**`
  config.ignores.add(workspace)
  config.watchIgnores?.add(workspace)
}

function literally(path: string): string {
  return path.replaceAll(/[()[\]{}!*+@?]/g, '?')
}
