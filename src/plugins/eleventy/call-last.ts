import type { EleventyEvents, Listener } from './eleventy-config.ts'

/** Marks listeners that wait for all others, so that no two of them wait for each other. */
const IS_LAST = Symbol('kb-sync: called last')

/**
 * Has a listener called when all others of its event are through, and not at all where one of them has failed. Eleventy
 * starts them all at once unless its user wants otherwise, and a step that fails after the pages are written fails the
 * build as well.
 *
 * @returns takes in the listeners that there are by now: to be called before every build
 */
export function callLast(events: EleventyEvents, name: string, last: Listener): () => void {
  const followed = new WeakSet<Listener>()
  let underWay: unknown[] = []

  const final: Listener = async (...args) => {
    const others = underWay
    underWay = []
    await Promise.all(others)
    await last(...args)
  }
  const follow = (listener: Listener): Listener => {
    const following = function (this: unknown, ...args: never[]): unknown {
      const result: unknown = Reflect.apply(listener, this, args)
      underWay.push(result)
      return result
    }
    followed.add(following)
    return following
  }

  return () => {
    underWay = []
    events.off(name, final)
    for (const listener of events.listeners(name).filter(isListener)) {
      if (IS_LAST in listener) continue
      // Taken away and put back, each keeps its place among the others.
      events.off(name, listener)
      events.on(name, followed.has(listener) ? listener : follow(listener))
    }
    events.on(name, Object.assign(final, { [IS_LAST]: true }))
  }
}

function isListener(value: unknown): value is Listener {
  return typeof value === 'function'
}
