/** A text that was broken into lines for a terminal, as one line. */
export function unwrapped(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}
