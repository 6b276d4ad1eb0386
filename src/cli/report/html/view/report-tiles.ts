import { html } from 'hono/html'
import type { Html } from '../../../../web/pages/page-body.ts'
import type { Report, ReportCounts } from '../../../../inspect/report/report.ts'
import { pluralize } from '../../../../core/pluralize.ts'
import { formatNumber } from '../../../../core/format-number.ts'
import { type SectionName, REPORT_SECTIONS } from './section-ids.ts'

interface Tile {
  readonly name: string
  readonly value: string
  readonly note: string
  readonly tone: 'plain' | 'good' | 'warn' | 'bad'
  /** The section that tells more, where it is there. */
  readonly section: SectionName
}

/** What matters, in a few large figures that lead to their sections. */
export function reportTiles(report: Report, sections: ReadonlySet<SectionName>): Html {
  const { counts } = report
  const tiles = [
    overdueTile(counts),
    dueTile(report),
    linkTile(counts),
    unownedTile(counts),
    translationTile(counts),
    articleTile(counts),
  ]
  return html`<ul class="kb-tiles report-tiles">
    ${tiles.map((tile) => tileItem(tile, sections.has(tile.section)))}
  </ul>`
}

function tileItem({ name, value, note, tone, section }: Tile, leadsOn: boolean): Html {
  const text = html`<span class="kb-tile-name">${name}</span> <strong>${value}</strong>
    <span class="kb-tile-note">${note}</span>`
  return html`<li class="kb-tile kb-tile-${tone}">
    ${leadsOn ? html`<a href="#${REPORT_SECTIONS[section]}">${text}</a>` : html`<span>${text}</span>`}
  </li> `
}

function overdueTile({ overdue, acceptedOverdue, undated }: ReportCounts): Tile {
  return {
    name: 'Reviews overdue',
    value: formatNumber(overdue),
    note:
      acceptedOverdue > 0
        ? `${formatNumber(acceptedOverdue)} accepted`
        : `${formatNumber(undated)} without a date`,
    tone: toneOf(overdue, acceptedOverdue),
    section: 'reviews',
  }
}

function dueTile({ counts, dueWithinDays }: Report): Tile {
  return {
    name: `Due within ${pluralize(dueWithinDays, 'day')}`,
    value: formatNumber(counts.due),
    note: `${formatNumber(counts.later)} later, ${formatNumber(counts.never)} never`,
    tone: counts.due > 0 ? 'warn' : 'good',
    section: 'reviews',
  }
}

function linkTile({ broken, acceptedBroken, brokenHere, links }: ReportCounts): Tile {
  const all = `of ${pluralize(links, 'link')}`
  if (brokenHere > 0)
    return {
      name: 'Broken links',
      value: formatNumber(broken + brokenHere),
      note: `${all}: ${formatNumber(broken)} for the target, ${formatNumber(brokenHere)} more seen from here`,
      tone: 'bad',
      section: broken === 0 ? 'disagreements' : 'links',
    }
  return {
    name: 'Broken links',
    value: formatNumber(broken),
    note: acceptedBroken > 0 ? `${all}, ${formatNumber(acceptedBroken)} accepted` : all,
    tone: toneOf(broken, acceptedBroken),
    section: 'links',
  }
}

function unownedTile({ unowned, isUnownedExact }: ReportCounts): Tile {
  return {
    name: 'In no file',
    value: `${isUnownedExact ? '' : '≥ '}${formatNumber(unowned)}`,
    note: 'articles on the target',
    tone: unowned > 0 ? 'warn' : 'good',
    section: 'unowned',
  }
}

function translationTile({ outdatedTranslations }: ReportCounts): Tile {
  return {
    name: 'Translations behind',
    value: formatNumber(outdatedTranslations),
    note: 'older than their original',
    tone: outdatedTranslations > 0 ? 'warn' : 'good',
    section: 'translations',
  }
}

function articleTile({ files, onTarget }: ReportCounts): Tile {
  return {
    name: 'Articles in files',
    value: formatNumber(files),
    note: files === onTarget ? 'all on the target' : `${formatNumber(onTarget)} on the target`,
    tone: files === onTarget ? 'plain' : 'warn',
    section: 'categories',
  }
}

/** What the baseline accepts is no alarm, and not well either. */
function toneOf(count: number, accepted: number): Tile['tone'] {
  if (count === 0) return 'good'
  return count > accepted ? 'bad' : 'warn'
}
