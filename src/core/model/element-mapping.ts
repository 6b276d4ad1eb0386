/** A use of a component or a shortcode. */
export interface UsedComponent {
  readonly name: string
  /** By name, and by number (`0` is the first) where a shortcode has none; what only running code would tell is left out. */
  readonly attributes: Readonly<Record<string, string>>
}

/** The element that every use of a component becomes; a name alone: with the attributes that it has. */
export type ElementMapping =
  | string
  | {
      readonly element: string
      /** Which attribute of the component each attribute of the element is; others stay out. */
      readonly attributes?: Readonly<Record<string, string>> | undefined
    }

/** Decides for each use; undefined: as without a mapping. `attributes` of what it returns are values. */
export type MapElement = (used: UsedComponent) => ElementMapping | undefined

export type ElementMappings = Readonly<Record<string, ElementMapping>> | MapElement

/** What becomes of a project's own components and shortcodes. */
export interface OwnElements {
  readonly components: ElementMappings | undefined
  readonly shortcodes: ElementMappings | undefined
}

/** Elements that articles may have, unless the configuration allows more: GitHub's list, and behind it ours. */
export const ALLOWED_ELEMENTS: readonly string[] = (
  'a b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img input ins kbd li ol p picture pre q rp rt ' +
  'ruby s samp section source span strike strong sub summary sup table tbody td tfoot th thead tr tt ul var ' +
  'abbr bdi bdo caption center cite col colgroup dfn figcaption figure mark small time u wbr'
).split(' ')

export const HEADING_ELEMENTS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const

/** Elements that hold nothing. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set('br col hr img input source track wbr'.split(' '))
