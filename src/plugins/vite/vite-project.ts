import type { Logger, ResolvedConfig } from 'vite'
import type { AdapterHost } from '../adapter/adapter.ts'
import { join, resolve } from 'node:path'
import { CONFIG_NAMES, findProjectFolder } from '../../core/config/load-config.ts'
import { placeProject, type ProjectPlace } from '../adapter/place-project.ts'

/** Creates the host functions of Vite. @param cwd absolute path of the project */
export function viteHost(mode: AdapterHost['mode'], cwd: string, logger: Logger): AdapterHost {
  const options = { timestamp: mode === 'dev' }
  return {
    cwd,
    mode,
    env: process.env,
    info: (text) => logger.info(`[kb-sync] ${text}`, options),
    warn: (text) => logger.warn(`[kb-sync] ${text}`, options),
  }
}

/** A tool that continues after its bundles are closed, so that no plugin sees whether it succeeds. */
export interface OtherTool {
  /** Prefix of its plugins' names. */
  readonly prefix: string
  /** The reason why nothing is synced, and the alternative. */
  readonly advice: string
}

const runAfter = (name: string, command: string) =>
  `${name} continues after its bundles. Run kb sync after ${command}.`

const OTHER_TOOLS: readonly OtherTool[] = [
  { prefix: 'astro:', advice: 'Astro continues after its bundles. Use the integration kb-sync/astro.' },
  { prefix: 'nuxt:', advice: runAfter('Nuxt', 'nuxt build') },
  { prefix: 'react-router', advice: runAfter('React Router', 'react-router build') },
  { prefix: 'remix', advice: runAfter('Remix', 'remix vite:build') },
  { prefix: 'storybook:', advice: 'this builds a Storybook, not the site' },
]

/** Undefined if the build ends with the bundles. */
export function findOtherTool({ plugins }: Pick<ResolvedConfig, 'plugins'>): OtherTool | undefined {
  return OTHER_TOOLS.find(({ prefix }) => plugins.some(({ name }) => name.startsWith(prefix)))
}

/** True for a server that runs tests, from which nothing may be sent. */
export function isTestRunner({ plugins }: Pick<ResolvedConfig, 'plugins'>): boolean {
  return plugins.some(({ name }) => name.startsWith('vitest'))
}

/** The relevant part of VitePress' configuration, which is in that of Vite. */
interface VitePressSite {
  readonly logger?: Logger
  buildEnd?: ((site: never) => unknown) | undefined
}

/** Undefined outside of VitePress. */
export function vitePressOf(config: ResolvedConfig): VitePressSite | undefined {
  return (config as { readonly vitepress?: VitePressSite }).vitepress
}

/** Calls `then` once all pages are rendered: then a VitePress build has succeeded. */
export function afterVitePress(site: VitePressSite, then: () => Promise<void>): void {
  const own = site.buildEnd
  site.buildEnd = async (...given) => {
    await own?.apply(site, given)
    await then()
  }
}

/**
 * Finds the project, since Vite's root may be another folder, in VitePress that of the pages.
 *
 * @param root absolute path of Vite's root
 * @param config relative to `root`
 */
export function findProject(root: string, config: string | undefined): ProjectPlace {
  return config === undefined ? { cwd: findProjectFolder(root), config } : placeProject(root, config)
}

/** Returns absolute paths where an edit may change which configuration applies. */
export function configCandidates({ cwd, config }: ProjectPlace): string[] {
  return config === undefined ? CONFIG_NAMES.map((name) => join(cwd, name)) : [resolve(cwd, config)]
}
