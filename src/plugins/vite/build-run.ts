import type { Adapter } from '../adapter/adapter.ts'

/**
 * One build of a site, of however many bundles: client and server, environments in turn, a build within a build. What
 * comes after the last of them is decided from all of them.
 */
export interface BuildRun {
  readonly adapter: Adapter
  /** A bundle begins. One that was there before and is over begins a new build. */
  readonly begin: (bundle: string) => void
  /** Something went wrong in some bundle. */
  readonly fail: () => void
  /** An output of a bundle is begun, and written: what is not written at the end has failed. */
  readonly render: () => void
  readonly written: () => void
  /** A bundle is closed, well or not. */
  readonly close: (bundle: string, environment: string) => void
  /** Vite builds environments in turn from now on, which ends with `endApp`. */
  readonly beginApp: () => void
  /** @param ahead names of environments that are built only now, by Vite itself */
  readonly endApp: (ahead: readonly string[]) => void
  /** Whether environments are built in turn right now. */
  readonly isApp: () => boolean
  /** Whether nothing is under way any more, and all of it went well. */
  readonly isComplete: () => boolean
  /** True the first time it is asked in a build: what came of a sync is told once. */
  readonly isUntold: () => boolean
}

export function createBuildRun(adapter: Adapter): BuildRun {
  const seen = new Set<string>()
  let open: string[] = []
  let unwritten = 0
  let hasFailed = false
  let isTold = false
  // Environments that an app build has still to close; undefined while it has not said which.
  let app: { readonly ahead: Set<string> | undefined } | undefined

  function renew(): void {
    seen.clear()
    open = []
    unwritten = 0
    hasFailed = isTold = false
    adapter.renew()
  }

  return {
    adapter,
    begin: (bundle) => {
      // Open twice is the same plugin in two builds at once. What failed may never have been closed.
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
    isUntold: () => {
      const wasTold = isTold
      isTold = true
      return !wasTold
    },
  }
}
