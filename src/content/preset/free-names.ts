/** Makes names that are each given out once: `guides`, `guides-2`. */
export function createFreeNames(): (wanted: string) => string {
  const taken = new Set<string>()
  return (wanted) => {
    let name = wanted
    for (let count = 2; taken.has(name); count++) name = `${wanted}-${count}`
    taken.add(name)
    return name
  }
}
