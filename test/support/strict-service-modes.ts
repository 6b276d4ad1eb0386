import { drawLots } from './draw-lots.ts'
import type { Moods } from './strict-service-quirks.ts'
import { type Reply, refuse } from './strict-service-reply.ts'

export interface Temper {
  /** Answers by `act`, or as the mood of the moment wants it. */
  readonly answer: (path: string, act: () => Reply) => Reply
  readonly annoy: () => void
  readonly calm: () => void
}

const LONGEST_BOUT = 3

/** At first it is calm. */
export function createTemper(moods: Moods = { seed: 0 }): Temper {
  const lots = drawLots(moods.seed)
  let isAnnoyed = false
  let brokenFor = 0
  let emptyFor = 0
  const falls = (every: number | undefined) => every !== undefined && lots() < 1 / every
  const bout = () => 1 + Math.floor(lots() * LONGEST_BOUT)

  function answerAnnoyed(path: string, act: () => Reply): Reply {
    const isList = /\/(categories|tools\/\w+)$/.test(path)
    if (falls(moods.busy)) return busy(lots() < 0.5 ? 429 : 503)
    if (falls(moods.sullen)) return refuse(200, 'Not now')
    if (falls(moods.redirects))
      return { status: 302, body: '<h1>Log in</h1>', headers: { location: '/login' } }
    if (falls(moods.slow)) return { ...act(), isLate: true }
    if (falls(moods.broken)) brokenFor = bout()
    if (brokenFor > 0) {
      brokenFor--
      if (lots() < 0.5) act()
      return refuse(500, 'Out of order')
    }
    if (falls(moods.forgetful)) emptyFor = bout()
    if (!isList || emptyFor === 0) return act()
    emptyFor--
    const { body, ...reply } = act()
    return { ...reply, body: { ...(body as object), data: [] } }
  }

  return {
    answer: (path, act) => (isAnnoyed ? answerAnnoyed(path, act) : act()),
    annoy: () => {
      isAnnoyed = true
    },
    calm: () => {
      isAnnoyed = false
      brokenFor = 0
      emptyFor = 0
    },
  }
}

function busy(status: 429 | 503): Reply {
  return { ...refuse(status, 'Too many requests'), headers: { 'retry-after': '2' } }
}
