// Text from content or from a target can contain escape sequences or bidirectional overrides that repaint the reader's
// terminal (CVE-2021-42574 and similar). They are made visible, so that they have no effect.
const UNSAFE =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu

/** Replaces control and bidirectional formatting characters with `\u{…}`, except line feed and tab. */
export function escapeControl(text: string): string {
  return text.replace(UNSAFE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
}

/** Like `escapeControl`, but on one line: line feeds and tabs become spaces. */
export function escapeControlInLine(text: string): string {
  return escapeControl(text.replace(/[\r\n\t]+/g, ' '))
}

/** Escapes the same characters in JSON text, which keeps its meaning and is safe to print. */
export function escapeControlInJson(json: string): string {
  return json.replace(UNSAFE, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
}
