import type { Adapter } from '../adapter/adapter.ts'

/**
 * One build of a site with any number of bundles: client and server, environments in turn, a build within a build.
 * Decides what follows the last one.
 */
export interface BuildRun {
  readonly adapter: Adapter
  /** Starts a bundle. If it already ran and is closed, starts a new build. */
  readonly begin: (bundle: string) => void
  readonly fail: () => void
  /**
   * Called when an output of a bundle starts and when it is written. An output that is not written at the end has
   * failed.
   */
  readonly render: () => void
  readonly written: () => void
  /** Closes a bundle, even a failed one. */
  readonly close: (bundle: string, environment: string) => void
  /** Environments are built in turn until `endApp`. */
  readonly beginApp: () => void
  /** @param ahead names of environments that Vite itself builds afterwards */
  readonly endApp: (ahead: readonly string[]) => void
  /** True while environments are built in turn. */
  readonly isApp: () => boolean
  /** True if all bundles are closed and successful. */
  readonly isComplete: () => boolean
  /** True for its first call in a build, so that the result of a sync is reported once. */
  readonly isFirstReport: () => boolean
}

export function createBuildRun(adapter: Adapter): BuildRun {
  const seen = new Set<string>()
  let open: string[] = []
  let unwritten = 0
  let hasFailed = false
  let isReported = false
  // Environments that an app build has yet to close; undefined until they are known.
  let app: { readonly ahead: Set<string> | undefined } | undefined

  function renew(): void {
    seen.clear()
    open = []
    unwritten = 0
    hasFailed = isReported = false
    adapter.renew()
  }

  return {
    adapter,
    begin: (bundle) => {
      // If a bundle opens twice, the same plugin is in two concurrent builds. A failed one may never have been closed.
      if (seen.has(bundle) && (hasFailed || !open.includes(bundle))) renew()
      seen.add(bundle)
      open.push(bundle)
    },
    fail: () => {
      hasFailed = true
      adapter.fail()
    },
    render: () => void unwritten++,
    written: () => void unwritten--,
    close: (bundle, environment) => {
      open = open.toSpliced(open.indexOf(bundle), open.includes(bundle) ? 1 : 0)
      app?.ahead?.delete(environment)
      if (app?.ahead?.size === 0) app = undefined
    },
    beginApp: () => {
      app = { ahead: undefined }
    },
    endApp: (ahead) => {
      app = ahead.length === 0 ? undefined : { ahead: new Set(ahead) }
    },
    isApp: () => app !== undefined,
    isComplete: () => open.length === 0 && unwritten === 0 && !hasFailed && app === undefined,
    isFirstReport: () => {
      const wasReported = isReported
      isReported = true
      return !wasReported
    },
  }
}
