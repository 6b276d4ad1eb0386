// Checks a project in a thread, and tells how many arguments a call may have there, and how many problems were found.
import { parentPort, workerData } from 'node:worker_threads'

const { createKb } = await import(workerData.library)

let [most, tooMany] = [0, 10_000_000]
while (tooMany - most > 100) {
  const count = (most + tooMany) >> 1
  try {
    Math.max(...Array.from({ length: count }, () => 0))
    most = count
  } catch {
    tooMany = count
  }
}
const { diagnostics } = await createKb({ cwd: workerData.root }).check()
parentPort.postMessage({
  mostArguments: most,
  found: diagnostics.filter(({ code }) => code === 'link-file-missing').length,
})
