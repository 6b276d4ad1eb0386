// What a target lists may be of any length, and every list and format of a report shall stay readable.
import { cutAtWord } from '../../../core/code-points.ts'

/** In characters. */
const LONGEST_TITLE = 300

/** What browsers and proxies take. An address that holds a picture is longer, and says nothing to its reader. */
const LONGEST_ADDRESS = 2000

/** A title that people can read. */
export function cutTitle(title: string): string {
  // What follows is not looked at: a character as readers see it is shorter than that.
  return title.length <= LONGEST_TITLE ? title : cutAtWord(title.slice(0, 4 * LONGEST_TITLE), LONGEST_TITLE)
}

/** An address, with `…` at its end where it was cut. */
export function cutAddress(url: string): string {
  if (url.length <= LONGEST_ADDRESS) return url
  // A character of two units is not cut in half.
  const half = /[\ud800-\udbff]$/
  return `${url.slice(0, LONGEST_ADDRESS - 1).replace(half, '')}…`
}
