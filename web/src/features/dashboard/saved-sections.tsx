import type { FunctionComponent } from 'react'
import { PlaceCard } from '#/features/listings/PlaceCard'
import type { SavedName } from '#/features/saved/kinds'
import { SavedList } from '#/features/saved/SavedList'

function Favourites() {
  return (
    <SavedList
      kind="favourite"
      words={{
        unit: ['favourite', 'favourites'],
        hint: 'Tap the heart on a place to save it here.',
        browse: { label: 'Browse places', href: '/places/' },
        unavailable: 'This place is no longer listed.',
      }}
      card={({ listing }, control) =>
        'share_url' in listing ? <PlaceCard place={listing} action={control} /> : null
      }
    />
  )
}

/** The dashboard's list of each kind of saved thing, with the kind's card. */
export const SECTIONS: Record<SavedName, FunctionComponent> = { favourite: Favourites }
