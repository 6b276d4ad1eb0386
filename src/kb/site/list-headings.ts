import { Parser } from 'htmlparser2'
import type { SiteHeading } from './site-data.ts'

const HEADING = /^h([1-6])$/

/** The headings of an article's HTML, in their order; those for screen readers alone are left out. */
export function listHeadings(html: string): SiteHeading[] {
  const headings: SiteHeading[] = []
  let open: { readonly level: number; readonly id: string; text: string } | undefined
  const parser = new Parser(
    {
      onopentag: (name, { id, class: classes = '' }) => {
        const [, level] = HEADING.exec(name) ?? []
        if (level === undefined || id === undefined || classes.split(' ').includes('sr-only')) return
        open = { level: Number(level), id, text: '' }
      },
      ontext: (text) => {
        if (open !== undefined) open.text += text
      },
      onclosetag: (name) => {
        if (open === undefined || !HEADING.test(name)) return
        headings.push({ ...open, text: open.text.replaceAll(/\s+/g, ' ').trim() })
        open = undefined
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
  return headings
}
