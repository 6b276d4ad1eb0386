/** How a report is shown, whatever is in it. */
export interface ReportView {
  /** Most rows of one table. */
  readonly rowLimit: number
  /** The address of a line of a file, which is relative to the project; undefined where there is none. */
  readonly linkOf: (file: string, line: number) => string | undefined
}
