import type { Delay } from '../client/send-with-retries.ts'
import type { Settings, TargetSettings } from '../config/settings.ts'
import type { Connect } from '../sync/target-session.ts'
import type { Environment } from './project.ts'

export interface ConnectionOptions {
  /** Requests at one time. */
  readonly concurrency: number
  /** Where the proxy variables are read. */
  readonly env: Environment
  readonly onDelay?: ((delay: Delay) => void) | undefined
}

/** How a session with the target is opened; its client is loaded only now. */
export async function openTarget(
  target: TargetSettings,
  settings: Settings,
  options: ConnectionOptions,
): Promise<Connect> {
  if (target.kind === 'remote') {
    const { connectRemote } = await import('../target/connect-remote.ts')
    return connectRemote(target, settings, options)
  }
  const { connectBuiltin } = await import('../target/connect-builtin.ts')
  return connectBuiltin(settings, options.concurrency)
}

/** Like `openTarget`, but nothing is loaded before a session is asked for: a run with nothing to do asks for none. */
export function openTargetLater(
  target: TargetSettings,
  settings: Settings,
  options: ConnectionOptions,
): Connect {
  return async (connection) => (await openTarget(target, settings, options))(connection)
}

/** Restraint is for other people's services; writes that reach ours together share one commit. */
export function defaultConcurrency(target: TargetSettings, { sync: { concurrency } }: Settings): number {
  return concurrency ?? (target.kind === 'builtin' ? 32 : 8)
}
