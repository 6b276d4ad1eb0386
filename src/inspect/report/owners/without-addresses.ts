/** Whether a text is an e-mail address. */
export function isEmailAddress(text: string): boolean {
  return /^[^\s<>@]+@[^\s<>@]+$/.test(text)
}

const ADDRESSES = /[<(]?(?:mailto:)?[^\s<>()@]+@[^\s<>()@]+[>)]?/gi

/** A person's name on one line, with no e-mail address in it: people write them into the strangest fields. */
export function withoutAddresses(name: string): string {
  return name.replace(ADDRESSES, ' ').replace(/\s+/g, ' ').trim()
}
