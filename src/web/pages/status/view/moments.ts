import { html } from 'hono/html'
import { pluralize } from '../../../../core/pluralize.ts'
import type { Html } from '../../page-body.ts'
import { toDayNumber } from '../../../dashboard/summary/calendar.ts'

/** `2026-11-21 23:10 UTC`, of a moment in ISO 8601; the text itself where it is none. */
export function moment(iso: string): Html | string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  const text = date.toISOString()
  return html`<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 16)} UTC</time>`
}

/** A calendar date, as it is written everywhere. */
export function day(date: string): Html {
  return html`<time datetime="${date}">${date}</time>`
}

/** How far a date is from today: `today`, `in 3 days`, `2 months ago`. */
export function distance(date: string, today: string): string {
  const days = toDayNumber(date) - toDayNumber(today)
  if (days === 0) return 'today'
  const text = inUnits(Math.abs(days))
  return days > 0 ? `in ${text}` : `${text} ago`
}

function inUnits(days: number): string {
  if (days < 60) return pluralize(days, 'day')
  if (days < 730) return pluralize(Math.round(days / 30.44), 'month')
  return pluralize(Math.round(days / 365.25), 'year')
}
