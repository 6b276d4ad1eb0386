import { Parser } from 'htmlparser2'

/** What HTML strips around an address; a no-break space is part of it. */
const ASCII_WHITE_SPACE = ' \t\n\f\r'

/**
 * Targets of every `a href` and `img src` in `html` that is http(s) or relative, each once, in order. A pure fragment
 * (`#…`) is none, nor is `data:`, `mailto:` and the like, nor what stands in a `template`, which is not shown.
 */
export function findLinks(html: string): string[] {
  // HTML that cannot hold a link need not be parsed.
  if (!/<(?:a|img)[\s/]/i.test(html)) return []
  const links = new Set<string>()
  let templates = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'template') templates++
      if (templates > 0) return
      const target = name === 'a' ? attributes['href'] : name === 'img' ? attributes['src'] : undefined
      const link = trimAscii(target ?? '')
      if (isLink(link)) links.add(link)
    },
    onclosetag(name) {
      if (name === 'template') templates--
    },
  })
  parser.end(html)
  return [...links]
}

// A pattern for white space at the end would try every run of it anew.
function trimAscii(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && ASCII_WHITE_SPACE.includes(text.charAt(start))) start++
  while (end > start && ASCII_WHITE_SPACE.includes(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

function isLink(target: string): boolean {
  if (target === '' || target.startsWith('#')) return false
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(target)?.[1]?.toLowerCase()
  return scheme === undefined || scheme === 'http' || scheme === 'https'
}
