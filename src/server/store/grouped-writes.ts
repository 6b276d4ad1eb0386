// Writes that wait together share a transaction, on either database.
import type { ItemsWork, Session } from './query.ts'

export interface GroupedWrite {
  /** Must change only the session: it is repeated if its group is rolled back. */
  readonly run: (session: Session, items: readonly unknown[]) => Promise<readonly unknown[]>
  readonly item: unknown
  /** Consecutive writes of the same kind and site run together. */
  readonly kind: unknown
  readonly siteId: string | undefined
  /** True if its changes raise the revision. */
  readonly raisesRevision: boolean
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** A write that waits for its group. */
export type NewWrite = Omit<GroupedWrite, 'resolve' | 'reject'>

export function singleWrite(
  work: (session: Session) => Promise<unknown>,
  { raisesRevision }: Pick<GroupedWrite, 'raisesRevision'>,
): NewWrite {
  const run = async (session: Session) => [await work(session)]
  return { run, item: undefined, kind: run, siteId: undefined, raisesRevision }
}

export function itemWrite<Item, Value>(siteId: string, work: ItemsWork<Item, Value>, item: Item): NewWrite {
  const run: GroupedWrite['run'] = (session, items) => work(session, siteId, items as readonly Item[])
  return { run, item, kind: work, siteId, raisesRevision: true }
}

/** Runs the writes of a transaction. Returns their values, and whether the revision rises. */
export async function runWrites(
  session: Session & { readonly changedRows: () => number },
  group: readonly GroupedWrite[],
): Promise<{ readonly values: readonly unknown[]; readonly isChange: boolean }> {
  const values: unknown[] = []
  let isChange = false
  for (const writes of groupByKind(group)) {
    const [{ run, raisesRevision }] = writes
    const before = session.changedRows()
    const items = writes.map(({ item }) => item)
    values.push(...(await run(session, items)))
    isChange ||= raisesRevision && session.changedRows() > before
  }
  return { values, isChange }
}

function groupByKind(group: readonly GroupedWrite[]): [GroupedWrite, ...GroupedWrite[]][] {
  const lists: [GroupedWrite, ...GroupedWrite[]][] = []
  for (const write of group) {
    const last = lists.at(-1)
    if (last === undefined || !isAlike(last[0], write)) lists.push([write])
    else last.push(write)
  }
  return lists
}

function isAlike(a: GroupedWrite, b: GroupedWrite): boolean {
  return a.kind === b.kind && a.siteId === b.siteId
}
