import type { z } from 'zod'
import type { ListReceiver } from './streamed-list.ts'

/** Takes the entries of one answer, one by one. */
export interface EntrySink<Entry, T> {
  add(entry: Entry): void
  end(): T
}

interface EntryReceiver<T> extends ListReceiver {
  /** Another answer is about to come: nothing of the one before counts. */
  forget(): void
  /** @param rest what the answer holds in its `data` yet; null and undefined stand for no list at all */
  end(rest: readonly unknown[] | null | undefined): T
}

/** Hands entries that fit the schema to a sink, a new one for each list that begins; others are left out. */
export function createEntryReceiver<Schema extends z.ZodType, T>(
  schema: Schema,
  begin: () => EntrySink<z.output<Schema>, T>,
): EntryReceiver<T> {
  let sink: EntrySink<z.output<Schema>, T> | undefined

  function addTo(present: EntrySink<z.output<Schema>, T>, entries: readonly unknown[]): void {
    for (const entry of entries) {
      const parsed = schema.safeParse(entry)
      if (parsed.success) present.add(parsed.data)
    }
  }

  return {
    forget: () => {
      sink = undefined
    },
    begin: () => {
      sink = begin()
    },
    add: (entries) => addTo((sink ??= begin()), entries),
    end: (rest) => {
      // What was not read by its reader is still whole.
      const last = sink !== undefined && rest?.length === 0 ? sink : begin()
      addTo(last, rest ?? [])
      return last.end()
    },
  }
}
