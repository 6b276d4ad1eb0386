// Checks options at run time, because JavaScript programs have no types and a misspelled option must not be ignored.
import * as z from 'zod'
import { KbError } from '../core/errors/kb-error.ts'
import { explainIssue } from '../core/explain-issue.ts'
import { didYouMean } from '../core/nearest.ts'
import type { Kb } from './kb.ts'
import { OPTIONS } from './options.ts'
import { explainWrongLinks } from './site/explain-wrong-links.ts'

/** @throws KbError USAGE for an option that is unknown to `name`, has the wrong type, or is missing */
export function assertOptions(name: keyof Kb | 'createKb', options: unknown): void {
  const schema = schemaOf(name, options)
  const issue = schema.safeParse(options, { error: explainIssue }).error?.issues[0]
  if (issue !== undefined) throw wrong(name, schema, issue)
  const { links } = options as { readonly links?: object }
  const wrongLinks = links === undefined ? undefined : explainWrongLinks(links)
  if (wrongLinks !== undefined) throw new KbError('USAGE', `${name}(): ${wrongLinks}`)
}

function schemaOf(name: keyof Kb | 'createKb', options: unknown): z.ZodObject {
  const hasPlan = (options as { readonly plan?: unknown } | null)?.plan !== undefined
  return name === 'sync' && hasPlan ? OPTIONS.savedPlan : OPTIONS[name]
}

function wrong(name: string, schema: z.ZodObject, issue: z.core.$ZodIssue): KbError {
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    const [outer] = issue.path.map(String)
    const known = Object.keys((outer === undefined ? schema : schema.shape[outer].unwrap()).shape)
    const call = outer === undefined ? `${name}()` : `${name}({ ${outer} })`
    return new KbError('USAGE', `${call} has no option "${key}".`, {
      hint: didYouMean(key, known) ?? listing(known),
    })
  }
  const path = z.core.toDotPath(issue.path)
  const message =
    path === '' ? `${name}() requires an object with options.` : `${name}(): ${path} ${issue.message}.`
  return new KbError('USAGE', message, { hint: listing(Object.keys(schema.shape)) })
}

function listing(keys: readonly string[]): string {
  return `The options are: ${keys.join(', ')}.`
}
