import { counted } from '../../core/counted.ts'
import { grouped } from '../../core/grouped.ts'
import type { Standing } from '../../watch/watch-event.ts'

const STATES = {
  starting: 'starting',
  watching: 'watching',
  sending: 'sending',
  offline: 'offline',
  refused: 'refused',
  locked: 'waiting for another kb',
  unreadable: 'content unreadable',
  stopping: 'stopping',
} as const satisfies Record<Standing['state'], string>

/** The status line: `watching · 12 sent · 1 error, 2 warnings`. */
export function formatStanding(standing: Standing): string {
  const { state, pending, sent, conflicts, failed, errors, warnings } = standing
  const problems = [
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
    ...(conflicts > 0 ? [counted(conflicts, 'conflict')] : []),
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ]
  return [
    STATES[state],
    ...(pending > 0 ? [`${grouped(pending)} waiting`] : []),
    ...(sent > 0 ? [`${grouped(sent)} sent`] : []),
    ...(problems.length > 0 ? [problems.join(', ')] : []),
  ].join(' · ')
}
