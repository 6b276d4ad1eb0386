/** Makes names that are each given out once: `guides`, `guides-2`. */
export function createFreeNames(): (wanted: string) => string {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return (wanted) => {
    let count = counts.get(wanted) ?? 1
    const nameOf = () => (count === 1 ? wanted : `${wanted}-${count}`)
    while (taken.has(nameOf())) count++
    counts.set(wanted, count)
    taken.add(nameOf())
    return nameOf()
  }
}
