import type { Settings, TargetSettings } from '../../core/config/settings.ts'
import { describeDatabase, isDatabaseUrl } from '../../core/database-url.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { relativePath } from '../../core/paths.ts'
import type { SavedPlan, SavedTarget } from '../plan/saved/saved-plan.ts'
import type { PlanToHold, SyncContentOptions } from '../sync-options.ts'
import { targetIdentity } from '../state/workspace.ts'

/** Throws if a plan belongs to another target or project. @throws KbError PLAN_ELSEWHERE */
export function assertPlanIsOf(
  { file, plan: { project, target } }: PlanToHold,
  settings: Settings,
  actual: TargetSettings,
): void {
  if (project !== settings.project) {
    throw elsewhere(
      `The plan in ${file} is for the project "${project}", but this project is "${settings.project}".`,
      'Run it in its own project, or create a plan here with kb plan --out.',
    )
  }
  const here = identifyTarget(actual, settings)
  if (here.identity === target.identity) return
  const which =
    here.address === target.address
      ? 'with another key'
      : `but the target of this run is ${spellTarget(here)}`
  throw elsewhere(
    `The plan in ${file} is for ${spellTarget(target)}, ${which}.`,
    'Set the URL and key for which the plan was created, or create a plan here with kb plan --out.',
  )
}

function spellTarget({ name, address }: SavedTarget): string {
  return name === address ? address : `"${name}" (${address})`
}

/** Name of the plan's target in the configuration; undefined if it must be the default one. */
export function targetNameOfPlan({ target: { name } }: SavedPlan, { targets }: Settings): string | undefined {
  return name === 'builtin' || Object.hasOwn(targets, name) ? name : undefined
}

/** Returns all options that the plan was made with. Guards can also be confirmed when it is executed. */
export function optionsOfPlan(
  { options }: SavedPlan,
  yes: boolean,
): Pick<SyncContentOptions, 'prune' | 'onConflict' | 'adopt' | 'maxDeletes' | 'yes' | 'sources' | 'verify'> {
  const { prune, onConflict, adopt, maxDeletes, sources, verify } = options
  return {
    prune,
    onConflict,
    adopt,
    maxDeletes,
    verify,
    yes: yes || options.yes,
    sources: sources ?? undefined,
  }
}

/** Returns the configuration with the plan's setting for categories and tags. */
export function settingsOfPlan(settings: Settings, { options: { taxonomy } }: SavedPlan): Settings {
  return { ...settings, sync: { ...settings.sync, taxonomy } }
}

function elsewhere(message: string, hint: string): KbError {
  return new KbError('PLAN_ELSEWHERE', `${message} Nothing was sent.`, { hint })
}

/** Describes the target for a saved plan. The built-in target is that of the project, even if its folder has moved. */
export function identifyTarget(target: TargetSettings, { root, server }: Settings): SavedTarget {
  const { name } = target
  if (target.kind === 'remote') {
    const { url, apiKey = '' } = target
    return { name, address: url, identity: targetIdentity(url, apiKey) }
  }
  const { db } = server
  const database = isDatabaseUrl(db) ? describeDatabase(db) : relativePath(root, db)
  return { name, address: database, identity: targetIdentity(database, 'builtin') }
}
