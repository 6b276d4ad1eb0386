import type { ContentFailure } from '../adapter/content-failure.ts'
import type { DevServer } from './astro-types.ts'
import { contentError, toAstroError } from './content-error.ts'

/** What is wrong: with the content, or with what keeps it from being read. */
export type Problem =
  | { readonly kind: 'content'; readonly failure: ContentFailure }
  | { readonly kind: 'world'; readonly error: unknown }

/** Shows problems in the pages of a dev server, in Astro's own overlay. */
export interface ProblemOverlay {
  readonly attach: (server: DevServer) => void
  /** Undefined: all is well again, and the pages are loaded anew. */
  readonly show: (problem: Problem | undefined) => Promise<void>
}

export function createProblemOverlay(): ProblemOverlay {
  const servers = new Set<DevServer>()
  let shown: Problem | undefined

  async function send(server: DevServer): Promise<void> {
    if (shown === undefined) return
    // A fresh one each time: Astro writes into what it is given.
    const err =
      shown.kind === 'content' ? await contentError(shown.failure, 'page') : await toAstroError(shown.error)
    server.hot.send({ type: 'error', err })
  }

  return {
    attach: (server) => {
      // A page that is loaded while there is a problem has missed what was sent before.
      server.ws.on('connection', () => void send(server))
      servers.add(server)
    },
    show: async (problem) => {
      const wasShown = shown !== undefined
      shown = problem
      for (const server of servers) {
        // oxlint-disable-next-line no-await-in-loop -- there is one, but for a moment while Astro restarts
        if (problem !== undefined) await send(server)
        else if (wasShown) server.hot.send({ type: 'full-reload', path: '*' })
      }
    },
  }
}
