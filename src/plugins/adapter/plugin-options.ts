import { KbError } from '../../core/errors/kb-error.ts'
import type { SiteLinks } from '../../index.ts'
import { explainWrongLinks } from '../../kb/site/explain-wrong-links.ts'
import { didYouMean } from '../../core/nearest.ts'

export interface PluginOptions {
  /**
   * Configuration file, relative to the site's folder; default: kb.config.ts there, if any. If it is outside of that
   * folder, its own folder is the project.
   */
  readonly config?: string | undefined
  /**
   * `build`: sends the articles after a successful build, in CI or if KB_SYNC=1 is set, and not for a pull request.
   * `watch`: a development server sends every save, as `kb watch` does. Default `never`.
   */
  readonly sync?: 'build' | 'watch' | 'never' | undefined
  /** Whether an error in the content fails a build. Default `error`. */
  readonly check?: 'error' | 'warn' | undefined
  /** Whether the site includes drafts. Default: in development only. */
  readonly drafts?: boolean | undefined
  /** URLs of this site's pages; default: `links` of the configuration. */
  readonly links?: SiteLinks | undefined
}

const CHOICES = { sync: ['build', 'watch', 'never'], check: ['error', 'warn'] } as const
const TYPES: Readonly<Record<Exclude<keyof PluginOptions, keyof typeof CHOICES>, string>> = {
  config: 'string',
  drafts: 'boolean',
  links: 'object',
}

/**
 * @param plugin name in messages, such as `The Vite plugin`
 * @param own options of this plugin only, with their `typeof`
 * @throws KbError CONFIG_INVALID
 */
export function assertPluginOptions(
  plugin: string,
  options: unknown,
  own: Readonly<Record<string, string>> = {},
): asserts options is PluginOptions {
  if (typeof options !== 'object' || options === null)
    throw new KbError('CONFIG_INVALID', `${plugin} of kb-sync requires an object with options.`)
  const types: Readonly<Record<string, string>> = { ...TYPES, ...own }
  const names = [...Object.keys(CHOICES), ...Object.keys(types)]
  for (const [name, value] of Object.entries(options)) {
    if (!names.includes(name)) throw unknownOption(plugin, name, names)
    if (value === undefined) continue
    const choices: readonly unknown[] | undefined = CHOICES[name as keyof typeof CHOICES]
    const isOfType = typeof value === types[name] && value !== null
    if (choices === undefined ? isOfType : choices.includes(value)) continue
    const expected =
      choices === undefined ? `of type ${types[name]}` : choices.join(', ').replace(/, ([^,]*)$/, ' or $1')
    throw new KbError('CONFIG_INVALID', `${plugin} of kb-sync: ${name} must be ${expected}.`)
  }
  const { links } = options as PluginOptions
  const wrongLinks = links === undefined ? undefined : explainWrongLinks(links)
  if (wrongLinks !== undefined) throw new KbError('CONFIG_INVALID', `${plugin} of kb-sync: ${wrongLinks}`)
}

/** Includes the fix in the message, because tools print nothing else. */
function unknownOption(plugin: string, name: string, names: readonly string[]): KbError {
  const remedy = didYouMean(name, names) ?? `The options are: ${names.join(', ')}.`
  return new KbError('CONFIG_INVALID', `${plugin} of kb-sync has no option "${name}". ${remedy}`)
}
