/** One of several parts of a saved plan. Each of `count` jobs executes one part. */
export interface Shard {
  /** From 1 to `count`. */
  readonly number: number
  readonly count: number
}

/** Parses `2/8`; undefined unless the first number is a whole number from 1 to the second. */
export function parseShard(written: string): Shard | undefined {
  const [, number = 0, count = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(written) ?? []).map(Number)
  return number >= 1 && number <= count ? { number, count } : undefined
}

export function nameShard({ number, count }: Shard): string {
  return `${number}/${count}`
}
