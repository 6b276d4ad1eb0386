import { hostName } from '../host-name.ts'
import type { LinkGroup } from '../summary/summarize-broken-links.ts'
import { namedBars } from './named-bars.ts'
import type { Chart, PlotLibrary } from './open-chart-painter.ts'

export type HostCount = Pick<LinkGroup, 'key' | 'count' | 'isExact'>

/** Hosts, as bars under their names, in the order given. */
export function linkHosts(plot: PlotLibrary, hosts: readonly HostCount[]): Chart {
  return namedBars(plot, {
    title: 'Broken links by host',
    noun: 'link',
    className: 'kb-bar-broken',
    counts: hosts.map(({ key, count, isExact }) => ({ name: hostName(key), count, isExact })),
  })
}
