import { readFile } from 'node:fs/promises'
import { writeFileWhole } from '../../core/write-file-whole.ts'
import { z } from 'zod'
import { KbError, reasonOf, reasonWithoutPath } from '../../core/errors/kb-error.ts'
import { SAVED_PLAN_FORMAT, SAVED_PLAN_VERSION, type SavedPlan } from '../plan/saved/saved-plan.ts'

const count = z.int().min(0)

const step = z.object({
  slug: z.string(),
  language: z.string().nullable(),
  reason: z.string().optional(),
  source: z.string().optional(),
  id: z.string().optional(),
  sends: z.string().optional(),
  restsOn: z.string().optional(),
  content: z.string().optional(),
  group: z.string().optional(),
})

const articleStep = step.extend({ kind: z.literal('article') })

const ofFile = articleStep.extend({ source: z.string(), id: z.string() })

const taxonomyStep = step.extend({ kind: z.enum(['category', 'tag']), source: z.string() })

const savedOperation = z.union([
  articleStep.extend({ action: z.literal('create'), source: z.string() }),
  ofFile.extend({ action: z.enum(['restore', 'update', 'replace', 'delete-copy']) }),
  ofFile.extend({ action: z.literal('move'), by: z.enum(['update', 'replace']) }),
  articleStep.extend({ action: z.literal('delete-orphan'), id: z.string() }),
  articleStep.extend({ action: z.enum(['conflict', 'skip']), reason: z.string() }),
  taxonomyStep.extend({ action: z.literal('create') }),
  taxonomyStep.extend({ action: z.literal('update'), id: z.string() }),
  taxonomyStep.extend({ action: z.literal('skip'), reason: z.string() }),
])

const savedOptions = z.object({
  prune: z.boolean(),
  onConflict: z.enum(['fail', 'skip', 'overwrite']),
  adopt: z.array(z.string()),
  maxDeletes: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('count'), count }),
    z.object({ kind: z.literal('share'), share: z.number().min(0) }),
  ]),
  yes: z.boolean(),
  sources: z.array(z.string()).nullable(),
  verify: z.boolean(),
  taxonomy: z.enum(['check', 'update']),
})

const savedPlan = z.object({
  format: z.literal(SAVED_PLAN_FORMAT),
  version: z.literal(SAVED_PLAN_VERSION),
  madeAt: z.string(),
  project: z.string(),
  target: z.object({ name: z.string(), address: z.string(), identity: z.string() }),
  options: savedOptions,
  operations: z.array(savedOperation),
  unchanged: z.object({ articles: count, taxonomy: count }),
  orphans: count,
  guard: z.string().nullable(),
}) satisfies z.ZodType<SavedPlan>

const REMEDY = 'Create one with kb plan --out FILE.'

/**
 * Writes a plan atomically: if that fails, an existing file stays unchanged.
 *
 * @param name the name of the file in messages
 * @throws KbError PLAN_UNWRITABLE
 */
export async function writeSavedPlan(name: string, file: string, plan: SavedPlan): Promise<void> {
  try {
    await writeFileWhole(file, `${JSON.stringify(plan, undefined, 2)}\n`)
  } catch (error) {
    throw new KbError(
      'PLAN_UNWRITABLE',
      `The plan could not be written to ${name}: ${reasonWithoutPath(error)}.`,
      { hint: 'Use a file in an existing, writable folder.', cause: error },
    )
  }
}

/** @throws KbError PLAN_INVALID if the file is missing, damaged, not a plan, or has another version */
export async function readSavedPlan(name: string, file: string): Promise<SavedPlan> {
  const value = parseJson(await readText(name, file), name)
  const { format, version } = header.catch({}).parse(value)
  if (format !== SAVED_PLAN_FORMAT) throw invalid(`${name} is not a plan of kb-sync.`)
  if (version !== SAVED_PLAN_VERSION) {
    const other = typeof version === 'number' ? `version ${version}` : 'no version'
    throw invalid(
      `The plan in ${name} has ${other}, and this kb-sync reads version ${SAVED_PLAN_VERSION}. Nothing was sent.`,
      'Create the plan again with this kb-sync: kb plan --out FILE.',
    )
  }
  const parsed = savedPlan.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw invalid(
    `The plan in ${name} is damaged (at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}).`,
  )
}

const header = z.object({ format: z.unknown(), version: z.unknown() }).partial()

async function readText(name: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw invalid(`The plan in ${name} could not be read: ${reasonWithoutPath(error)}.`, REMEDY, error)
  }
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid(`${name} is not a plan of kb-sync, or is damaged: ${reasonOf(error)}.`, REMEDY, error)
  }
}

function invalid(message: string, hint = REMEDY, cause?: unknown): KbError {
  return new KbError('PLAN_INVALID', message, { hint, cause })
}
