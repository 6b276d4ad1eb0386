import { median } from '../measure/statistics.mjs'

/**
 * How the rows that were measured at several sizes grow: the exponent is the slope of a line through the medians, on
 * logarithmic scales. 1 is linear, 0 is constant.
 *
 * @param series `{ group, size, row }`: the rows of one group differ only in their size
 */
export function fitGrowth(series) {
  const groups = [...new Set(series.map(({ group }) => group))]
  return groups.flatMap((each) => {
    const measured = series.filter(({ group }) => group === each)
    const [{ row: first }] = measured
    if (measured.length < 2) return []
    const exponentOf = (samplesOf) => {
      const points = measured.flatMap(({ size, row }) => {
        const samples = samplesOf(row)
        return samples === undefined ? [] : [[Math.log(size), Math.log(median(samples))]]
      })
      return points.length < 2 ? undefined : slopeOf(points)
    }
    const beside = first.beside.flatMap(({ name }) => {
      const exponent = exponentOf((row) => row.beside.find((other) => other.name === name)?.samples)
      return exponent === undefined ? [] : [{ name, samples: [exponent] }]
    })
    return [
      {
        title: `growth: ${first.title.replace(/,? (?:of )?[\d,]+(?: documents)?/, '')}`,
        unit: 'exponent',
        ours: [exponentOf((row) => row.ours)],
        beside,
      },
    ]
  })
}

/** Of the line with the least squared distances. */
function slopeOf(points) {
  const mean = (at) => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const above = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0)
  const below = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
  return above / below
}
