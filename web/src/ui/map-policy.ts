interface Rules {
  createHTML(html: string): string
  createScriptURL(url: string): string | null
}

interface Policies {
  createPolicy(name: 'default', rules: Rules): unknown
}

/**
 * The map's library starts its worker by a plain address, which trusted types reject. The default
 * policy allows only this address, and strips the tags from any HTML.
 */
export function allowWorker(worker: string): void {
  const { trustedTypes } = window as { trustedTypes?: Policies }
  trustedTypes?.createPolicy('default', {
    createHTML: (html) => html.replace(/<[^>]*>/g, '').replace(/</g, '&lt;'),
    createScriptURL: (url) => (url === worker ? url : null),
  })
}
