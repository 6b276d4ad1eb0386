// The status is sent with the first piece of an answer. If a later one fails, all that is left is to break the connection
// off: an answer that ended well would be taken for a whole one.

/**
 * The body of an answer that is made while it is sent.
 *
 * @param breakOff told of a failure; returns whether the connection is gone by then
 */
export function streamJson(
  pieces: AsyncGenerator<string, void>,
  breakOff: (error: unknown) => boolean,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let isCancelled = false
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await pieces.next()
        // The client may go away while a piece is made.
        if (isCancelled) return
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(value))
      } catch (error) {
        if (breakOff(error)) controller.close()
        else controller.error(error)
      }
    },
    async cancel() {
      isCancelled = true
      await pieces.return()
    },
  })
}
