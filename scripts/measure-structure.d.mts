/** What was counted: `value`, and in `of` a line for each thing that counts towards it. */
interface Figure {
  readonly value: number
  readonly of: readonly string[]
}

/** Figures by name; the texts of all sources by path from the root of the project, such as `src/core/digest.ts`. */
export function measureStructure(texts: Readonly<Record<string, string>>): Record<string, Figure>
