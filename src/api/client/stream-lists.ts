import type { z } from 'zod'
import {
  lenientAnyList,
  lenientAuthoredEntry,
  type LenientAuthoredEntry,
  lenientLinkEntry,
  type LenientLinkEntry,
  lenientReviewDateEntry,
  type LenientReviewDateEntry,
  lenientWholeList,
} from '../contract/lenient.ts'
import { pathOf, type Route, routes } from '../contract/routes.ts'
import { createEntryReceiver, type EntrySink } from './entry-receiver.ts'
import { createListReader } from './list-reader.ts'
import { type Origin, readAnswer } from './read-answer.ts'
import type { OutgoingRequest } from './send-request.ts'
import type { SendWithRetries } from './send-with-retries.ts'

/**
 * The two lists that may be as long as the knowledge base, entry by entry: memory does not grow with their length.
 * `begin` is called where the list begins in an answer, and so once more where the request had to be sent again: what it
 * returned before is of no use then. Resolves to what `end` of the last one returns, and only where all of the answer is
 * as it should be.
 */
export interface ListStreams {
  streamReviewDates<T>(
    begin: () => EntrySink<LenientReviewDateEntry, T>,
    options?: ListReadOptions,
  ): Promise<T>
  /** The same with who created the articles: personal data, to be asked for only where someone wants to see it. */
  streamAuthoredReviewDates<T>(
    begin: () => EntrySink<LenientAuthoredEntry, T>,
    options?: ListReadOptions,
  ): Promise<T>
  streamLinks<T>(begin: () => EntrySink<LenientLinkEntry, T>, options?: ListReadOptions): Promise<T>
}

interface ListReadOptions {
  /** For who concludes from an empty list that all is well: one that is missing or null is refused, not mistaken for it. */
  readonly needsList?: boolean
}

interface ListStreamOptions {
  readonly send: SendWithRetries
  readonly originOf: (request: OutgoingRequest) => Origin
  /** Told of the first articles of each list of review dates. */
  readonly noteListed: (ids: readonly string[]) => void
  /** How many of them. */
  readonly noted: number
}

export function createListStreams({ send, originOf, noteListed, noted }: ListStreamOptions): ListStreams {
  async function stream<Schema extends z.ZodType, T>(
    route: Route,
    entrySchema: Schema,
    begin: () => EntrySink<z.output<Schema>, T>,
    { needsList = false }: ListReadOptions = {},
  ): Promise<T> {
    const entries = createEntryReceiver(entrySchema, begin)
    const request: OutgoingRequest = {
      method: route.method,
      path: pathOf(route),
      createReader: () => {
        entries.forget()
        return createListReader(entries)
      },
    }
    const result = await send(request, 'any-failure')
    const schema = needsList ? lenientWholeList : lenientAnyList
    return entries.end(readAnswer(result, schema, originOf(request)).data)
  }

  function noting<Entry extends { readonly id: string }, T>(
    begin: () => EntrySink<Entry, T>,
  ): () => EntrySink<Entry, T> {
    return () => {
      const sink = begin()
      const first: string[] = []
      return {
        add: (entry) => {
          if (first.length < noted) first.push(entry.id)
          sink.add(entry)
        },
        end: () => {
          noteListed(first)
          return sink.end()
        },
      }
    }
  }

  return {
    streamReviewDates: (begin, options) =>
      stream(routes.listReviewDates, lenientReviewDateEntry, noting(begin), options),
    streamAuthoredReviewDates: (begin, options) =>
      stream(routes.listReviewDates, lenientAuthoredEntry, noting(begin), options),
    streamLinks: (begin, options) => stream(routes.listLinks, lenientLinkEntry, begin, options),
  }
}
