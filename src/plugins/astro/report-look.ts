import type { Adapter } from '../adapter/adapter.ts'
import { formatPlainly } from '../adapter/content-failure.ts'
import type { AstroLogger } from './astro-types.ts'
import { toAstroError } from './content-error.ts'
import type { Look } from './live-feed.ts'
import type { ProblemOverlay } from './problem-overlay.ts'

/** Tells what is wrong with the files while they are written: in the pages, and once in the terminal. */
export function createLookReporter(
  adapter: Pick<Adapter, 'root' | 'failureOf'>,
  overlay: Pick<ProblemOverlay, 'show'>,
  logger: AstroLogger,
): (look: Look) => Promise<void> {
  let told = ''

  function tell(text: string, isError: boolean): void {
    if (text === told) return
    if (text === '') logger.info('all problems are fixed')
    else if (isError) logger.error(text)
    else logger.warn(text)
    told = text
  }

  return async (look) => {
    if (look.kind === 'failed') {
      const { message, hint } = await toAstroError(look.error)
      tell(hint === undefined ? message : `${message}\n${hint}`, true)
      return overlay.show({ kind: 'world', error: look.error })
    }
    const { diagnostics } = look.reading.view
    const failure = adapter.failureOf(look.reading)
    tell(formatPlainly(diagnostics, await adapter.root()), failure !== undefined)
    return overlay.show(failure === undefined ? undefined : { kind: 'content', failure })
  }
}
