import { useState } from 'react'
import { useThirdPartiesAllowed } from '#/features/consent/consent'
import { useSite } from '#/features/site/site'

/** The streets below a map. */
export interface Streets {
  /** The address of the style that draws them; null if the site has none, or if it must not be loaded. */
  style: string | undefined
  /** The other company that provides them, if the reader must be asked first. */
  provider: string | null
  /** Allows this map to load them. */
  allow: () => void
}

/** The streets below a map. Another company's streets are loaded only with the reader's permission. */
export function useStreets(): Streets {
  const { map } = useSite()
  const isAllowed = useThirdPartiesAllowed()
  const [isAllowedHere, setAllowedHere] = useState(false)
  const others = map ? otherHosts(map.style, map.origins) : []
  const [provider = null] = isAllowed || isAllowedHere ? [] : others
  return {
    style: provider === null ? map?.style : undefined,
    provider,
    allow: () => setAllowedHere(true),
  }
}

/** The hosts of other companies that a style loads from. */
function otherHosts(style: string, origins: readonly string[]): string[] {
  const addresses = [style, ...origins].map((address) => new URL(address, window.location.origin))
  return addresses.filter(({ origin }) => origin !== window.location.origin).map(({ host }) => host)
}
