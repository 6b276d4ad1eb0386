import * as fc from 'fast-check'

/** The first half of a surrogate pair, and how many halves there are: by themselves, they are no characters. */
const FIRST_HALF = 0xd800
const HALVES = 0x800

/** Any character of Unicode. As `unit: 'binary'` of fast-check, which takes a second to make a table of all of them. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - HALVES })
  .map((code) => String.fromCodePoint(code < FIRST_HALF ? code : code + HALVES))
