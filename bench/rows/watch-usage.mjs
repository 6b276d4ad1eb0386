import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const IDLE_MS = 10_000

/** Quiet for so long, a watch has done all that it does afterwards. */
const SETTLED_MS = 3000

/** Saved at one time, as by an author who saves all files. */
const BATCH = 5

export async function measureIdle(title, watch) {
  await sleep(SETTLED_MS)
  const { after } = await watch.usage()
  await sleep(IDLE_MS)
  const { before } = await watch.usage()
  return {
    title: `${title}: CPU in 10 s idle`,
    unit: 'ms',
    goal: '<= 50 ms',
    ours: [before - after],
    beside: [],
  }
}

/** Memory after the first and after the second of `counts` edits. */
export async function measureLongRun(watch, content, articles, [few, many]) {
  let count = 0
  const editUntil = async (end) => {
    for (; count < end; count += BATCH) await saveBatch(watch, content, articles, count)
    await sleep(SETTLED_MS)
    return watch.usage()
  }
  const early = await editUntil(few)
  const late = await editUntil(many)
  const row = (what, of) => ({
    title: `watch: ${what} after ${many.toLocaleString('en-US')} edits`,
    unit: 'MiB',
    ours: [of(late)],
    beside: [{ name: `after ${few.toLocaleString('en-US')}`, samples: [of(early)], goal: '<= 1.1x' }],
  })
  return [row('heap', ({ heapMiB }) => heapMiB), row('memory', ({ rssMiB }) => rssMiB)]
}

async function saveBatch(watch, content, articles, count) {
  const batch = Array.from(
    { length: BATCH },
    (_, index) => articles[(count + index) % articles.length].source,
  )
  const waiting = new Set(batch)
  const sent = watch.next(({ event, operations }) => {
    if (event === 'sent') for (const { source } of operations) waiting.delete(source)
    return waiting.size === 0
  })
  for (const source of batch) appendFileSync(join(content, source), `\nEdit ${count}.\n`)
  await sent
}
