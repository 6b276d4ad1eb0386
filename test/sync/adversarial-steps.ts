// Random steps of a history on an adversarial service.
import * as fc from 'fast-check'
import { anyEdit, type Edit, plainEdit } from '../support/history-pages.ts'
import type { Mishap } from '../support/memory-service.ts'

const HANDS = [
  'edit-text',
  'edit-title',
  'edit-field',
  'edit-slug',
  'delete',
  'copy',
  'copy-aside',
  'open-draft',
  'write-foreign',
  'move-foreign',
  'other-repository',
] as const

/** An article identical to one of ours, written by hand or by an undetectable project. */
const TWIN = 'write-twin'

/** An action in the web interface. */
export interface HandStep {
  readonly kind: 'hand'
  readonly what: (typeof HANDS)[number] | typeof TWIN
  /** Selects one of the possible articles. */
  readonly pick: number
  readonly value: number
}

export interface RunStep {
  readonly kind: 'run'
  /** One of two checkouts. */
  readonly by: 0 | 1
  /** By the number of preceding requests. */
  readonly mishaps: readonly (readonly [number, Mishap])[]
  readonly isAnnoyed: boolean
  readonly verify: boolean
  /** True if enough time has passed before it for all lists to be up to date. */
  readonly isLater: boolean
  /** An action before the nth list request: between writes, and never between a last read and its write. */
  readonly visit: { readonly atList: number; readonly hand: HandStep } | undefined
}

export type Step =
  | { readonly kind: 'edit'; readonly edit: Edit }
  | HandStep
  | RunStep
  /** Both checkouts at the same time; `seed` determines their order. */
  | { readonly kind: 'race'; readonly seed: number; readonly mishaps: RunStep['mishaps'] }
  | { readonly kind: 'forget'; readonly by: 0 | 1 }

const mishap = fc.constantFrom<Mishap>(
  'cut-before',
  'cut-after',
  'failed-before',
  'failed-after',
  'killed-before',
  'killed-after',
)
const mishaps = fc.array(fc.tuple(fc.nat(16), mishap), { maxLength: 2 })
const handOf = (...whats: readonly HandStep['what'][]): fc.Arbitrary<HandStep> =>
  fc.record({
    kind: fc.constant('hand' as const),
    what: fc.constantFrom(...whats),
    pick: fc.nat(9),
    value: fc.nat(6),
  })
const hand = handOf(...HANDS)
const BESIDE_TWINS = HANDS.filter((what) => !what.startsWith('copy'))
const visit = fc.record({
  atList: fc.integer({ min: 2, max: 6 }),
  hand: hand.filter(({ what }) => what !== 'copy-aside'),
})

/** @param visits true if people act at the same time */
const runBy = (visits: boolean, ...by: (0 | 1)[]): fc.Arbitrary<Step> =>
  fc.record({
    kind: fc.constant('run' as const),
    by: fc.constantFrom(...by),
    mishaps,
    isAnnoyed: fc.boolean(),
    verify: fc.boolean(),
    isLater: fc.boolean(),
    visit: visits ? fc.option(visit, { nil: undefined }) : fc.constant(undefined),
  })
const race: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('race' as const),
  seed: fc.nat(1000),
  mishaps,
})
const forget: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('forget' as const),
  by: fc.constantFrom(0, 1),
})

export interface HistoryKinds {
  readonly hasLanguages: boolean
  /**
   * True if an article shows whose it is. If comments are removed, only the state shows that, and if slugs are changed,
   * an article that another checkout has just sent looks like a manual copy. Then there is one checkout, its state is
   * kept, and no one edits an article in the moment before its id is known.
   */
  readonly isSelfEvident: boolean
  /** True if there are identical articles without a marker. Then no one makes copies with one. */
  readonly hasTwins?: boolean
}

/** Chapters of steps; adversarial-world.ts checks the end of each. */
export function historiesOf({
  hasLanguages,
  isSelfEvident,
  hasTwins = false,
}: HistoryKinds): fc.Arbitrary<Step[][]> {
  const edit = (hasLanguages ? anyEdit : plainEdit).map((each): Step => ({ kind: 'edit', edit: each }))
  const step = fc.oneof(
    { weight: 6, arbitrary: edit },
    { weight: 3, arbitrary: hasTwins ? handOf(TWIN, ...BESIDE_TWINS) : hand },
    { weight: 2, arbitrary: runBy(isSelfEvident, 0) },
    ...(isSelfEvident
      ? [
          { weight: 1, arbitrary: runBy(true, 1) },
          { weight: 1, arbitrary: race },
          { weight: 1, arbitrary: forget },
        ]
      : []),
  )
  return fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 })
}
