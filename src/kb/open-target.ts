import type { Settings, TargetSettings } from '../core/config/settings.ts'
import type { Connect } from '../sync/target-session.ts'
import type { PreparedThread } from './target/server-thread.ts'
import type { ConnectionOptions } from './target/connect-remote.ts'

/** Returns a function that connects to the target. Loads nothing before: a run with nothing to do does not connect. */
export function openTarget(target: TargetSettings, settings: Settings, options: ConnectionOptions): Connect {
  return target.kind === 'remote'
    ? async (connection) => {
        const { connectRemote } = await import('./target/connect-remote.ts')
        return connectRemote(target, settings, options)(connection)
      }
    : openBuiltin(settings, options)
}

function openBuiltin(settings: Settings, { concurrency }: ConnectionOptions): Connect {
  let thread: Promise<PreparedThread> | undefined
  const prepareThread = () =>
    (thread ??= import('./target/server-thread.ts').then(({ prepareServerThread }) => prepareServerThread()))
  const connect: Connect = async (connection) => {
    const [prepared, { connectBuiltin }] = await Promise.all([
      prepareThread(),
      import('./target/connect-builtin.ts'),
    ])
    // Every session has its own thread.
    thread = undefined
    return connectBuiltin(settings, concurrency, prepared)(connection)
  }
  const prepare = () => {
    // Connecting reports a failure.
    prepareThread().catch(() => undefined)
    return async () => (await thread?.catch(() => undefined))?.discard()
  }
  return Object.assign(connect, { prepare })
}

/** Remote services get fewer requests. Writes that reach the built-in server together share one commit. */
export function defaultConcurrency(target: TargetSettings, { sync: { concurrency } }: Settings): number {
  return concurrency ?? (target.kind === 'builtin' ? 32 : 8)
}
