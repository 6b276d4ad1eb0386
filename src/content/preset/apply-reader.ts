import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import type {
  FrontmatterData,
  FrontmatterFile,
  ReadFrontmatter,
} from '../../core/model/frontmatter-mapping.ts'

/**
 * Calls the user's function for one file. Values that are undefined are none.
 *
 * @throws KbError CONFIG_INVALID
 */
export function applyReader(
  read: ReadFrontmatter,
  data: FrontmatterData,
  file: FrontmatterFile,
): FrontmatterData {
  const result: unknown = call(() => read(structuredClone(data), file), file.source, 'frontmatter')
  if (typeof result !== 'object' || result === null || Array.isArray(result) || result instanceof Promise) {
    throw new KbError(
      'CONFIG_INVALID',
      `The function frontmatter of the configuration returned no object for ${file.source}.`,
      { hint: 'It must return the keys of kb-sync with their values, at once.' },
    )
  }
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined))
}

/** Calls a function of the configuration. @throws KbError CONFIG_INVALID where it throws */
export function call<Value>(run: () => Value, source: string, name: string): Value {
  try {
    return run()
  } catch (cause) {
    throw new KbError(
      'CONFIG_INVALID',
      `The function ${name} of the configuration failed at ${source}: ${reasonOf(cause)}`,
      {
        hint: 'Correct it in kb.config.ts: it is called for every file, whatever its frontmatter holds.',
        cause,
      },
    )
  }
}
