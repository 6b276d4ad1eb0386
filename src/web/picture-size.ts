import { imageSize } from 'image-size'
import type { PictureSize } from '../core/stored-file-names.ts'

const LARGEST_SIDE = 1_000_000

/** Returns the size of a picture, from its first bytes; undefined if they do not contain it, or for any other file. */
export function pictureSizeOf(head: Uint8Array): PictureSize | undefined {
  try {
    const { width, height, orientation = 1 } = imageSize(head)
    const isPlausible = [width, height].every((side) => side > 0 && side <= LARGEST_SIDE)
    if (!isPlausible) return undefined
    // In the last four orientations, a photo is rotated by 90 degrees.
    const [shownWidth, shownHeight] = orientation > 4 ? [height, width] : [width, height]
    return { width: Math.round(shownWidth), height: Math.round(shownHeight) }
  } catch {
    return undefined
  }
}
