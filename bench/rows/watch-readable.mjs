import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../measure/statistics.mjs'

/** Between two saves. Every tenth comes after a pause in which a watch looks at all files, as ours does when it is quiet. */
const PAUSE_MS = 200
const LONG_PAUSE_MS = 1300

/** From a saved file to the new article as a reader of the server gets it; ours and the floor's in turn. */
export async function measureReadable(title, { ours, floor }, articles) {
  const samples = { ours: [], floor: [] }
  for (const [index, article] of [articles[0], ...articles].entries()) {
    const pause = index % 10 === 9 ? LONG_PAUSE_MS : PAUSE_MS
    for (const [name, side] of Object.entries({ ours, floor })) {
      await sleep(pause)
      const ms = await saveAndWait(side, article, index)
      // The first save warms everything up.
      if (index > 0) samples[name].push(ms)
    }
  }
  const name = 'chokidar and one POST'
  return [
    {
      title: `${title}: saved to readable`,
      unit: 'ms',
      ours: samples.ours,
      beside: [{ name, samples: samples.floor, goal: '<= 3x' }],
    },
    {
      title: `${title}: readable, 95th`,
      unit: 'ms',
      goal: '<= 100 ms',
      ours: [percentile(samples.ours, 95)],
      beside: [{ name, samples: [percentile(samples.floor, 95)] }],
    },
  ]
}

async function saveAndWait({ content, untilReadable }, { source, id }, index) {
  const word = `save${index}of${Date.now()}`
  const started = performance.now()
  appendFileSync(join(content, source), `\nEdited: ${word}.\n`)
  await untilReadable(id, word)
  return performance.now() - started
}
