import type { ResolvedConfig } from 'vite'

/** What tells the bundles of one build apart; the same again means that the build is made anew. */
export function bundleName({ build }: Pick<ResolvedConfig, 'build'>, environment: string): string {
  const { outDir, ssr, lib, rollupOptions } = build
  return JSON.stringify([
    environment,
    outDir,
    ssr,
    lib === false ? undefined : lib.entry,
    rollupOptions.input,
  ])
}
