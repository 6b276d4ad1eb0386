// A service, two checkouts of one repository, and everyone who changes the service.
import { expect } from 'vitest'
import { KbError } from '../../src/core/errors/kb-error.ts'
import { CONFLICT_REASONS, type OperationResult } from '../../src/core/model/plan.ts'
import type { SyncResult } from '../../src/sync/sync-options.ts'
import { drawLots } from '../support/draw-lots.ts'
import { apply, asPages, asStored, asWanted, type Page, toFiles, toHeld } from '../support/history-pages.ts'
import { createMemoryService, Killed, type MemoryService } from '../support/memory-service.ts'
import type { ServiceHabits } from '../support/strict-service.ts'
import { createSyncProject, type SyncProject } from '../support/sync-project.ts'
import { createHands, type PeoplesWork } from './adversarial-user.ts'
import type { RunStep, Step } from './adversarial-steps.ts'

const HOUR_MS = 3_600_000

/** Maximum number of undisturbed runs until a chapter ends. */
const MOST_RUNS = 4

interface World {
  readonly play: (step: Step) => Promise<void>
  /** Without further disturbances, the last run completes, and the result is correct. */
  readonly endChapter: () => Promise<void>
  /** Checks that edits are unchanged. */
  readonly checkEdits: () => void
}

export type OnConflict = 'overwrite' | 'fail'

/** Runs the chapters. Each must end with the wanted articles. @param start how a checkout syncs */
export async function live(
  chapters: readonly (readonly Step[])[],
  habits: ServiceHabits,
  start: StartCheckout = createCheckout,
): Promise<void> {
  const world = createWorld(habits, 'overwrite', start)
  for (const steps of chapters) {
    for (const step of steps) await world.play(step)
    await world.endChapter()
  }
}

/** Like `live`, but skips conflicts: edits stay unchanged. */
export async function liveCarefully(
  chapters: readonly (readonly Step[])[],
  habits: ServiceHabits,
  start: StartCheckout = createCheckout,
): Promise<void> {
  const world = createWorld(habits, 'fail', start)
  for (const step of chapters.flat()) await world.play(step)
  world.checkEdits()
}

function createWorld(habits: ServiceHabits, onConflict: OnConflict, start: StartCheckout): World {
  const service = createMemoryService(habits)
  const checkouts = [start(service, onConflict), start(service, onConflict)] as const
  // The meaning of a 200 for an unknown id can be determined only with a known one.
  if (habits.unknownIdStatus === 200) service.add({ title: 'Always there', slug: 'always-there' })
  const hands = createHands(service, habits)
  let pages: ReadonlyMap<string, Page> = new Map()
  let hasCopies = false

  function run(by: 0 | 1, options: RunManner): Promise<SyncResult | undefined> {
    return checkouts[by].run(pages, { onConflict, ...options })
  }

  function stored(): ReadonlyMap<string, Page> {
    return new Map([...pages].map(([name, page]) => [name, asStored(page, habits)]))
  }

  function isSomebodys(id: string): boolean {
    return service.articles().some((each) => each.id === id && hands.isTouched(each))
  }

  async function endChapter(): Promise<void> {
    service.calm()
    hands.comeToRest(new Set([...stored().values()].map(({ slug }) => slug)))
    let end: SyncResult | undefined
    for (let count = 0; count < MOST_RUNS; count++) {
      service.catchUp()
      end = await run(0, { isLater: true, verify: true })
      if (leftOpen(end, isSomebodys) === 'nothing') break
    }
    expect(leftOpen(end, isSomebodys)).toBe('nothing')
    expect(managed(service, hands, end)).toEqual(asWanted(stored()))
    hands.check()
    service.forget()
    const last = await run(0, { isLater: true })
    expect(leftOpen(last, isSomebodys)).toBe('nothing')
    expect(service.requests.filter((each) => !each.startsWith('GET'))).toEqual([])
  }

  /**
   * A copy that differs only in its slug is distinguished from an article to which the target gave another slug by a
   * state that knows the first one. Without state, it counts as managed once the first one is gone.
   */
  async function getToKnow(): Promise<void> {
    hasCopies = true
    const { stripsComments = false, duplicateSlugs } = habits
    await run(0, { isLater: true })
    if (!stripsComments && duplicateSlugs !== 'suffixed') await run(1, { isLater: true })
  }

  /**
   * The two lists of every run come first. If there are copies, no one deletes during a run: an article that was just
   * sent is not in the state yet, and the remaining copy would look like it, at a slug that the target chose.
   */
  function visitorOf({ visit }: RunStep): Visitor | undefined {
    if (visit === undefined || (hasCopies && visit.hand.what === 'delete')) return undefined
    let lists = 0
    return (path) => {
      const isDue = path.includes('/tools/') && ++lists === visit.atList
      if (isDue) hands.act(visit.hand)
      return isDue
    }
  }

  async function play(step: Step): Promise<void> {
    switch (step.kind) {
      case 'edit':
        pages = apply(pages, step.edit)
        return
      case 'hand':
        // If comments are removed, nothing shows whose an article is that was edited before a run knew its id.
        if (habits.stripsComments === true) await run(0, { isLater: true, verify: true })
        if (step.what === 'copy-aside' || step.what === 'write-twin') await getToKnow()
        return hands.act(step)
      case 'forget':
        return hasCopies ? undefined : checkouts[step.by].project.forgetState()
      case 'run': {
        if (step.isAnnoyed) service.annoy()
        await run(step.by, { ...step, visitor: visitorOf(step) })
        service.calm()
        break
      }
      case 'race': {
        const lots = drawLots(step.seed)
        const { mishaps } = step
        await Promise.all([run(0, { mishaps, lots }), run(1, { lots })])
      }
    }
    hands.check()
    if (onConflict === 'fail') hands.checkEdits()
  }

  return { play, endChapter, checkEdits: hands.checkEdits }
}

/** Called before each request; returns true if someone has acted then, which takes a second. */
type Visitor = (path: string) => boolean

export interface RunManner extends Partial<Pick<RunStep, 'mishaps' | 'verify' | 'isLater'>> {
  /** Determines the duration of each request. */
  readonly lots?: () => number
  readonly visitor?: Visitor | undefined
}

export interface Checkout {
  readonly project: Pick<SyncProject, 'forgetState'>
  /** Undefined if the run did not complete. */
  readonly run: (
    pages: ReadonlyMap<string, Page>,
    manner: RunManner & { readonly onConflict: OnConflict },
  ) => Promise<SyncResult | undefined>
}

export type StartCheckout = (service: MemoryService, onConflict: OnConflict) => Checkout

function createCheckout(service: MemoryService): Checkout {
  const project = createSyncProject('http://service.test', { 'content/.keep': '' })
  let written: ReadonlyMap<string, Page> = new Map()
  let nowMs = Date.parse('2026-03-01T12:00:00Z')
  const sleep = (ms: number) => {
    nowMs += ms
    return Promise.resolve()
  }

  function write(pages: ReadonlyMap<string, Page>): void {
    if (pages === written) return
    project.remove(...[...written.keys()].map((name) => `content/${name}`))
    project.write(toFiles(pages))
    written = pages
  }

  return {
    project,
    run: async (pages, { mishaps = [], verify = false, isLater = false, lots, visitor, onConflict }) => {
      write(pages)
      if (isLater) nowMs += HOUR_MS
      const pause = async (path: string) => {
        if (visitor?.(path) === true) nowMs += 1000
        if (lots !== undefined) await waitTurns(Math.floor(lots() * 4))
      }
      const send = service.connect(new Map(mishaps), pause)
      const client = { send, sleep, now: () => nowMs, random: () => 0.5 }
      const options = { prune: true, yes: true, verify, onConflict, now: () => new Date(nowMs), sleep }
      try {
        return await project.sync({ ...options, client })
      } catch (error) {
        if (error instanceof KbError) return undefined
        if (!(error instanceof Killed)) throw error
        // Other requests in progress are killed, too.
        await waitTurns(3)
        return undefined
      }
    },
  }
}

async function waitTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const isLeftAlone = ({ reason = '' }: OperationResult) =>
  reason === CONFLICT_REASONS.duplicate || reason.endsWith(', not changed')

/** Returns what a run left undone, except for articles that someone has made or edited. */
function leftOpen(result: SyncResult | undefined, isSomebodys: (id: string) => boolean): unknown {
  if (result === undefined) return 'it threw'
  const { operations, failure, guard, diagnostics, orphans } = result
  const open = operations.filter(
    (each) => each.outcome !== 'done' && !(isLeftAlone(each) && isSomebodys(each.id ?? '')),
  )
  const left = [...open, ...diagnostics, ...orphans, failure, guard].filter((each) => each !== undefined)
  return left.length === 0 ? 'nothing' : left
}

function managed(
  service: MemoryService,
  { isForeign, isTouched }: PeoplesWork,
  end: SyncResult | undefined,
): object[] {
  const leftAlone = new Set(end?.operations.filter(isLeftAlone).map(({ id }) => id))
  const ours = service.articles().filter((each) => {
    return !isForeign(each) && !(leftAlone.has(each.id) && isTouched(each))
  })
  return asPages(ours.map(toHeld))
}
