import { resolve } from 'node:path'
import type { Diagnostic } from '../../index.ts'
import type { Adapter, AdapterHost, ContentReading } from '../adapter/adapter.ts'
import { formatPlainly } from '../adapter/content-failure.ts'
import type { DevPages } from './dev-pages.ts'
import { explainThrown, type OverlayError, thrownOverlay, toOverlayError } from './explain-failure.ts'

interface DevReporterOptions {
  readonly failureOf: Adapter['failureOf']
  readonly pages: DevPages
  readonly host: Pick<AdapterHost, 'info' | 'warn'> & { readonly error: (text: string) => void }
  /** True if pages reload with the content even if they do not load `virtual:kb`. */
  readonly alwaysReloads: boolean
}

/** Reports the result of each check to terminal and pages, without repeating what is known. */
export type DevReporter = ReturnType<typeof createDevReporter>

export function createDevReporter({ failureOf, pages, host, alwaysReloads }: DevReporterOptions) {
  let shown: string | undefined
  let shownWarnings: ReadonlySet<string> = new Set()
  let isFirst = true

  function reportWarnings(reading: ContentReading, root: string): void {
    const isFatal = failureOf(reading) !== undefined
    const all = reading.view.diagnostics.filter(({ severity }) => severity === 'warning' || !isFatal)
    const fresh = all.filter((each) => !shownWarnings.has(identify(each)))
    shownWarnings = new Set(all.map(identify))
    if (fresh.length > 0) host.warn(formatPlainly(fresh, root))
  }

  function reportProblem(
    problem: { readonly text: string; readonly overlay: OverlayError } | undefined,
    isNews: boolean,
  ): void {
    const isOther = problem?.text !== shown
    if (isOther && problem !== undefined) host.error(problem.text)
    if (isOther && problem === undefined) host.info('all problems in the content are fixed')
    shown = problem?.text
    // A closed overlay stays closed until there is a new problem.
    if (isOther || isNews) pages.show(problem?.overlay)
  }

  return {
    report: (
      reading: ContentReading,
      { root, content }: { readonly root: string; readonly content: string },
    ) => {
      const failure = failureOf(reading)
      const hadProblem = shown !== undefined
      const broken = new Set(failure?.diagnostics.map(({ file }) => resolve(root, file)))
      const isOther = reading.touched.some((source) => !broken.has(resolve(content, source)))
      reportWarnings(reading, root)
      reportProblem(
        failure && { text: `${failure.title}\n${failure.report}`, overlay: toOverlayError(failure, root) },
        reading.touched.length > 0,
      )
      const isFixed = hadProblem && failure === undefined
      const isSeen = isOther && (alwaysReloads || pages.useContent())
      if (!isFirst && (isFixed || isSeen)) pages.reload()
      isFirst = false
    },
    /** Called if the files could not be checked. */
    reportFailure: (error: unknown) => {
      reportProblem({ text: explainThrown(error), overlay: thrownOverlay(error) }, true)
    },
  }
}

function identify({ file, line, column, code, message }: Diagnostic): string {
  return JSON.stringify([file, line, column, code, message])
}
