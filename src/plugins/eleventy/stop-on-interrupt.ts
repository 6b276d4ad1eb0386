/**
 * Runs `stop` on the first Ctrl-C, before the process ends as it would have without it.
 *
 * @returns leaves Ctrl-C alone again
 */
export function stopOnInterrupt(stop: () => Promise<void>): () => void {
  const interrupt = () => {
    void stop().finally(() => {
      // Eleventy's command has a listener of its own once it watches; without any, this one stood in the way.
      if (process.listenerCount('SIGINT') === 0) process.kill(process.pid, 'SIGINT')
    })
  }
  process.once('SIGINT', interrupt)
  return () => process.off('SIGINT', interrupt)
}
