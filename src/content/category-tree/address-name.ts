/** What a name is called in an address where the files give it no slug. */
export function addressName(name: string): string {
  const slug = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s/?#]+/g, '-')
  return slug === '' ? '-' : slug
}
