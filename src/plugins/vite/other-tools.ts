import type { ResolvedConfig } from 'vite'

/** A tool that goes on after its bundles are closed, where no plugin can see whether it ends well. */
export interface OtherTool {
  /** What the names of its own plugins begin with. */
  readonly prefix: string
  /** Why nothing is synced, and what to do instead. */
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

/** Undefined where the end of the bundles is the end of the build. */
export function findOtherTool({ plugins }: Pick<ResolvedConfig, 'plugins'>): OtherTool | undefined {
  return OTHER_TOOLS.find(({ prefix }) => plugins.some(({ name }) => name.startsWith(prefix)))
}

/** A server that runs tests: no one checks it, and nothing may be sent from it. */
export function isTestRunner({ plugins }: Pick<ResolvedConfig, 'plugins'>): boolean {
  return plugins.some(({ name }) => name.startsWith('vitest'))
}
