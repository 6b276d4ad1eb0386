// A watch is killed at any request, whatever was written before: the next `kb sync` ends with exactly the wanted
// articles, and the one after it sends nothing. Each service, and each save, gets a different share of the moments;
// with RUNS=10, all of them.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AFTER, BEFORE, DROPPED, LATER, WANTED, WANTED_LATER } from '../../support/changes.ts'
import { createLiveCheckout, type LiveCheckout } from '../../support/live-checkout.ts'
import { createMemoryService, type MemoryService, type Mishap } from '../../support/memory-service.ts'
import { heldBy, writesTo } from '../../support/memory-project.ts'
import { article } from '../../support/project.ts'
import { readRuns, shareOf } from '../../support/runs.ts'
import type { ServiceHabits } from '../../support/strict-service.ts'

const HABITS: readonly (readonly [string, ServiceHabits])[] = [
  ['updates in place', { duplicateSlugs: 'refused-409', extensions: ['update'] }],
  ['updates in place and strips comments', { extensions: ['update'], stripsComments: true }],
  ['updates in place and rewrites HTML', { extensions: ['update'], rewritesHtml: true }],
  ['updates in place and lists late', { extensions: ['update'], listLag: 1 }],
  ['replaces', { duplicateSlugs: 'refused-409' }],
  ['replaces and strips comments', { stripsComments: true }],
]

const KILLS = readRuns('MOMENTS', 2)
const KILLS_WATCHED_ON = readRuns('MOMENTS', 1)

const ALL = { prune: true, yes: true }

const edit = (name: string, body: string) => ({
  [`content/${name.toLowerCase()}.md`]: article(name, { body }),
})

/** Each is saved separately. The last one is the end. */
const STEPS: readonly ((checkout: LiveCheckout) => void)[] = [
  (checkout) => checkout.write(edit('Edited', 'One text.')),
  (checkout) => checkout.write({ ...edit('Edited', 'Two texts.'), ...edit('Kept', 'Two texts.') }),
  (checkout) => {
    checkout.write({ ...AFTER, ...edit('Kept', 'Text of Kept.') })
    checkout.remove(DROPPED)
  },
  (checkout) => checkout.write(LATER),
]

const WANTED_AFTER: readonly (readonly string[])[] = [
  wanted({ Edited: 'One text.' }),
  wanted({ Edited: 'Two texts.', Kept: 'Two texts.' }),
  WANTED,
  WANTED_LATER,
]

function wanted(words: Readonly<Record<string, string>>): string[] {
  return ['Dropped', 'Edited', 'Kept', 'Left', 'Renamed', 'Right'].map((title) => {
    const slug = title === 'Renamed' ? 'old-name' : title.toLowerCase()
    return `${slug}: ${title}: ${words[title] ?? `Text of ${title}.`}`
  })
}

interface Started {
  readonly service: MemoryService
  readonly checkout: LiveCheckout
}

/** Saves everything before the given step. @param flushes true if it was quiet in between */
async function startAt(habits: ServiceHabits, step: number, flushes: boolean): Promise<Started> {
  const service = createMemoryService(habits)
  const checkout = createLiveCheckout(service, BEFORE, { yes: true })
  await checkout.save({ prune: true })
  await checkout.flush()
  for (const change of STEPS.slice(0, step)) {
    service.catchUp()
    checkout.wait()
    change(checkout)
    await checkout.save({ prune: true })
    if (flushes) await checkout.flush()
  }
  service.catchUp()
  checkout.wait()
  STEPS[step]?.(checkout)
  service.forget()
  return { service, checkout }
}

async function countRequests(habits: ServiceHabits, step: number): Promise<number> {
  const { service, checkout } = await startAt(habits, step, false)
  await checkout.save({ prune: true })
  expect(service.requests.length).toBeGreaterThan(1)
  return service.requests.length
}

/** The start and the result of the next command. */
async function runCold({ service, checkout }: Started) {
  service.catchUp()
  checkout.wait()
  const next = await checkout.sync(ALL)
  const held = heldBy(service)
  const open = next.operations.filter(({ outcome }) => outcome !== 'done')
  service.catchUp()
  checkout.wait()
  service.forget()
  await checkout.sync(ALL)
  return { held, open, failure: next.failure?.code, writes: writesTo(service) }
}

/** Full runs are killed at every request elsewhere, so a few of them are enough here. */
function* killsOf(length: number, step: number): Generator<readonly [number, Mishap]> {
  const stride = length <= 8 ? 1 : 5 + step
  for (let request = 0; request < length; request += stride) {
    if (stride === 1 || request % 2 === 0) yield [request, 'killed-before']
    if (stride === 1 || request % 2 === 1) yield [request, 'killed-after']
  }
}

const CLEAN = { open: [], failure: undefined, writes: [] }

const NUMBERED = HABITS.map(([name, habits], turn) => [name, habits, turn] as const)

test.each(NUMBERED)('killed while it sends on a service that %s', async (_, habits, turn) => {
  for (const step of STEPS.keys()) {
    const length = await countRequests(habits, step)
    for (const kill of shareOf([...killsOf(length, step)], KILLS, turn + step)) {
      const started = await startAt(habits, step, kill[0] % 2 === 0)
      expect(await started.checkout.survive({ mishaps: [kill], prune: true })).toBeUndefined()
      const end = await runCold(started)
      expect({ step, kill, ...end }).toEqual({ step, kill, held: WANTED_AFTER[step], ...CLEAN })
    }
  }
})

test.each(NUMBERED)(
  'killed while it sends, and watched again, on a service that %s',
  async (_, habits, turn) => {
    const last = STEPS.length - 1
    for (const step of STEPS.keys()) {
      const length = await countRequests(habits, step)
      const kills = [...killsOf(length, step)].slice(step % 2).filter((_each, index) => index % 2 === 0)
      for (const kill of shareOf(kills, KILLS_WATCHED_ON, turn + step)) {
        const started = await startAt(habits, step, false)
        const { service, checkout } = started
        await checkout.survive({ mishaps: [kill], prune: true })
        for (const change of STEPS.slice(step + 1)) {
          service.catchUp()
          checkout.wait()
          change(checkout)
          await checkout.save({ prune: true })
        }
        const end = await runCold(started)
        expect({ step, kill, ...end }).toEqual({ step, kill, held: WANTED_AFTER[last], ...CLEAN })
      }
    }
  },
)

test.each(HABITS)('killed between state and journal on a service that %s', async (_, habits) => {
  for (const step of STEPS.keys()) {
    const started = await startAt(habits, step, false)
    const { checkout } = started
    await checkout.save({ prune: true })
    const journals = readdirSync(checkout.path('.kb/journal')).map((name) => `.kb/journal/${name}`)
    expect(journals).toHaveLength(1)
    const noted = Object.fromEntries(
      journals.map((name) => [name, readFileSync(checkout.path(name), 'utf8')]),
    )
    await checkout.flush()
    expect(readdirSync(checkout.path('.kb/journal'))).toEqual([])
    checkout.kill()
    checkout.write(noted)
    expect({ step, ...(await runCold(started)) }).toEqual({ step, held: WANTED_AFTER[step], ...CLEAN })
  }
})
