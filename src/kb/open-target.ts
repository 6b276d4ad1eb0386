import type { Delay } from '../api/client/send-with-retries.ts'
import type { Settings, TargetSettings } from '../core/config/settings.ts'
import type { Connect } from '../sync/target-session.ts'
import type { PreparedThread } from './target/server-thread.ts'
import type { Environment } from './project.ts'

interface ConnectionOptions {
  /** Requests at one time. */
  readonly concurrency: number
  /** Where the proxy variables are read. */
  readonly env: Environment
  readonly onDelay?: ((delay: Delay) => void) | undefined
}

/** How a session with the target is opened. Nothing is loaded before: a run with nothing to do opens none. */
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
    // Every session has a thread of its own.
    thread = undefined
    return connectBuiltin(settings, concurrency, prepared)(connection)
  }
  const prepare = () => {
    void prepareThread()
    return async () => (await thread)?.discard()
  }
  return Object.assign(connect, { prepare })
}

/** Restraint is for other people's services; writes that reach ours together share one commit. */
export function defaultConcurrency(target: TargetSettings, { sync: { concurrency } }: Settings): number {
  return concurrency ?? (target.kind === 'builtin' ? 32 : 8)
}
