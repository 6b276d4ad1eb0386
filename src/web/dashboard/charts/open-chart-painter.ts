// Charts are drawn here, on the server: pages need no script for them. What Plot adds for other surroundings (a style
// element, fonts, labels of its own) goes: the content security policy forbids the one, dashboard.css does the rest.
import type * as Plots from '@observablehq/plot'

export type PlotLibrary = typeof Plots

export interface Chart {
  /** Says what is to be seen, for those who do not look: plain text. */
  readonly title: string
  readonly description: string
  /** Class of the SVG element. */
  readonly className: string
  readonly options: Plots.PlotOptions
}

export interface ChartPainter {
  readonly plot: PlotLibrary
  /** The SVG element as text, safe to be put into a page as it is. `id` is the beginning of the ids in it. */
  readonly paint: (id: string, chart: Chart) => string
}

/** Loads what drawing needs, which takes some hundred milliseconds the first time. */
export async function openChartPainter(): Promise<ChartPainter> {
  const [plot, { parseHTML }] = await Promise.all([import('@observablehq/plot'), import('linkedom')])
  const { document } = parseHTML('<!doctype html><html><body></body></html>') as unknown as {
    readonly document: SvgDocument
  }
  return {
    plot,
    paint: (id, chart) => {
      const svg: SvgElement = plot.plot({ ...chart.options, document })
      return toText(svg, document, id, chart)
    },
  }
}

const DROPPED = ['style', 'font-family', 'font-size', 'fill', 'width', 'height']

function toText(svg: SvgElement, document: SvgDocument, id: string, chart: Chart): string {
  for (const style of svg.querySelectorAll('style')) style.remove()
  for (const name of DROPPED) svg.removeAttribute(name)
  for (const inner of svg.querySelectorAll('[style], [aria-label]')) {
    inner.removeAttribute('style')
    inner.removeAttribute('aria-label')
  }
  svg.setAttribute('class', `kb-chart ${chart.className}`)
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-labelledby', `${id}-title`)
  svg.setAttribute('aria-describedby', `${id}-text`)
  svg.prepend(
    labelled(document, 'title', `${id}-title`, chart.title),
    labelled(document, 'desc', `${id}-text`, chart.description),
  )
  return svg.outerHTML
}

function labelled(document: SvgDocument, name: 'title' | 'desc', id: string, text: string): SvgElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  element.setAttribute('id', id)
  element.textContent = text
  return element
}

// What is used of the document model. Its own types would give the names of a browser to all of the program.

interface SvgElement {
  textContent: string
  readonly outerHTML: string
  readonly setAttribute: (name: string, value: string) => void
  readonly removeAttribute: (name: string) => void
  readonly querySelectorAll: (selector: string) => Iterable<SvgElement>
  readonly prepend: (...elements: readonly SvgElement[]) => void
  readonly remove: () => void
}

interface SvgDocument {
  readonly createElementNS: (namespace: string, name: string) => SvgElement
}
