/** Where an article's page lies. */
export interface PreviewAddress {
  readonly slug: string
  /** Undefined where it is not said. */
  readonly language: string | undefined
}
