/** Where an article's page lies. */
export interface Place {
  readonly slug: string
  /** Undefined where it is not said. */
  readonly language: string | undefined
}
