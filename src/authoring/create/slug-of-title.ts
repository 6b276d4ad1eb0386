import GithubSlugger from 'github-slugger'

/** Returns a slug for a title in any script; '' if the title has no letter or digit. */
export function slugOfTitle(title: string): string {
  const elision = /(?<=\p{sc=Latin})['’](?=\p{L})(?!(?:s|t|re|ve|ll|d|m)(?!\p{L}))/giu // in l'été, not in it's
  return new GithubSlugger()
    .slug(title.normalize('NFC').replaceAll(elision, '-'))
    .replaceAll(/[\s/?#-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
}
