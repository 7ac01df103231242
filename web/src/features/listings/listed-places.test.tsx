import { screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import type { Listing } from '#/api/types'
import { Ranking } from '#/features/best-of/Ranking'
import { RatedPlace } from '#/features/ratings/RatedPlace'
import { SearchResult } from '#/features/search/SearchResult'
import { placeOf } from '../../../test/places'
import { renderApp } from '../../../test/render-app'
import { PlaceCard } from './PlaceCard'
import { NameList } from './PlaceRows'

const place = placeOf(1, { name: 'The Loop', rating: 4.2, voters: 12 })

const forms: Record<string, (place: Listing) => ReactNode> = {
  'a card': (listing) => <PlaceCard place={listing} />,
  'a list of names': (listing) => <NameList places={[listing]} />,
  'a best-of list': (listing) => <Ranking entries={[{ rank: 1, listing, text: '' }]} />,
  'a search result': (listing) => (
    <SearchResult found={{ ...listing, kind: 'listing', highlight: { name: [], text: [] } }} />
  ),
}

async function shown(element: ReactNode): Promise<HTMLElement> {
  renderApp(<main>{element}</main>)
  const main = await screen.findByRole('main')
  expect(main).toHaveTextContent('The Loop')
  return main
}

it.each(Object.entries(forms))('%s shows the mean and the number of votes', async (_, form) => {
  expect(await shown(form(place))).toHaveTextContent('Rated 4.2 of 5 (12 votes)')
})

it.each(Object.entries(forms))('%s shows no rating without votes', async (_, form) => {
  const main = await shown(form({ ...place, rating: null, voters: 0 }))
  expect(main).not.toHaveTextContent(/Rated|votes/)
})

it.each(Object.entries(forms))('%s shows no rating of a closed place', async (_, form) => {
  expect(await shown(form({ ...place, is_closed: true }))).not.toHaveTextContent(/Rated|votes/)
})

it('shows the reader’s own stars instead of the mean if they are beside the card', async () => {
  const main = await shown(<RatedPlace place={place} rating={2} />)
  expect(main).not.toHaveTextContent(/Rated|votes/)
  expect(screen.getByRole('radio', { name: '2 stars' })).toBeChecked()
})
