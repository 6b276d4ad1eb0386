const PREFORMATTED = /(<pre[\s>][\s\S]*?<\/pre>)/i

/** HTML in which white space that no reader sees is the same whoever wrote it: a service may break lines elsewhere. */
export function collapseSpace(html: string): string {
  return html
    .split(PREFORMATTED)
    .map((part) => (PREFORMATTED.test(part) ? part : part.replace(/[ \t\r\n\f]+/g, ' ')))
    .join('')
}
