import type { MaxDeletes, Settings } from '../../core/config/settings.ts'
import type { SavedPlan } from '../plan/saved/saved-plan.ts'
import { contentPrefix } from '../content-project.ts'

/** The command line that makes a saved plan anew, with every flag that the configuration does not stand for. */
export function spellPlanCommand(file: string, { options, target }: SavedPlan, settings: Settings): string {
  const { prune, onConflict, adopt, maxDeletes, yes, sources, verify } = options
  const { sync, targets } = settings
  const isNamed = target.name === 'builtin' || Object.hasOwn(targets, target.name)
  const words = [
    ...(sources ?? []).map((source) => `${contentPrefix(settings)}${source}`),
    ...(isNamed && target.name !== settings.target.name ? ['--target', target.name] : []),
    ...(prune && !sync.prune ? ['--prune'] : []),
    ...(onConflict === sync.onConflict ? [] : ['--on-conflict', onConflict]),
    ...adopt.flatMap((slug) => ['--adopt', slug]),
    ...(spellDeletes(maxDeletes) === spellDeletes(sync.maxDeletes)
      ? []
      : ['--max-deletes', spellDeletes(maxDeletes)]),
    ...(verify ? ['--verify'] : []),
    ...(yes ? ['--yes'] : []),
    '--out',
    file,
  ]
  return ['kb plan', ...words.map(quoted)].join(' ')
}

function spellDeletes(maxDeletes: MaxDeletes): string {
  return maxDeletes.kind === 'count'
    ? String(maxDeletes.count)
    : `${Number((maxDeletes.share * 100).toFixed(9))}%`
}

function quoted(word: string): string {
  return /^[\w./:%@+=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
