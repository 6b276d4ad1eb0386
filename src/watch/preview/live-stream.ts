/** Streams of server-sent events, one per browser with open pages. */
export type LiveStream = ReturnType<typeof createLiveStream>

interface Listener {
  readonly send: (text: string) => void
  readonly end: () => void
}

/** Shorter than the idle timeout of most proxies. */
const HEARTBEAT_MS = 25_000

/** Number of unread messages at which a browser is disconnected. It reconnects. */
const UNREAD_LIMIT = 1000

export function createLiveStream() {
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
    tell: (update: LiveUpdate) => {
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
  // nginx and other proxies would buffer the stream.
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

function format(update: LiveUpdate): string {
  return update.kind === 'site'
    ? 'event: site\ndata: {}\n\n'
    : `event: articles\ndata: ${JSON.stringify({ urls: update.urls })}\n\n`
}

/** A change that may affect open pages. */
type LiveUpdate =
  /** URLs of the pages of articles that were added, changed or removed. */
  | { readonly kind: 'articles'; readonly urls: readonly string[] }
  /** Everything else may have changed: lists, navigation, links, the status. */
  | { readonly kind: 'site' }
