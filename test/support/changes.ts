// One commit with every kind of change: what the tests of kills and lost answers are about.
import { article, type Files } from './project.ts'

export const BEFORE: Files = {
  'content/kept.md': article('Kept'),
  'content/edited.md': article('Edited'),
  'content/renamed.md': article('Renamed', { slug: 'old-name' }),
  'content/left.md': article('Left', { slug: 'left' }),
  'content/right.md': article('Right', { slug: 'right' }),
  'content/dropped.md': article('Dropped'),
}

/** Files that are new or other than before. */
export const AFTER: Files = {
  'content/new.md': article('New', { body: 'It is [kept](kept.md).' }),
  'content/edited.md': article('Edited', { body: 'Another text.' }),
  'content/renamed.md': article('Renamed', { slug: 'new-name' }),
  'content/left.md': article('Left', { slug: 'right' }),
  'content/right.md': article('Right', { slug: 'left' }),
}

export const DROPPED = 'content/dropped.md'

/** What is on the target then, as `slug: title: words`. */
export const WANTED = [
  'edited: Edited: Another text.',
  'kept: Kept: Text of Kept.',
  'left: Right: Text of Right.',
  'new-name: Renamed: Text of Renamed.',
  'new: New: It is kept.',
  'right: Left: Text of Left.',
]

/** What the next commit changes again: nothing that the one before has sent is wanted any more. */
export const LATER: Files = {
  'content/new.md': article('New', { body: 'It was [kept](kept.md).' }),
  'content/edited.md': article('Edited', { body: 'A third text.' }),
  'content/renamed.md': article('Renamed', { slug: 'newest-name', body: 'Renamed again.' }),
  'content/left.md': article('Left', { slug: 'left', body: 'Back.' }),
  'content/right.md': article('Right', { slug: 'right', body: 'Back.' }),
}

/** What is on the target after that. */
export const WANTED_LATER = [
  'edited: Edited: A third text.',
  'kept: Kept: Text of Kept.',
  'left: Left: Back.',
  'new: New: It was kept.',
  'newest-name: Renamed: Renamed again.',
  'right: Right: Back.',
]
