import type { Plugin } from 'vite'
import type { ContentSource, SharedSource } from './content-source.ts'
import { articleCode, indexCode } from './virtual-code.ts'
import { parseResolved, resolveName } from './virtual-ids.ts'

/** Gives a site the articles as `virtual:kb`, on the server as in the browser. */
export function virtualPlugin(shared: SharedSource): Plugin {
  return {
    name: 'kb-sync:virtual',
    // Before anything that takes the name for that of a package.
    enforce: 'pre',
    resolveId: (name) => resolveName(name),
    async load(resolved) {
      const wanted = parseResolved(resolved)
      if (wanted === undefined || shared.current === undefined) return undefined
      if (wanted.kind === 'index') return plain(indexCode((await shared.current.read()).view))
      const code = await bodyCode(shared.current, wanted.id)
      return code === undefined ? this.error(`There is no article "${wanted.id}".`) : plain(code)
    },
  }
}

async function bodyCode({ read, readBody }: ContentSource, id: string): Promise<string | undefined> {
  await read()
  const body = readBody(id)
  return body === undefined ? undefined : articleCode(body)
}

/** There is no source that a map could lead to. */
function plain(code: string) {
  return { code, map: { mappings: '' as const } }
}
