/** Whether a text given as a website may become a link. */
export function isWebAddress(address: string): boolean {
  return /^https?:\/\//i.test(address) && URL.canParse(address)
}

/** The host of a web address, without `www.`. */
export function hostOf(address: string): string {
  return new URL(address).hostname.replace(/^www\./, '')
}
