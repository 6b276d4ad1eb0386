import { counted } from '../../util/counted.ts'
import { grouped } from '../../util/grouped.ts'
import { hostName } from '../host-name.ts'
import type { LinkGroup } from '../summary/summarize-broken-links.ts'
import type { Chart, PlotLibrary } from './open-chart-painter.ts'

const WIDTH = 360
const ROW = 34
/** Characters of a host that fit into the width. */
const FITTING = 44

interface Bar {
  readonly row: number
  readonly label: string
  readonly count: number
  readonly value: string
  readonly title: string
}

/** Hosts with the most broken links, as bars under their names. */
export function linkHosts(plot: PlotLibrary, hosts: readonly LinkGroup[]): Chart {
  const bars = hosts.map(toBar)
  return {
    title: 'Broken links by host',
    description: bars.map(({ title }) => title).join('; '),
    className: 'kb-chart-bars',
    options: {
      width: WIDTH,
      height: bars.length * ROW + 4,
      marginTop: 2,
      marginBottom: 2,
      marginLeft: 2,
      marginRight: 2,
      x: { axis: null, domain: [0, Math.max(1, ...bars.map(({ count }) => count))] },
      y: { axis: null, type: 'band', domain: bars.map(({ row }) => row), padding: 0 },
      marks: [
        plot.barX(bars, {
          y: 'row',
          x1: 0,
          x2: 'count',
          insetTop: ROW - 14,
          insetBottom: 6,
          rx: 2,
          title: 'title',
          className: 'kb-bar-broken',
        }),
        plot.text(bars, {
          y: 'row',
          text: 'label',
          frameAnchor: 'left',
          lineAnchor: 'bottom',
          textAnchor: 'start',
          dy: -2,
          className: 'kb-chart-label',
        }),
        plot.text(bars, {
          y: 'row',
          text: 'value',
          frameAnchor: 'right',
          lineAnchor: 'bottom',
          textAnchor: 'end',
          dy: -2,
          className: 'kb-chart-value',
        }),
      ],
    },
  }
}

function toBar({ key, count, isExact }: LinkGroup, row: number): Bar {
  const name = hostName(key)
  const value = `${isExact ? '' : '≥ '}${grouped(count)}`
  return {
    row,
    label: tail(name),
    count,
    value,
    title: `${name}: ${isExact ? '' : 'at least '}${counted(count, 'link')}`,
  }
}

/** The end of a long host says whose it is. */
function tail(name: string): string {
  return name.length <= FITTING ? name : `…${name.slice(-FITTING + 1)}`
}
