import { KbError } from '../../core/errors/kb-error.ts'
import { JSON_SCHEMAS } from '../../kb/json-schemas.ts'
import { didYouMean } from '../../core/nearest.ts'
import { readProgramVersion } from '../../core/version.ts'
import { formatJson } from '../text/format-json.ts'
import type { RunCommand } from './run-on-project.ts'

const SCHEMAS = {
  ...JSON_SCHEMAS,
  openapi: async () => (await import('../../api/contract/openapi.ts')).openApiDocument(readProgramVersion()),
} as const satisfies Record<string, () => Promise<object>>

export const printSchema: RunCommand<unknown, void> = async ([name], { json }, terminal) => {
  if (name === undefined) {
    const names = Object.keys(SCHEMAS)
    terminal.out(json === true ? formatJson(names) : names.map((each) => `${each}\n`).join(''))
    return
  }
  if (!Object.hasOwn(SCHEMAS, name)) throw unknownSchema(name)
  const schema = await SCHEMAS[name as keyof typeof SCHEMAS]()
  terminal.out(formatJson(schema))
}

function unknownSchema(name: string): KbError {
  const names = Object.keys(SCHEMAS)
  return new KbError('USAGE', `There is no schema "${name}".`, {
    hint: didYouMean(name, names) ?? `The schemas are: ${names.join(', ')}.`,
  })
}
