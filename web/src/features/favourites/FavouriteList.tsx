import { useEffect, useRef, useState, type FormEvent } from 'react'
import type { Favourite } from '#/api/types'
import { PlaceCard } from '#/features/listings/PlaceCard'
import { Grid, GridSkeleton } from '#/features/grid/Grid'
import { Button } from '#/ui/Button'
import { SearchIcon } from '#/ui/icons'
import { LoadMore } from '#/ui/LoadMore'
import { Notice } from '#/ui/Notice'
import { PageHead } from '#/ui/PageHead'
import { Retry } from '#/ui/Retry'
import { SelectField } from '#/ui/SelectField'
import { SiteLink } from '#/ui/SiteLink'
import { favourites } from './favourites'
import styles from './FavouriteList.module.css'
import { Heart } from './Heart'
import type { FavouriteFilters } from './keys'
import { useFavouriteList } from './use-favourite-list'

const ORDERINGS = [
  { value: '-date_created', label: 'Saved last' },
  { value: 'date_created', label: 'Saved first' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
] as const

const ALL: FavouriteFilters = { ordering: '-date_created', keywords: '' }

export function FavouriteList() {
  const [filters, setFilters] = useState(ALL)
  const list = useFavouriteList(filters)
  const isBare = list.isEmpty && !filters.keywords
  return (
    <>
      <PageHead
        title="Favourites"
        deck={list.total > 0 ? `${list.total.toLocaleString()} kept for later` : ''}
      />
      {!isBare && !list.isFailed && <Tools filters={filters} onChange={setFilters} />}
      {list.isPending ? (
        <GridSkeleton what="places" count={4} />
      ) : list.isFailed ? (
        <Retry onRetry={list.retry} />
      ) : list.isEmpty ? (
        <Empty keywords={filters.keywords} onClear={() => setFilters(ALL)} />
      ) : (
        <>
          <h2 className="visually-hidden">Your favourites</h2>
          <Favourites items={list.items} />
          <LoadMore
            hasMore={list.hasMore}
            isLoading={list.isLoadingMore}
            isFailed={list.isMoreFailed}
            loaded={list.items.length}
            total={list.total}
            onMore={list.more}
          />
        </>
      )}
    </>
  )
}

/** The focus moves on when the item that held it goes. */
function Favourites({ items }: { items: readonly Favourite[] }) {
  const frame = useRef<HTMLDivElement>(null)
  const focused = useRef(-1)

  useEffect(() => {
    if (focused.current < 0 || document.activeElement !== document.body) return
    const hearts = frame.current?.querySelectorAll<HTMLElement>('[data-remove] button')
    hearts?.[Math.min(focused.current, hearts.length - 1)]?.focus()
    focused.current = -1
  }, [items])

  return (
    <div
      ref={frame}
      onClick={(event) => {
        const hearts = frame.current?.querySelectorAll('[data-remove] button')
        const button = (event.target as Element).closest('[data-remove] button')
        focused.current = button && hearts ? [...hearts].indexOf(button) : -1
      }}
    >
      <Grid>
        {items.map((item) => (
          <li key={item.id} data-remove>
            {'share_url' in item.listing ? (
              <PlaceCard
                place={item.listing}
                action={<Heart listingId={item.listing.id} name={item.listing.name} />}
              />
            ) : (
              <Tombstone item={item} />
            )}
          </li>
        ))}
      </Grid>
    </div>
  )
}

function Tombstone({ item }: { item: Favourite }) {
  return (
    <div className={styles.tombstone}>
      <h3>{item.listing.name}</h3>
      <p>This place is not listed any more.</p>
      <Button look="outline" onClick={() => favourites.takeOff(item.listing.id, item.id)}>
        Remove
      </Button>
    </div>
  )
}

function Empty({ keywords, onClear }: { keywords: string; onClear: () => void }) {
  if (keywords) {
    return (
      <Notice title={`No favourite is called “${keywords}”`}>
        <p>Try fewer words, or look through all of them.</p>
        <Button look="outline" onClick={onClear}>
          Show all favourites
        </Button>
      </Notice>
    )
  }
  return (
    <Notice title="You have no favourites yet.">
      <p>Tap the heart on a place to keep it here.</p>
      <SiteLink href="/places/">Browse places</SiteLink>
    </Notice>
  )
}

interface ToolsProps {
  filters: FavouriteFilters
  onChange: (filters: FavouriteFilters) => void
}

function Tools({ filters, onChange }: ToolsProps) {
  const [text, setText] = useState(filters.keywords)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const keywords = text.trim()
    if (keywords || filters.keywords) onChange({ ...filters, keywords })
  }
  return (
    <div className={styles.tools}>
      <form
        className={styles.search}
        role="search"
        aria-label="Your favourites"
        onSubmit={submit}
        key={filters.keywords}
      >
        <input
          type="search"
          aria-label="Search your favourites"
          placeholder="Search your favourites"
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" aria-label="Search">
          <SearchIcon />
        </button>
      </form>
      <SelectField
        label="Sort"
        value={filters.ordering}
        options={ORDERINGS}
        onChange={(ordering) => onChange({ ...filters, ordering })}
      />
    </div>
  )
}
