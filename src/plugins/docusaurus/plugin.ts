import { createParseFrontMatter } from './create-parse-front-matter.ts'
import { createPlugin } from './create-plugin.ts'
import type { DocusaurusPlugin, LoadContext } from './docusaurus-types.ts'
import { createSharedAdapters } from './shared-adapters.ts'
import { loadToolLogger } from './tool-logger.ts'

export { normaliseOptions } from './docusaurus-options.ts'
export { SWIZZLE_CONFIG } from './swizzle-config.ts'

// One for the process: see shared-adapters.ts.
const adapters = createSharedAdapters(process)

export function kb(context: LoadContext, options: unknown): Promise<DocusaurusPlugin> {
  return createPlugin(context, options, { adapters, env: process.env, loadLogger: loadToolLogger })
}

export const parseFrontMatter = createParseFrontMatter({ cwd: process.cwd(), env: process.env })
