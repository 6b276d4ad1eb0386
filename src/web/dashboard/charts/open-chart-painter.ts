// Draws charts on the server, so that pages need no script. Removes what Plot adds for other uses (a style element,
// fonts, its own labels): the content security policy forbids the style element, dashboard.css styles the rest.
import type * as Plots from '@observablehq/plot'

export type PlotLibrary = typeof Plots

export interface Chart {
  /** Text alternative in plain text. */
  readonly title: string
  readonly description: string
  readonly className: string
  readonly options: Plots.PlotOptions
}

export type ChartPainter = Awaited<ReturnType<typeof openChartPainter>>

/** Loads the drawing code, which takes some hundred milliseconds the first time. */
export async function openChartPainter() {
  const [plot, { parseHTML }] = await Promise.all([import('@observablehq/plot'), import('linkedom')])
  const { document } = parseHTML('<!doctype html><html><body></body></html>') as unknown as {
    readonly document: SvgDocument
  }
  return {
    plot,
    /** Returns the SVG element as safe text. `id` is the prefix of its ids. */
    paint: (id: string, chart: Chart) => {
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

// The parts of the DOM in use. Its type definitions would add browser globals to the whole program.

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
