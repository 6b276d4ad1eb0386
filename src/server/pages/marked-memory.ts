import type { Store } from '../store/store.ts'

/** Keeps what was worked out for as long as nothing is changed, by whichever process. */
export function createMarkedMemory(store: Pick<Store, 'changeMark' | 'revision'>) {
  let kept = new Map<string, Promise<unknown>>()
  let heldMark: number | undefined
  let heldRevision: number | undefined

  async function attune(): Promise<void> {
    const mark = store.changeMark()
    if (mark === heldMark) return
    const revision = await store.revision()
    // Results of link checks leave a mark, too, and change nothing of what is kept here.
    if (revision !== heldRevision) kept = new Map()
    heldMark = mark
    heldRevision = revision
  }

  /** What was kept under `key`, or what `make` makes; many who ask at once wait for one. */
  return async function remember<Value>(key: string, make: () => Promise<Value>): Promise<Value> {
    await attune()
    const memory = kept
    const present = memory.get(key) as Promise<Value> | undefined
    if (present !== undefined) return present
    const made = make()
    memory.set(key, made)
    made.catch(() => memory.delete(key))
    return made
  }
}
