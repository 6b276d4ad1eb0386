import type { Terminal } from '../../terminal/terminal.ts'

/** Where a report is shown, and how much of it. */
export interface PrettyView extends Pick<Terminal, 'colors' | 'columns'> {
  /** Lists are whole, as far as the report has them. */
  readonly verbose: boolean
  /** Only what is wrong. */
  readonly quiet: boolean
}
