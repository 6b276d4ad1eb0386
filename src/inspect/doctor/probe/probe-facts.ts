import type { ProbeWish } from './probe-article.ts'
import type { ProbeBench } from './probe-bench.ts'
import type { ProbeContext } from './probe-context.ts'
import type { FoundProbe } from './probe-finder.ts'

export interface FirstProbe {
  readonly wish: ProbeWish
  readonly probe: FoundProbe
}

/** What the later steps of a probe build on. */
export interface ProbeFacts {
  readonly context: ProbeContext
  readonly bench: ProbeBench
  readonly extensions: readonly string[]
  readonly languages: readonly string[]
  readonly first: FirstProbe
}
