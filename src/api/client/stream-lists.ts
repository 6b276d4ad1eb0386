import { StringDecoder } from 'node:string_decoder'
import {
  lenientAnyList,
  type LenientAuthoredEntry,
  type LenientLinkEntry,
  type LenientReviewDateEntry,
  lenientWholeList,
  readAuthoredEntry,
  type ReadEntry,
  readLinkEntry,
  readReviewDateEntry,
} from '../contract/lenient.ts'
import { pathOf, type Route, routes } from '../contract/routes.ts'
import { type Origin, readAnswer } from './read-answer.ts'
import type { OutgoingRequest, BodyReader } from './send-request.ts'
import type { SendWithRetries } from './send-with-retries.ts'
import { type ListReceiver, StreamedList } from './streamed-list.ts'

/**
 * Streams the two lists that grow with the knowledge base, so that memory use is constant. `begin` is called when a
 * list begins, and again if the request is retried, which discards the previous reader. Resolves to the result of the
 * last reader's `end`, and only if the whole response is valid.
 */
export interface ListStreams {
  streamReviewDates<T>(
    begin: () => EntrySink<LenientReviewDateEntry, T>,
    options?: ListReadOptions,
  ): Promise<T>
  /** Does the same with the articles' creators: personal data, to be read only on request. */
  streamAuthoredReviewDates<T>(
    begin: () => EntrySink<LenientAuthoredEntry, T>,
    options?: ListReadOptions,
  ): Promise<T>
  streamLinks<T>(begin: () => EntrySink<LenientLinkEntry, T>, options?: ListReadOptions): Promise<T>
}

interface ListReadOptions {
  /** Rejects a missing or null list, for callers to which an empty list means that there are no problems. */
  readonly needsList?: boolean
}

interface ListStreamOptions {
  readonly send: SendWithRetries
  readonly originOf: (request: OutgoingRequest) => Origin
  /** Called with the first articles of each list of review dates. */
  readonly noteListed: (ids: readonly string[]) => void
  /** Maximum number of these articles. */
  readonly noted: number
}

export function createListStreams({ send, originOf, noteListed, noted }: ListStreamOptions): ListStreams {
  async function stream<Entry, T>(
    route: Route,
    readEntry: ReadEntry<Entry>,
    begin: () => EntrySink<Entry, T>,
    { needsList = false }: ListReadOptions = {},
  ): Promise<T> {
    const entries = createEntryReceiver(readEntry, begin)
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
      stream(routes.listReviewDates, readReviewDateEntry, noting(begin), options),
    streamAuthoredReviewDates: (begin, options) =>
      stream(routes.listReviewDates, readAuthoredEntry, noting(begin), options),
    streamLinks: (begin, options) => stream(routes.listLinks, readLinkEntry, begin, options),
  }
}

/** Large enough that reading the ends of a part takes little of the time, and small enough for memory. */
const PART_LENGTH = 256 * 1024

/**
 * Creates a reader of the responses to "List review dates" and "List links" in the specification. Responses of usual
 * length are parsed as a whole. Longer ones are read part by part, whose entries are then soon forgotten:
 * `receiver` gets each entry, and the rest, with an empty list, represents the body. Either is then validated like any
 * response, and only then is it known whether the entries are valid.
 *
 * @param partLength maximum length to be parsed as a whole, and about that of a part
 */
export function createListReader(receiver: ListReceiver, partLength: number = PART_LENGTH): BodyReader {
  // Unlike TextDecoder, it returns texts of one byte per character where possible, which JSON.parse reads faster.
  const decoder = new StringDecoder()
  let part = ''
  let isStart = true
  let list: BodyReader<string> | undefined

  function add(text: string): void {
    part += isStart ? text.replace(/^\uFEFF/, '') : text
    isStart &&= text === ''
  }

  function stream(): BodyReader<string> {
    list ??= new StreamedList(receiver)
    list.write(part)
    part = ''
    return list
  }

  return {
    write: (received) => {
      add(decoder.write(received))
      if (part.length > partLength) stream()
    },
    end: () => {
      add(decoder.end())
      return list === undefined ? part : stream().end()
    },
  }
}

/** Receives the entries of one response, one by one. */
export interface EntrySink<Entry, T> {
  add(entry: Entry): void
  end(): T
}

interface EntryReceiver<T> extends ListReceiver {
  /** Resets the sink before another response. */
  forget(): void
  /** @param rest remaining entries in `data`; null and undefined mean that there is no list */
  end(rest: readonly unknown[] | null | undefined): T
}

/** Passes valid entries to a sink, a new one for each list. Skips others. */
function createEntryReceiver<Entry, T>(
  readEntry: ReadEntry<Entry>,
  begin: () => EntrySink<Entry, T>,
): EntryReceiver<T> {
  let sink: EntrySink<Entry, T> | undefined

  function addTo(present: EntrySink<Entry, T>, entries: readonly unknown[]): void {
    for (const each of entries) {
      const entry = readEntry(each)
      if (entry !== undefined) present.add(entry)
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
      // The reader did not consume it, so the body is complete.
      const last = sink !== undefined && rest?.length === 0 ? sink : begin()
      addTo(last, rest ?? [])
      return last.end()
    },
  }
}
