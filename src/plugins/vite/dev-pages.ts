import type { ErrorPayload, ViteDevServer } from 'vite'
import type { OverlayError } from './explain-failure.ts'
import { parseResolved } from './virtual-ids.ts'

export type DevPages = ReturnType<typeof createDevPages>

export function createDevPages({ ws, environments, moduleGraph }: ViteDevServer) {
  let shown: ErrorPayload | undefined
  // Vite 5 has one module graph for client and server.
  const graphs = () =>
    environments === undefined ? [moduleGraph] : Object.values(environments).map((each) => each.moduleGraph)
  const isOurs = (id: string) => parseResolved(id) !== undefined
  ws.on('connection', (socket) => {
    if (shown !== undefined) socket.send(JSON.stringify(shown))
  })
  return {
    /** Shows an error on all pages, including later ones; undefined removes it. */
    show: (error: OverlayError | undefined) => {
      shown = error && { type: 'error', err: { ...error } }
      if (shown !== undefined) ws.send(shown)
    },
    /** Invalidates the modules generated from the content, and reloads every page. */
    reload: () => {
      for (const graph of graphs())
        for (const [id, module] of graph.idToModuleMap)
          if (isOurs(id)) graph.invalidateModule(module as never)
      ws.send({ type: 'full-reload' })
      // Environments other than pages keep modules, too.
      for (const [name, { hot }] of Object.entries(environments ?? {}))
        if (name !== 'client') hot.send({ type: 'full-reload' })
    },
    /** True if a page or server code has loaded the content. */
    useContent: () => graphs().some(({ idToModuleMap }) => [...idToModuleMap.keys()].some(isOurs)),
  }
}
