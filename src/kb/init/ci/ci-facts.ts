import type { InitFacts } from '../init-model.ts'

/** What a pipeline depends on. */
export interface CiFacts extends Pick<InitFacts, 'repository' | 'manager' | 'lockPrefix'> {
  /** The built-in server keeps its articles on the machine it runs on: a pipeline can only check them. */
  readonly isBuiltin: boolean
  /** Whether a report is made on a schedule; of a remote target only. */
  readonly isReported: boolean
}

/** Mondays and Thursdays. Not on the hour, when everyone's schedules start; twice a week, so that a cache is kept. */
export const REPORT_SCHEDULE = '23 5 * * 1,4'

/** The Node.js that pipelines run on: one with long-term support. */
export const NODE_MAJOR = 24

/** A text as YAML, quoted unless it is a plain path or name. */
export function yamlText(text: string): string {
  return /^[A-Za-z.][\w./-]*(?: [\w./-]+)*$/.test(text) &&
    !/^(?:true|false|null|yes|no|on|off|y|n|\.inf|\.nan)$/i.test(text)
    ? text
    : JSON.stringify(text)
}

/** Lines indented by this many spaces; empty ones stay empty. */
export function indented(text: string, spaces: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(spaces))
}
