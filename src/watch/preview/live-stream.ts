/** Streams of server-sent events, one for each browser that has pages open. */
export interface LiveStream {
  readonly open: () => Response
  readonly tell: (update: LiveUpdate) => void
  readonly close: () => void
}

interface Listener {
  readonly send: (text: string) => void
  readonly end: () => void
}

/** More than proxies like to wait for a word, less than they do at least. */
const HEARTBEAT_MS = 25_000

/** A browser that takes in nothing is not waited for; it comes again. */
const UNREAD_LIMIT = 1000

export function createLiveStream(): LiveStream {
  const listeners = new Set<Listener>()
  let heartbeat: NodeJS.Timeout | undefined
  const tellAll = (text: string) => {
    for (const { send } of listeners) send(text)
  }
  function leave(listener: Listener): void {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(heartbeat)
    if (listeners.size === 0) heartbeat = undefined
  }
  function enter(listener: Listener): void {
    listeners.add(listener)
    heartbeat ??= setInterval(() => tellAll(': still here\n\n'), HEARTBEAT_MS).unref()
  }
  return {
    open: () => {
      let listener: Listener
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          const encoder = new TextEncoder()
          const end = () => {
            leave(listener)
            controller.close()
          }
          const send = (text: string) => {
            if ((controller.desiredSize ?? 0) < -UNREAD_LIMIT) end()
            else controller.enqueue(encoder.encode(text))
          }
          listener = { send, end }
          enter(listener)
          send('retry: 500\n\n')
        },
        cancel: () => leave(listener),
      })
      return new Response(body, { headers: HEADERS })
    },
    tell: (update) => {
      if (listeners.size > 0) tellAll(format(update))
    },
    close: () => {
      for (const { end } of listeners) end()
    },
  }
}

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // nginx, among others, would gather what it passes on.
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

function format(update: LiveUpdate): string {
  return update.kind === 'site'
    ? 'event: site\ndata: {}\n\n'
    : `event: articles\ndata: ${JSON.stringify({ urls: update.urls })}\n\n`
}

/** Something that a page which is open may have to follow. */
type LiveUpdate =
  /** Articles that are other than before, new or gone, by the address of their page. */
  | { readonly kind: 'articles'; readonly urls: readonly string[] }
  /** Everything else may be other than before: lists, navigation, links, the status. */
  | { readonly kind: 'site' }
