import { isDeepStrictEqual } from 'node:util'
import type { Span } from '../../core/model/diagnostic.ts'
import type { FrontmatterData } from '../../core/model/frontmatter-mapping.ts'
import { FRONTMATTER_START } from '../placed-problem.ts'
import type { PositionedYaml } from '../yaml-positions.ts'

/** What a value was made from. */
export interface Origin {
  readonly path: readonly PropertyKey[]
  /** Whether it is the very value that stands there: only then can it be repaired there. */
  readonly isAsWritten: boolean
}

/** By the key of the value that was made. */
export type Origins = ReadonlyMap<string, Origin>

/** `values` as if they stood where they come from; what comes from nowhere stands at the top. */
export function placedValues(
  yaml: PositionedYaml,
  values: FrontmatterData,
  origins: Origins,
): PositionedYaml {
  const originOf = ([key, ...rest]: readonly PropertyKey[]) => {
    const origin = origins.get(String(key))
    return origin && { path: [...origin.path, ...rest], isAsWritten: origin.isAsWritten }
  }
  const positionOf = (path: readonly PropertyKey[]): Span => {
    const origin = originOf(path)
    return origin === undefined ? FRONTMATTER_START : yaml.positionOf(origin.path)
  }
  return {
    value: values,
    errors: yaml.errors,
    trailingSpaces: yaml.trailingSpaces,
    positionOf,
    positionOfKey: (path, key) => {
      const origin = originOf([...path, key])
      const written = origin?.path.at(-1)
      return origin === undefined || written === undefined
        ? FRONTMATTER_START
        : yaml.positionOfKey(origin.path.slice(0, -1), String(written))
    },
    textOf: (path) => {
      const origin = originOf(path)
      return origin?.isAsWritten === true ? yaml.textOf(origin.path) : ''
    },
  }
}

/**
 * Where the values that a function returned may come from: what the preset made of it, the key of that name, or the one
 * key that has that value.
 */
export function originsOfMapped(
  values: FrontmatterData,
  { mapped, origins }: { readonly mapped: FrontmatterData; readonly origins: Origins },
  data: FrontmatterData,
): Origins {
  const found = Object.entries(values).flatMap(([key, value]) => {
    const known = origins.get(key)
    if (known !== undefined && isDeepStrictEqual(mapped[key], value)) return [[key, known] as const]
    const same = Object.keys(data).filter((each) => isDeepStrictEqual(data[each], value))
    const [only, other] = same
    if (same.includes(key)) return [[key, { path: [key], isAsWritten: true }] as const]
    if (only !== undefined && other === undefined)
      return [[key, { path: [only], isAsWritten: true }] as const]
    const near = known?.path ?? (Object.hasOwn(data, key) ? [key] : undefined)
    return near === undefined ? [] : [[key, { path: near, isAsWritten: false }] as const]
  })
  return new Map(found)
}
