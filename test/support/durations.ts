// How long each test file takes is stored in test/durations.json: workers take long files first, and shards are equally
// long. `npm run durations` stores them anew.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from 'vitest/node'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const STORE = fileURLToPath(new URL('../durations.json', import.meta.url))

/** Seconds by path from the root of the repository. */
type Durations = Readonly<Record<string, number>>

const stored: Durations = existsSync(STORE) ? (JSON.parse(readFileSync(STORE, 'utf8')) as Durations) : {}

const figures = Object.values(stored)

/** A file that is not in the list counts as an average one, so that shards stay equal as tests are added. */
const UNKNOWN = figures.reduce((sum, seconds) => sum + seconds, 0) / Math.max(1, figures.length)

const pathOf = (file: string): string => relative(ROOT, file).split(sep).join('/')
const durationOf = ({ moduleId }: TestSpecification): number => stored[pathOf(moduleId)] ?? UNKNOWN

/** Projects one after the other, so that workers stay what they are, and the longest files of each first. */
export class DurationSequencer extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = files.toSorted(
      (a, b) =>
        a.project.name.localeCompare(b.project.name) ||
        durationOf(b) - durationOf(a) ||
        a.moduleId.localeCompare(b.moduleId),
    )
    return Promise.resolve(sorted)
  }

  /** The longest file that is left goes to the shard that has least to do. */
  override shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 }
    const shards = Array.from({ length: count }, () => ({ seconds: 0, files: [] as TestSpecification[] }))
    const longestFirst = files.toSorted(
      (a, b) => durationOf(b) - durationOf(a) || a.moduleId.localeCompare(b.moduleId),
    )
    for (const file of longestFirst) {
      const shortest = shards.reduce((least, shard) => (shard.seconds < least.seconds ? shard : least))
      shortest.seconds += durationOf(file)
      shortest.files.push(file)
    }
    return Promise.resolve(shards[index - 1]?.files ?? [])
  }
}

/** Stores how long the files of this run took; what was not run keeps its figure while its file is there. */
export class DurationReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const measured = modules.map((module) => [
      pathOf(module.moduleId),
      Math.round(module.diagnostic().duration / 100) / 10,
    ])
    const all = Object.entries<number>({ ...stored, ...Object.fromEntries(measured) })
    const kept = all.filter(([path]) => existsSync(new URL(`../../${path}`, import.meta.url)))
    const sorted = kept.toSorted(([a], [b]) => (a < b ? -1 : 1))
    writeFileSync(STORE, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`)
  }
}
