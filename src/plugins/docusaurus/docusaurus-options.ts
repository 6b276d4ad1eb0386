import { KbError } from '../../core/errors/kb-error.ts'
import { assertPluginOptions, type PluginOptions } from '../adapter/plugin-options.ts'
import { asToolError } from './tool-messages.ts'

export interface DocusaurusOptions extends PluginOptions {
  /** Distinguishes several instances in one site, as in every Docusaurus plugin. Default `default`. */
  readonly id?: string | undefined
  /** Path of the articles' pages, below the site's base URL, such as `help`; without it, there are none. */
  readonly routeBasePath?: string | undefined
}

/** @throws Error for Docusaurus to show */
export function normaliseOptions(options: unknown): DocusaurusOptions & { readonly id: string } {
  try {
    return checkOptions(options)
  } catch (error) {
    throw asToolError(error)
  }
}

function checkOptions(options: unknown): DocusaurusOptions & { readonly id: string } {
  assertPluginOptions('The Docusaurus plugin', options, { id: 'string', routeBasePath: 'string' })
  const { id = 'default', ...rest }: DocusaurusOptions = options
  if (rest.routeBasePath !== undefined && rest.links !== undefined) {
    throw new KbError(
      'CONFIG_INVALID',
      'The Docusaurus plugin of kb-sync accepts links or routeBasePath, not both.',
      {
        hint: 'With routeBasePath, the articles are pages of this site, and links between them point to these pages.',
      },
    )
  }
  return { id, ...rest }
}
