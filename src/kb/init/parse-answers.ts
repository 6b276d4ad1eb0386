import { posix } from 'node:path'
import { isLanguageCode } from '../../core/language-code.ts'
import { parseUrl } from '../../core/parse-url.ts'

/** A parsed answer: the value, or the problem as a sentence. */
export type Parsed<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'wrong'; readonly reason: string }

/** Accepts the project folder, or one below it. */
export function parseContentFolder(text: string): Parsed<string> {
  const path = posix.normalize(text.trim().replaceAll('\\', '/')).replace(/\/+$/, '')
  const isWithin =
    text.trim() !== '' && path !== '..' && !path.startsWith('../') && !/^(\/|[A-Za-z]:)/.test(path)
  const isPlain = path === '.' || path.split('/').every((name) => name !== '' && !name.startsWith('.'))
  return isWithin && isPlain && !/[\p{Cc}]/u.test(path)
    ? { kind: 'value', value: path }
    : { kind: 'wrong', reason: 'It must be a folder inside the project, such as content or docs/help.' }
}

/**
 * Rejects URLs with user name, password, query or fragment: many people read the configuration, and paths are appended.
 */
function isPlainAddress({ protocol, hostname, username, password, search, hash }: URL): boolean {
  const isOwn = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isOwn)
  return isSafe && [username, password, search, hash].every((part) => part === '')
}

export function parseTargetAddress(text: string): Parsed<string> {
  const url = text.trim()
  const address = parseUrl(url)
  return address !== undefined && isPlainAddress(address)
    ? { kind: 'value', value: url }
    : {
        kind: 'wrong',
        reason:
          'It must be a URL that starts with https://, or http:// on this machine, without a user name, ? or #.',
      }
}

export function parseLanguage(text: string): Parsed<string> {
  const language = text.trim()
  return isLanguageCode(language)
    ? { kind: 'value', value: language }
    : { kind: 'wrong', reason: 'It must be a language code such as en or pt-BR.' }
}
