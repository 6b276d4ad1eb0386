import type { Settings } from '../core/config/settings.ts'
import type { Preview } from '../watch/preview/start-preview.ts'
import type { WatchOptions } from './run-options.ts'
import type { KbWatchEvent } from './watch-events.ts'

/**
 * Serves the pages of a watch, where they are wanted. A port that nobody asked for gives way to another where it is taken.
 *
 * @throws KbError PORT_UNAVAILABLE
 */
export async function openPreview(
  { pages = true, host, port }: WatchOptions,
  settings: Settings,
  tell: (event: KbWatchEvent) => void,
): Promise<Preview | undefined> {
  if (!pages) return undefined
  const { startPreview } = await import('../watch/preview/start-preview.ts')
  return startPreview({
    settings,
    host: host ?? settings.server.host,
    port: port ?? settings.server.port,
    isPortRequired: port !== undefined,
    now: () => new Date(),
    onFailure: (error) => tell({ kind: 'page-failed', error }),
  })
}
