interface Policies {
  createPolicy(
    name: 'networks',
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string }
}

/** The scripts of the networks that the site's settings name. */
const named = new Set<string>()
const loading = new Map<string, Promise<void>>()

/** Undefined in browsers without trusted types, which ignore the server's policy. */
const { trustedTypes } = window as { trustedTypes?: Policies }

// The server's Content-Security-Policy allows this name only on sites with a network.
const policy = trustedTypes?.createPolicy('networks', {
  createScriptURL: (url) => {
    if (!named.has(url)) throw new TypeError(`${url} is not a network’s script`)
    return url
  },
})

/** Loads a network's script, once. */
export function loadScript(url: string): Promise<void> {
  named.add(url)
  const known = loading.get(url)
  if (known) return known
  const loaded = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.async = true
    script.src = policy?.createScriptURL(url) ?? url
    script.onload = () => resolve()
    script.onerror = () => {
      // The next page retries.
      loading.delete(url)
      script.remove()
      reject(new Error(`${url} did not load`))
    }
    document.head.append(script)
  })
  loading.set(url, loaded)
  return loaded
}
