// A service, two checkouts of one repository, and everybody who has their hands on the service.
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

/** How many runs a chapter may take to end, once nobody disturbs them any more. */
const MOST_RUNS = 4

interface World {
  readonly play: (step: Step) => Promise<void>
  /** Nobody disturbs any more: the last run completes, and all is as it should be. */
  readonly endChapter: () => Promise<void>
  /** What somebody has edited is as they left it. */
  readonly checkEdits: () => void
}

export type OnConflict = 'overwrite' | 'fail'

/** Lives through the chapters; each is to end in the wanted articles. @param start how a checkout syncs */
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

/** As `live`, with conflicts left alone: what somebody has edited stays as it is. */
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
  // What a service means by 200 for an unknown id can only be told where there is a known one.
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
   * A copy that differs in nothing but its slug is told from an article to which the target gave another slug by a state
   * that knows the first one; without state, it is taken for ours once the first one is gone.
   */
  async function getToKnow(): Promise<void> {
    hasCopies = true
    const { stripsComments = false, duplicateSlugs } = habits
    await run(0, { isLater: true })
    if (!stripsComments && duplicateSlugs !== 'suffixed') await run(1, { isLater: true })
  }

  /**
   * The two lists that every run asks for come first. Where there are copies, nobody deletes in the middle of a run: what
   * it has just sent is in no state yet, and the copy that is left would look like that, under a slug that the target chose.
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
        // Where comments are stripped, nothing tells whose an article is that was edited before any run has named it.
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

/** Told of each request before it is sent; whether somebody has done something then, which takes a second. */
type Visitor = (path: string) => boolean

export interface RunManner extends Partial<Pick<RunStep, 'mishaps' | 'verify' | 'isLater'>> {
  /** Draws how long each request is on its way. */
  readonly lots?: () => number
  readonly visitor?: Visitor | undefined
}

export interface Checkout {
  readonly project: Pick<SyncProject, 'forgetState'>
  /** Undefined where the run did not come to its end. */
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
        // What was under way beside the request that was killed runs into the kill, too.
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
  reason === CONFLICT_REASONS.double || reason.endsWith(', not changed')

/** What a run left undone; that an article is left alone which somebody has made or edited is for good. */
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
