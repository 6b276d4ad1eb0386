import { Parser } from 'htmlparser2'

/**
 * Targets of every `a href` and `img src` in `html` that is http(s) or relative, each once, in order. A pure fragment
 * (`#…`) is none, nor is `data:`, `mailto:` and the like.
 */
export function findLinks(html: string): string[] {
  // Parsing is the dearest part of a create: HTML that cannot hold a link is spared it.
  if (!/<(?:a|img)[\s/]/i.test(html)) return []
  const links = new Set<string>()
  const parser = new Parser({
    onopentag(name, attributes) {
      const target = name === 'a' ? attributes['href'] : name === 'img' ? attributes['src'] : undefined
      const link = target?.trim()
      if (link !== undefined && isLink(link)) links.add(link)
    },
  })
  parser.end(html)
  return [...links]
}

function isLink(target: string): boolean {
  if (target === '' || target.startsWith('#')) return false
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(target)?.[1]?.toLowerCase()
  return scheme === undefined || scheme === 'http' || scheme === 'https'
}
