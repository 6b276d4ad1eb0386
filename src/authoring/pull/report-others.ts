import type { PlannedRun } from '../../sync/planning/planned-run.ts'
import type { PulledFile } from './pull-options.ts'
import type { FileReports } from './pulled-file.ts'

/** Articles of ours that no file stands for. */
export function reportOthers({ plan, matches, entries }: PlannedRun, { skipped }: FileReports): PulledFile[] {
  const orphans = plan.orphans.map((orphan) =>
    skipped({ ...orphan, source: '' }, 'its file is gone; kb sync --prune deletes it'),
  )
  // A draft is told of with the article that it stands beside.
  const draftIds = new Set(entries.flatMap(({ remote }) => remote?.draftId ?? []))
  const doubles = matches.doubles
    .filter(({ id }) => !draftIds.has(id))
    .map(({ id, slug, language }) =>
      skipped({ source: '', id, slug, language }, 'a second article of the same file; kb sync decides on it'),
    )
  return [...orphans, ...doubles]
}
