interface Policy {
  createHTML(html: string): TrustedHTML
  /** Returns an object that only functions of the browser accept; their types expect a string. */
  createScriptURL(url: string): string
}

interface Policies {
  createPolicy(
    name: string,
    rules: { createHTML(html: string): string; createScriptURL(url: string): string | null },
  ): Policy
}

/** The address of the service worker. */
const WORKER = '/sw.js'

/** Undefined in browsers without trusted types, which ignore the server's policy. */
const { trustedTypes } = window as { trustedTypes?: Policies }

// The only name that the server's Content-Security-Policy allows: no other code can create HTML or start a worker.
const policy = trustedTypes?.createPolicy('cityguide', {
  createHTML: (html) => html,
  createScriptURL: (url) => (url === WORKER ? url : null),
})

/** Only for HTML that the server has sanitised. */
export function trustedHtml(sanitised: string): string | TrustedHTML {
  return policy?.createHTML(sanitised) ?? sanitised
}

/** The address of the service worker, for its registration. */
export function workerAddress(): string {
  return policy?.createScriptURL(WORKER) ?? WORKER
}
