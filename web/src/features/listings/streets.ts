import { useState } from 'react'
import { useThirdPartiesAllowed } from '#/features/consent/consent'
import { useSite } from '#/features/site/site'

/** The streets below a map. */
export interface Streets {
  /** The address of the style that draws them; none if the site has none, or while it may not be loaded. */
  style: string | undefined
  /** The company that they would come from, if the reader has to be asked first. */
  askedOf: string | null
  /** Lets this map load them. */
  allow: () => void
}

/** The streets below a map. Those of another company are loaded only if the reader lets pages load such things. */
export function useStreets(): Streets {
  const { map } = useSite()
  const isAllowed = useThirdPartiesAllowed()
  const [isAllowedHere, setAllowedHere] = useState(false)
  const others = map ? otherHosts(map.style, map.origins) : []
  const [askedOf = null] = isAllowed || isAllowedHere ? [] : others
  return {
    style: askedOf === null ? map?.style : undefined,
    askedOf,
    allow: () => setAllowedHere(true),
  }
}

/** The hosts of other companies that a style is loaded from. */
function otherHosts(style: string, origins: readonly string[]): string[] {
  const addresses = [style, ...origins].map((address) => new URL(address, window.location.origin))
  return addresses.filter(({ origin }) => origin !== window.location.origin).map(({ host }) => host)
}
