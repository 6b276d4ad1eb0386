import { type KbEnvironment, resolveTarget } from '../core/config/resolve-target.ts'
import type { Settings, TargetSettings } from '../core/config/settings.ts'
import type { WatchedTarget } from './watch-events.ts'

export interface ChosenTarget {
  readonly target: TargetSettings
  /** The remote target of the configuration, where it was left alone. */
  readonly passedOver: WatchedTarget | undefined
}

/**
 * The target of a watch: a remote one only where it was asked for by name or by KB_URL. A watch sends every save, and
 * whoever wants to look at a page while they write must not change what readers see.
 *
 * @throws KbError USAGE, TARGET_UNKNOWN, ENVIRONMENT_INVALID, CONFIG_INVALID
 */
export function chooseWatched(
  settings: Settings,
  name: string | undefined,
  environment: KbEnvironment,
): ChosenTarget {
  const isAskedFor = name !== undefined || environment.url !== undefined
  if (isAskedFor || settings.target.kind === 'builtin')
    return { target: resolveTarget(settings, name, environment), passedOver: undefined }
  return { target: resolveTarget(settings, 'builtin', environment), passedOver: toWatched(settings.target) }
}

/** Without the key, which has no place in what a program may print. */
export function toWatched(target: TargetSettings): WatchedTarget {
  const { kind, name } = target
  return { kind, name, url: target.kind === 'remote' ? target.url : undefined }
}
