import { type BuildRun, createBuildRun } from './build-run.ts'
import { createAdapter } from '../adapter/create-adapter.ts'
import type { AdapterHost } from '../adapter/adapter.ts'
import type { PluginOptions } from '../adapter/plugin-options.ts'

// The one thing that is kept for the whole process: a build within a build, and every environment of an app, reads the
// configuration of Vite again and so makes plugins that know nothing of each other, yet are one build of one site.
const runs = new Map<string, BuildRun>()

/** The build that a plugin takes part in: one for all plugins of the same project and options. */
export function shareRun(options: PluginOptions, host: AdapterHost): BuildRun {
  const key = JSON.stringify([host.cwd, options], (_, value: unknown) =>
    typeof value === 'function' ? value.toString() : value,
  )
  const run = runs.get(key) ?? createBuildRun(createAdapter(options, host))
  runs.set(key, run)
  return run
}
