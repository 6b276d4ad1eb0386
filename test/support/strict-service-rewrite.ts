/** The same HTML as another editor would write it: a reader notices nothing. */
export function rewriteHtml(html: string): string {
  return html
    .replaceAll(/<(\w+)((?: [\w-]+="[^"']*")+)>/g, (_, tag: string, attributes: string) =>
      rewriteTag(tag, attributes),
    )
    .replaceAll('</p>\n', '</p>\r\n\t')
    .replaceAll(', ', ',\n')
    .replaceAll(/<(br|hr)>/g, '<$1 />')
    .replaceAll('&#39;', "'")
    .replaceAll('’', '&rsquo;')
    .replaceAll('<p>', '<p class="text">')
}

/** Attributes the other way round and in single quotes. */
function rewriteTag(tag: string, attributes: string): string {
  const each = [...attributes.matchAll(/ ([\w-]+)="([^"]*)"/g)].toReversed()
  return `<${tag}${each.map(([, name, value]) => ` ${name}='${value}'`).join('')}>`
}
