import type { ExternalSummary } from '../../inspect/check/external/check-external-links.ts'
import { formatNumber } from '../../core/format-number.ts'
import { countWords } from '../text/count-words.ts'

/** What became of the links to other sites, as one line. */
export function formatExternal({ addresses, asked, broken, unknown, ignored }: ExternalSummary): string {
  const counts = countWords(
    { broken, unknown, remembered: addresses - asked, ignored },
    { broken: 'broken', unknown: 'could not be judged', remembered: 'known from before', ignored: 'ignored' },
  )
  const result = counts.length === 0 ? 'all of them work' : counts.join(', ')
  const noun = addresses === 1 ? 'address' : 'addresses'
  return `${formatNumber(addresses)} ${noun} of other sites: ${result}.`
}
