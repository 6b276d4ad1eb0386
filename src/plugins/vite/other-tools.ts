import type { ResolvedConfig } from 'vite'

/** A tool that continues after its bundles are closed, so that no plugin sees whether it succeeds. */
export interface OtherTool {
  /** Prefix of its plugins' names. */
  readonly prefix: string
  /** Why nothing is synced, and the alternative. */
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

/** Whether a server runs tests: nothing may be sent from it. */
export function isTestRunner({ plugins }: Pick<ResolvedConfig, 'plugins'>): boolean {
  return plugins.some(({ name }) => name.startsWith('vitest'))
}
