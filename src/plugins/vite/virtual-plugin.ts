import type { Plugin } from 'vite'
import type { ContentSource, SharedSource } from './content-source.ts'
import { articleCode, indexCode } from './virtual-code.ts'
import { parseResolved, resolveName } from './virtual-ids.ts'

/** Provides the articles as `virtual:kb`, on the server and in the browser. */
export function virtualPlugin(shared: SharedSource): Plugin {
  return {
    name: 'kb-sync:virtual',
    // Before plugins that resolve the name as a package.
    enforce: 'pre',
    resolveId: (name) => resolveName(name),
    async load(resolved) {
      const module = parseResolved(resolved)
      if (module === undefined || shared.current === undefined) return undefined
      if (module.kind === 'index') return plain(indexCode((await shared.current.read()).view))
      const code = await bodyCode(shared.current, module.id)
      return code === undefined ? this.error(`There is no article "${module.id}".`) : plain(code)
    },
  }
}

async function bodyCode({ read, readBody }: ContentSource, id: string): Promise<string | undefined> {
  await read()
  const body = readBody(id)
  return body === undefined ? undefined : articleCode(body)
}

/** Generated code has no source map. */
function plain(code: string) {
  return { code, map: { mappings: '' as const } }
}
