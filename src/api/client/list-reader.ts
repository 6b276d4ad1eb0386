import type { BodyReader } from './send-request.ts'
import { createStreamedList, type ListReceiver } from './streamed-list.ts'

/** A list of 50,000 links fits in, and memory has room for it. */
const LONGEST_WHOLE_BYTES = 16 * 1024 * 1024

/**
 * A reader for the answers to "List review dates" and "List links" in the specification. One of usual length is kept
 * whole, since nothing parses as fast as JSON.parse. A longer one is read entry by entry: `receiver` is told of them as they
 * come, and what stands for the body is all the rest, around an empty list. So either can be judged at its end like any
 * answer, and only then is it known whether the entries count.
 *
 * @param longestWholeBytes up to this length it is kept whole
 */
export function createListReader(
  receiver: ListReceiver,
  longestWholeBytes: number = LONGEST_WHOLE_BYTES,
): BodyReader {
  const decoder = new TextDecoder()
  let whole: string[] = []
  let bytes = 0
  let streamed: BodyReader<string> | undefined

  function keep(text: string): void {
    if (streamed === undefined) whole.push(text)
    else streamed.write(text)
  }

  function stream(): BodyReader<string> {
    const list = createStreamedList(receiver)
    for (const text of whole) list.write(text)
    whole = []
    return list
  }

  return {
    write: (part) => {
      bytes += part.length
      if (bytes > longestWholeBytes) streamed ??= stream()
      keep(decoder.decode(part, { stream: true }))
    },
    end: () => {
      keep(decoder.decode())
      return streamed === undefined ? whole.join('') : streamed.end()
    },
  }
}
