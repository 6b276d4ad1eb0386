import type { VFile } from 'vfile'
import type { Problem } from '../../core/model/diagnostic.ts'
import type { SourcePlaces } from './source-places.ts'

type PluginMessage = VFile['messages'][number]

/** What a plugin of the user says of the text with `file.message()`. */
export function pluginProblem(
  { reason, place, source, ruleId, url }: PluginMessage,
  places: SourcePlaces,
): Problem {
  const name = [source, ruleId].filter((part) => part !== undefined && part !== '').join(':')
  const hint = url === undefined ? undefined : `See ${url}`
  return {
    code: 'plugin-message',
    ...places.of({ position: positionOf(place) }),
    message: name === '' ? reason : `${reason} (${name})`,
    ...(hint !== undefined && { hint }),
  }
}

function positionOf(place: PluginMessage['place']) {
  if (place === undefined) return undefined
  return 'start' in place ? place : { start: place, end: place }
}
