import { html } from 'hono/html'
import type { Html } from '../../../../web/pages/page-body.ts'
import type { LinkFinding } from '../../../../inspect/report/report.ts'
import { pluralize } from '../../../../core/pluralize.ts'
import { NOT_IN_FILE } from '../../article-words.ts'
import { fileLine, note, nowhere } from './article-cell.ts'
import type { ReportView } from './report-view.ts'
import { shortText } from './short-text.ts'
import { webLink } from './web-link.ts'

/** Places of one link that are listed. */
const SHOWN = 5

/** An address as the target lists it. */
export function addressCell(url: string): Html {
  return html`<bdi>${webLink(url, shortText(url))}</bdi>`
}

/** What a list is sorted by, where it is sorted by address: all of one host stand together. */
export function addressSortKey({ host, url }: Pick<LinkFinding, 'host' | 'url'>): string {
  return `${shortText(host, 100)} ${shortText(url, 200)}`
}

type LinkWithPlaces = Pick<LinkFinding, 'article' | 'places'>

/** Where to mend a link in the files; why there is nothing to mend, where it stands in none. */
export function placesCell({ article, places }: LinkWithPlaces, view: ReportView): Html {
  if (article.file === undefined) return nowhere(article)
  if (places.length === 0) return html`${fileLine(article.file, view)}${note(NOT_IN_FILE)}`
  const rest = places.length - SHOWN
  return html`${places.slice(0, SHOWN).map((place) => fileLine(place.file, view, place))}
  ${rest > 0 ? note(`and ${pluralize(rest, 'more place')}`) : ''}`
}
