interface Texts {
  readonly description: string | undefined
  readonly longDescription: string | undefined
}

/** The texts that have a value: what the file leaves out is neither compared nor sent. */
export function writtenTexts({ description, longDescription }: Texts): {
  description?: string
  longDescription?: string
} {
  return {
    ...(description !== undefined && { description }),
    ...(longDescription !== undefined && { longDescription }),
  }
}
