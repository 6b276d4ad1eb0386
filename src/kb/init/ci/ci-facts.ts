import type { InitFacts } from '../init-model.ts'

export interface CiFacts extends Pick<InitFacts, 'repository' | 'manager' | 'lockPrefix'> {
  /** The built-in server stores its articles locally, so a pipeline can only check them. */
  readonly isBuiltin: boolean
  /** True if there is a scheduled report. Only for a remote target. */
  readonly isReported: boolean
}

/** Mondays and Thursdays. Not on the hour, when most schedules start; twice a week, so that the cache is kept. */
export const REPORT_SCHEDULE = '23 5 * * 1,4'

/** Node.js version of the pipelines, with long-term support. */
export const NODE_MAJOR = 24

/** Formats a text as YAML, quoted unless it is a plain path or name. */
export function yamlText(text: string): string {
  return /^[A-Za-z.][\w./-]*(?: [\w./-]+)*$/.test(text) &&
    !/^(?:true|false|null|yes|no|on|off|y|n|\.inf|\.nan)$/i.test(text)
    ? text
    : JSON.stringify(text)
}

/** Indents lines by this many spaces. Empty lines stay empty. */
export function indented(text: string, spaces: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(spaces))
}
