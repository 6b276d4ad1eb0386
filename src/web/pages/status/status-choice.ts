import { LINK_ORDERS, type LinkOrder } from '../../dashboard/summary/summarize-broken-links.ts'

export const LIST_ID = '_kb-status-list'

/** A visitor's choice for the list of links. */
export interface StatusChoice {
  readonly order: LinkOrder
  /** '' for links within the knowledge base; undefined for all. */
  readonly host: string | undefined
}

/** Parses the query. Invalid values are ignored. */
export function readStatusChoice(query: URLSearchParams): StatusChoice {
  const sort = query.get('sort')
  return {
    order: LINK_ORDERS.find((order) => order === sort) ?? 'article',
    host: query.get('host') ?? undefined,
  }
}

export function statusQuery({ order, host }: StatusChoice): string {
  return new URLSearchParams({ sort: order, ...(host === undefined ? {} : { host }) }).toString()
}

/** Returns the URL of the page, at its list of links, with this choice. */
export function statusHref(choice: StatusChoice): string {
  return `?${statusQuery(choice)}#${LIST_ID}`
}
