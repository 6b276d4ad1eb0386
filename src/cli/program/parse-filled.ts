import { InvalidArgumentError } from 'commander'

/** The value of an option that is never rightly empty: `--host ''`, most often a variable that is not set. */
export function parseFilled(value: string): string {
  if (value.trim() !== '') return value
  throw new InvalidArgumentError('It is empty.')
}
