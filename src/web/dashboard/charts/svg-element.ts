// What is used of the document model. Its own types would give the names of a browser to all of the program.

export interface SvgElement {
  textContent: string
  readonly outerHTML: string
  readonly setAttribute: (name: string, value: string) => void
  readonly removeAttribute: (name: string) => void
  readonly querySelectorAll: (selector: string) => Iterable<SvgElement>
  readonly prepend: (...elements: readonly SvgElement[]) => void
  readonly remove: () => void
}

export interface SvgDocument {
  readonly createElementNS: (namespace: string, name: string) => SvgElement
}
