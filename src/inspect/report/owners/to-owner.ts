import type { Owner, OwnersShown } from '../../../web/report/report.ts'

/**
 * Somebody by name, and by e-mail address where these are to be shown. Who has no name goes by the address; undefined
 * where nothing is left to show.
 */
export function toOwner(
  { name, email = '' }: { readonly name: string; readonly email?: string | undefined },
  shown: OwnersShown,
): Owner | undefined {
  const plain = withoutAddresses(name)
  const address = [email, name].map((each) => each.trim()).find(isEmailAddress)
  if (shown === 'names' || address === undefined) return plain === '' ? undefined : { name: plain }
  return { name: plain === '' ? address : plain, email: address }
}

/** Whether a text is an e-mail address. */
function isEmailAddress(text: string): boolean {
  return /^[^\s<>@]+@[^\s<>@]+$/.test(text)
}

const ADDRESSES = /[<(]?(?:mailto:)?[^\s<>()@]+@[^\s<>()@]+[>)]?/gi

/** A person's name on one line, with no e-mail address in it: people write them into the strangest fields. */
function withoutAddresses(name: string): string {
  return name.replace(ADDRESSES, ' ').replace(/\s+/g, ' ').trim()
}
