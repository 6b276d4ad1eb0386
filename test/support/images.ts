// Small real images; bytes behind the end of an image are no part of it.

const PIXEL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
)

const PIXEL_WEBP = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')

/** A PNG of one pixel; other texts make other files. */
export function png(text = ''): Buffer {
  return Buffer.concat([PIXEL_PNG, Buffer.from(text)])
}

/** A PNG of that many bytes. */
export function pngOf(bytes: number): Buffer {
  return Buffer.concat([PIXEL_PNG, Buffer.alloc(bytes - PIXEL_PNG.length)])
}

/** A WebP of that many bytes. */
export function webpOf(bytes: number): Buffer {
  return Buffer.concat([PIXEL_WEBP, Buffer.alloc(bytes - PIXEL_WEBP.length)])
}
