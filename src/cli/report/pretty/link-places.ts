import type { LinkFinding } from '../../../inspect/report/report.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { placesOrBeginning } from '../article-places.ts'
import { nameArticle, NOT_IN_FILE } from '../article-words.ts'
import { noteLines, nowhereLine, placeLine, shortened } from './pretty-section.ts'
import type { PrettyView } from './pretty-view.ts'

/** Places of one address that are shown. */
const PLACES = 3

/** Where a link stands, or whose it is where that is in no file. */
export function formatPlaces(
  { article, places }: Pick<LinkFinding, 'article' | 'places'>,
  view: PrettyView,
): string[] {
  if (article.file === undefined)
    return [...noteLines(`in "${nameArticle(article)}"`, view).slice(0, 1), nowhereLine(article)]
  const shown = shortened(placesOrBeginning({ article, places }), PLACES, view)
  const hidden = places.length - shown.length
  return [
    ...shown.map((place) => placeLine(place, view)),
    ...(hidden > 0 ? noteLines(`and at ${pluralize(hidden, 'more place')}`, view) : []),
    ...(places.length === 0 ? noteLines(NOT_IN_FILE, view) : []),
  ]
}
