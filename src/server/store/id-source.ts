import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const BYTES_PER_ID = 16

/** Number of ids per call for random bytes, because a system call costs more than an id. */
const IDS_PER_FILL = 512

/**
 * Creates UUIDv7 (RFC 9562), each greater than the previous ones, even within a millisecond or if the clock is set
 * back.
 */
export function createIdSource(nowMs: () => number = Date.now): () => string {
  const pool = new Uint8Array(IDS_PER_FILL * BYTES_PER_ID)
  let used = pool.length
  let msecs = Number.NEGATIVE_INFINITY
  let seq = 0

  function nextRandom(): Uint8Array {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    used += BYTES_PER_ID
    return pool.subarray(used - BYTES_PER_ID, used)
  }

  return () => {
    const random = nextRandom()
    const now = nowMs()
    if (now > msecs) {
      msecs = now
      // 31 of the 32 bits of the counter are random, so that it can still count up.
      seq = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1
    } else seq++
    return v7({ random, msecs, seq })
  }
}
