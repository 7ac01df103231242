/** Whether a text that somebody gave as a website may become a link. */
export function isWebAddress(address: string): boolean {
  return /^https?:\/\//i.test(address) && URL.canParse(address)
}

/** A web address as a reader says it. */
export function hostOf(address: string): string {
  return new URL(address).hostname.replace(/^www\./, '')
}
