import { createClient } from '../../api/client/create-client.ts'
import type { Delay } from '../../api/client/send-with-retries.ts'
import type { RemoteTargetSettings, Settings } from '../../core/config/settings.ts'
import type { Connect } from '../../sync/target-session.ts'

export interface ConnectionOptions {
  /** Maximum number of concurrent requests. */
  readonly concurrency: number
  /** The environment with the proxy variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly onDelay?: ((delay: Delay) => void) | undefined
}

/** Connects to a running service. The first request is sent when one is needed. */
export function connectRemote(
  target: RemoteTargetSettings,
  settings: Settings,
  { concurrency, env, onDelay }: ConnectionOptions,
): Connect {
  return ({ signal }) => {
    const { timeoutMs, retries } = settings.sync
    const client = createClient({
      url: target.url,
      apiKey: target.apiKey,
      timeoutMs,
      retries,
      concurrency,
      proxy: env,
      onDelay,
      ...(signal && { signal }),
    })
    return Promise.resolve({
      name: target.name,
      client,
      createTaxonomy: undefined,
      close: async () => {
        await client.close()
        return { ownRevisions: 0 }
      },
    })
  }
}
