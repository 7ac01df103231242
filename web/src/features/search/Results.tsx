import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Found, Listing, SearchPage, Site } from '#/api/types'
import { Grid, GridSkeleton } from '#/features/grid/Grid'
import { Shelf } from '#/features/grid/Shelf'
import { LatePlacesMap } from '#/features/listings/LatePlacesMap'
import { useSite } from '#/features/site/site'
import { itemsOf } from '#/lib/paging'
import { grouped } from '#/lib/words'
import { Button } from '#/ui/Button'
import { Loaded } from '#/ui/Loaded'
import { LoadMore } from '#/ui/LoadMore'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import { kindsOf, searchAddress, type KindCategory } from './categories'
import { SearchResult } from './SearchResult'
import { NearMe } from './NearMe'
import { NoResults } from './NoResults'
import { resultPagesOptions, resultsOptions, type Search } from './queries'
import { Interpretation } from './Interpretation'
import styles from './Results.module.css'

/** The number of results of each kind, if all kinds are shown. */
const SHOWN = 4

interface Props {
  search: Search
  onNear: (position: string) => void
}

/** The results of a search: a few of each kind, or all of one. */
export function Results({ search, onNear }: Props) {
  const results = useQuery(resultsOptions(search))
  return (
    <Loaded query={results} skeleton={<GridSkeleton what="results" />}>
      {(page) => <FirstResults search={search} page={page} onNear={onNear} />}
    </Loaded>
  )
}

function FirstResults({ search, page, onNear }: Props & { page: SearchPage }) {
  const site = useSite()
  const { words, category } = search
  const one = kindsOf(site).find(({ value }) => value === category)
  return (
    <>
      <Interpretation words={words} category={category} answer={page} />
      {page.understood.near && !search.near && (
        <NearMe onPosition={onNear}>It is not stored.</NearMe>
      )}
      <p className={styles.summary} role="status">
        {countText(page, one)}
      </p>
      {page.results.length === 0 ? (
        <NoResults words={words} category={category} />
      ) : one ? (
        <OneKind search={search} kind={one} first={page} />
      ) : (
        <AllKinds words={words} results={page.results} site={site} />
      )}
    </>
  )
}

/** The kinds in the order of their best results. */
function AllKinds({ words, results, site }: { words: string; results: Found[]; site: Site }) {
  const place = (kind: KindCategory): number =>
    results.findIndex((found) => found.kind === kind.kind)
  const kinds = kindsOf(site)
    .filter((kind) => place(kind) >= 0)
    .sort((one, other) => place(one) - place(other))
  return kinds.map(({ value, kind, label, unit: [, many] }) => (
    <section key={value} className={styles.kind}>
      <SectionHeading
        aside={<SiteLink href={searchAddress(value, words)}>All {many} that match</SiteLink>}
      >
        {label}
      </SectionHeading>
      <Shelf>
        {results
          .filter((found) => found.kind === kind)
          .slice(0, SHOWN)
          .map((found) => (
            <li key={found.id}>
              <SearchResult found={found} />
            </li>
          ))}
      </Shelf>
    </section>
  ))
}

interface OneKindProps {
  search: Search
  kind: KindCategory
  first: SearchPage
}

function OneKind({ search, kind, first }: OneKindProps) {
  const list = useInfiniteQuery(resultPagesOptions(search, first))
  const [hasMap, setHasMap] = useState(false)
  const pages = list.data.pages
  const items = itemsOf(pages)
  const places = items.filter((found): found is Found & Listing => found.kind === 'listing')
  return (
    <>
      <h2 className="visually-hidden">{kind.label}</h2>
      {places.length > 0 && (
        <div className={styles.map}>
          <Button look="outline" aria-expanded={hasMap} onClick={() => setHasMap(!hasMap)}>
            {hasMap ? 'Hide the map' : 'Show on a map'}
          </Button>
          {hasMap && <LatePlacesMap what="the places that match" places={places} />}
        </div>
      )}
      <Grid>
        {items.map((found) => (
          <li key={found.id}>
            <SearchResult found={found} />
          </li>
        ))}
      </Grid>
      <LoadMore
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        isFailed={list.isFetchNextPageError}
        loaded={items.length}
        total={pages[0]?.count ?? -1}
        onMore={() => void list.fetchNextPage()}
      />
    </>
  )
}

function countText({ count, results }: SearchPage, kind: KindCategory | undefined): string {
  if (results.length === 0) return ''
  const [one, many] = kind?.unit ?? ['result', 'results']
  // Only the best 300 are ranked.
  if (count === -1) return `The best 300 ${many}`
  return count === 1 ? `1 ${one}` : `${grouped(count)} ${many}`
}
