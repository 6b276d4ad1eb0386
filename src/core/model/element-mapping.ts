export interface UsedComponent {
  readonly name: string
  /** By name, or by index (from `0`) for positional arguments of a shortcode, without values that need running code. */
  readonly attributes: Readonly<Record<string, string>>
}

/** The element for every use of a component. A name alone keeps the attributes. */
export type ElementMapping =
  | string
  | {
      readonly element: string
      /** Maps attributes of the element to attributes of the component. Others are removed. */
      readonly attributes?: Readonly<Record<string, string>> | undefined
    }

/** Maps a single use. Undefined: as without a mapping. `attributes` of the result are values. */
export type MapElement = (used: UsedComponent) => ElementMapping | undefined

export type ElementMappings = Readonly<Record<string, ElementMapping>> | MapElement

/** Mappings of the project's own components and shortcodes. */
export interface OwnElements {
  readonly components: ElementMappings | undefined
  readonly shortcodes: ElementMappings | undefined
}

/** Elements allowed in articles, unless the configuration allows more: GitHub's list, then ours. */
export const ALLOWED_ELEMENTS: readonly string[] = (
  'a b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img input ins kbd li ol p picture pre q rp rt ' +
  'ruby s samp section source span strike strong sub summary sup table tbody td tfoot th thead tr tt ul var ' +
  'abbr aside audio bdi bdo caption center cite col colgroup dfn figcaption figure mark small time track u video wbr'
).split(' ')

export const HEADING_ELEMENTS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const

/** Elements without content. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set('br col hr img input source track wbr'.split(' '))
