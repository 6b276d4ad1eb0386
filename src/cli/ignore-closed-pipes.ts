/**
 * Whoever reads what we print may stop reading, as `head` does: that ends neither the work nor its exit code, and what
 * is printed from then on is lost.
 */
export function ignoreClosedPipes({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>): void {
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}
