interface Policy {
  createHTML(html: string): TrustedHTML
}

interface Policies {
  createPolicy(name: string, rules: { createHTML(html: string): string }): Policy
}

/** Absent where the browser does not know trusted types; the server's policy then means nothing to it. */
const { trustedTypes } = window as { trustedTypes?: Policies }

// The one name that the server's Content-Security-Policy allows: nothing else becomes HTML here.
const policy = trustedTypes?.createPolicy('cityguide', { createHTML: (html) => html })

/** HTML that the server has sanitised before it sent it, and nothing else, may come here. */
export function trustedHtml(sanitised: string): string | TrustedHTML {
  return policy?.createHTML(sanitised) ?? sanitised
}
