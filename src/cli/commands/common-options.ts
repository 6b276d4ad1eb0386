/** Options that every command takes. */
export interface CommonOptions {
  readonly cwd?: string
  readonly config?: string
  readonly json?: boolean
  readonly quiet?: boolean
  readonly verbose?: boolean
}
