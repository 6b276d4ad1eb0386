// What can happen in a history on an unkind service, drawn by lot.
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

/** An article that says what one of ours says, by hand or by a project that nothing tells of. */
const TWIN = 'write-twin'

/** Something that somebody does in the web interface. */
export interface HandStep {
  readonly kind: 'hand'
  readonly what: (typeof HANDS)[number] | typeof TWIN
  /** Which of the articles that it can be done to. */
  readonly pick: number
  readonly value: number
}

export interface RunStep {
  readonly kind: 'run'
  /** Which of two checkouts. */
  readonly by: 0 | 1
  /** By how many requests come before. */
  readonly mishaps: readonly (readonly [number, Mishap])[]
  readonly isAnnoyed: boolean
  readonly verify: boolean
  /** Whether so much time has passed before it that all lists should have caught up. */
  readonly isLater: boolean
  /** What somebody does before the nth list is asked for: between writes, and never between a last look and a write. */
  readonly visit: { readonly atList: number; readonly hand: HandStep } | undefined
}

export type Step =
  | { readonly kind: 'edit'; readonly edit: Edit }
  | HandStep
  | RunStep
  /** Both checkouts at one time; `seed` draws who comes first. */
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

/** @param visits whether anybody acts meanwhile */
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
   * Whether an article tells whose it is: where comments are stripped, only state does, and where slugs are changed, an
   * article that another checkout has just sent looks like a copy made by hand. Then there is one checkout, its state is
   * kept, and nobody edits an article in the moment before it is named.
   */
  readonly isSelfEvident: boolean
  /** Whether there are articles without marker that say what ours say; then nobody makes copies with one. */
  readonly hasTwins?: boolean
}

/** Chapters of steps; adversarial-world.ts knows what each has to end in. */
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
