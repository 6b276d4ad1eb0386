import { imageSize } from 'image-size'
import { GIF } from 'image-size/types/gif'
import { JPG } from 'image-size/types/jpg'
import { PNG } from 'image-size/types/png'
import { WEBP } from 'image-size/types/webp'
import { endingOf } from './asset-types.ts'

type Test = (head: Uint8Array) => boolean

const AVIF_BRANDS = new Set(['avif', 'avis', 'mif1', 'msf1'])

const textOf = (head: Uint8Array) => Buffer.from(head).toString('utf8')

// Which image a browser sees is decided by its first bytes. Of SVG the package looks at 1000 bytes only, of AVIF at one
// of its brands.
const TESTS: Readonly<Record<string, Test>> = {
  '.avif': (head) => {
    const type = Buffer.from(head.subarray(4, 12)).toString('latin1')
    return type.startsWith('ftyp') && AVIF_BRANDS.has(type.slice(4))
  },
  '.gif': (head) => GIF.validate(head),
  '.jpg': (head) => JPG.validate(head),
  '.jpeg': (head) => JPG.validate(head),
  '.png': (head) => PNG.validate(head),
  '.svg': (head) => /<(?:[\w-]+:)?svg[\s/>]/.test(textOf(head)),
  '.webp': (head) => WEBP.validate(head),
}

/**
 * Whether an image begins as its ending promises, and if not, what it is.
 *
 * @param head the first bytes
 */
export function detectImage(
  source: string,
  head: Uint8Array,
): { readonly kind: 'fits' } | { readonly kind: 'other'; readonly type: string | undefined } {
  const test = TESTS[endingOf(source)]
  if (test === undefined || succeeds(() => test(head))) return { kind: 'fits' }
  const known = Object.entries(TESTS).find(([, other]) => succeeds(() => other(head)))
  return { kind: 'other', type: known === undefined ? typeOf(head) : known[0].slice(1) }
}

function succeeds(test: () => boolean): boolean {
  try {
    return test()
  } catch {
    return false
  }
}

/** The type as `image-size` names it; undefined for what is no image that it knows. */
function typeOf(head: Uint8Array): string | undefined {
  try {
    const { type } = imageSize(head)
    // Four bytes that are zero are enough for it to see one.
    return type === 'tga' ? undefined : type
  } catch {
    return undefined
  }
}
