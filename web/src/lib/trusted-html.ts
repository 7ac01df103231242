interface Policy {
  createHTML(html: string): TrustedHTML
}

interface Policies {
  createPolicy(name: string, rules: { createHTML(html: string): string }): Policy
}

/** Undefined in browsers without trusted types, which ignore the server's policy. */
const { trustedTypes } = window as { trustedTypes?: Policies }

// The only name that the server's Content-Security-Policy allows: no other code can create HTML.
const policy = trustedTypes?.createPolicy('cityguide', { createHTML: (html) => html })

/** Only for HTML that the server has sanitised. */
export function trustedHtml(sanitised: string): string | TrustedHTML {
  return policy?.createHTML(sanitised) ?? sanitised
}
