import { grouped } from '#/lib/words'
import { useEffect, useRef, useState, type SubmitEvent, type ReactNode } from 'react'
import { Grid, GridSkeleton } from '#/features/grid/Grid'
import { Button } from '#/ui/Button'
import { SearchIcon } from '#/ui/icons'
import { Loading } from '#/ui/Loading'
import { LoadMore } from '#/ui/LoadMore'
import { Notice } from '#/ui/Notice'
import { PageHead } from '#/ui/PageHead'
import { Retry } from '#/ui/Retry'
import { SelectField } from '#/ui/SelectField'
import { SiteLink } from '#/ui/SiteLink'
import type { SavedFilters } from './keys'
import { isToggled, SAVED_KINDS, type SavedItem, type SavedName } from './kinds'
import { SaveButton } from './SaveButton'
import { savedMap } from './saved'
import styles from './SavedList.module.css'
import { ViewSwitch } from './ViewSwitch'
import { useSavedList } from './use-saved-list'

const ORDERINGS = [
  { value: '-date_created', label: 'Newest first' },
  { value: 'date_created', label: 'Oldest first' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
] as const

const STATES = [
  { value: '', label: 'All' },
  { value: '0', label: 'To do' },
  { value: '1', label: 'Done' },
] as const

const ALL: SavedFilters = { ordering: '-date_created', keywords: '', completed: '' }

/** The texts of a kind's list. */
interface SavedListWords {
  /** The noun, singular and plural: ["favourite", "favourites"]. */
  unit: readonly [string, string]
  /** The verb below the title: "3 saved". */
  verb?: string
  /** How to add something; shown while the list is empty. */
  hint: string
  browse: { label: string; href: string }
  /** For a kind whose items can be done: the messages when none is done and when all are. */
  states?: { done: string; open: string }
  /** Shown with the name of an object that is no longer published. */
  unavailable: string
}

interface Props<K extends SavedName> {
  kind: K
  words: SavedListWords
  /**
   * The item's card with its control, which ratings supply themselves; null for an object that is
   * no longer published.
   */
  card: (item: SavedItem<K>, control: ReactNode) => ReactNode
  /** Whether the cards need a phone's whole width. */
  isWide?: boolean
  /** For kinds with places: a map of all that match the filters. */
  map?: (filters: SavedFilters) => ReactNode
}

/** The reader's saved things of a kind, with search, sorting and removal. */
export function SavedList<K extends SavedName>(props: Props<K>) {
  const { kind, words, map } = props
  const [filters, setFilters] = useState(ALL)
  const [isOnMap, setOnMap] = useState(false)
  const list = useSavedList(kind, filters)
  const { label } = SAVED_KINDS[kind].dashboard
  const hasNoneAtAll = list.isEmpty && !filters.keywords && !filters.completed
  return (
    <>
      <PageHead
        title={label}
        deck={list.total > 0 ? `${grouped(list.total)} ${words.verb ?? 'saved'}` : ''}
      />
      {!hasNoneAtAll && !list.isFailed && (
        <Tools words={words} filters={filters} onChange={setFilters}>
          {map && <ViewSwitch isOnMap={isOnMap} onChange={setOnMap} />}
        </Tools>
      )}
      {list.isPending ? (
        <Loading>
          <GridSkeleton what={words.unit[1]} count={4} />
        </Loading>
      ) : list.isFailed ? (
        <Retry onRetry={list.retry} />
      ) : list.isEmpty ? (
        <Empty words={words} filters={filters} onClear={() => setFilters(ALL)} />
      ) : isOnMap && map ? (
        map(filters)
      ) : (
        <>
          <h2 className="visually-hidden">Your {words.unit[1]}</h2>
          <Items {...props} items={list.items} />
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

interface ItemsProps<K extends SavedName> extends Omit<Props<K>, 'map'> {
  items: readonly SavedItem<K>[]
}

/** When the focused item is removed, its neighbour gets the focus. */
function Items<K extends SavedName>({ kind, words, card, isWide, items }: ItemsProps<K>) {
  const frame = useRef<HTMLDivElement>(null)
  const focused = useRef(-1)

  useEffect(() => {
    if (focused.current < 0 || document.activeElement !== document.body) return
    const controls = frame.current?.querySelectorAll<HTMLElement>('[data-remove] button')
    controls?.[Math.min(focused.current, controls.length - 1)]?.focus()
    focused.current = -1
  }, [items])

  return (
    <div
      ref={frame}
      role="presentation"
      onClick={(event) => {
        const controls = frame.current?.querySelectorAll('[data-remove] button')
        const button = (event.target as Element).closest('[data-remove] button')
        focused.current = button && controls ? [...controls].indexOf(button) : -1
      }}
    >
      <Grid isWide={isWide}>
        {items.map((item) => {
          const { id, name } = SAVED_KINDS[kind].objectOf(item)
          const control = isToggled(kind) && <SaveButton kind={kind} objectId={id} name={name} />
          return (
            <li key={item.id} data-remove>
              {card(item, control) ?? (
                <Tombstone
                  name={name}
                  text={words.unavailable}
                  onRemove={() => savedMap(kind).removeListed(id, item.id)}
                />
              )}
            </li>
          )
        })}
      </Grid>
    </div>
  )
}

interface TombstoneProps {
  name: string
  text: string
  onRemove: () => void
}

function Tombstone({ name, text, onRemove }: TombstoneProps) {
  return (
    <div className={styles.tombstone}>
      <h3>{name}</h3>
      <p>{text}</p>
      <Button look="outline" onClick={onRemove}>
        Remove
      </Button>
    </div>
  )
}

interface EmptyProps {
  words: SavedListWords
  filters: SavedFilters
  onClear: () => void
}

function Empty({ words, filters: { keywords, completed }, onClear }: EmptyProps) {
  const [one, many] = words.unit
  if (!keywords && completed && words.states) {
    return (
      <Notice title={completed === '1' ? words.states.done : words.states.open}>
        <Button look="outline" onClick={onClear}>
          Show all {many}
        </Button>
      </Notice>
    )
  }
  if (keywords) {
    return (
      <Notice title={`No ${one} matches “${keywords}”`}>
        <p>Try fewer words, or look through all of them.</p>
        <Button look="outline" onClick={onClear}>
          Show all {many}
        </Button>
      </Notice>
    )
  }
  return (
    <Notice title={`You have no ${many} yet.`}>
      <p>{words.hint}</p>
      <SiteLink href={words.browse.href}>{words.browse.label}</SiteLink>
    </Notice>
  )
}

interface ToolsProps {
  words: SavedListWords
  filters: SavedFilters
  onChange: (filters: SavedFilters) => void
  children: ReactNode
}

function Tools({ words, filters, onChange, children }: ToolsProps) {
  const [, many] = words.unit
  const [text, setText] = useState(filters.keywords)
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const keywords = text.trim()
    if (keywords || filters.keywords) onChange({ ...filters, keywords })
  }
  return (
    <div className={styles.tools}>
      <form
        className={styles.search}
        role="search"
        aria-label={`Your ${many}`}
        onSubmit={submit}
        key={filters.keywords}
      >
        <input
          type="search"
          aria-label={`Search your ${many}`}
          placeholder={`Search your ${many}`}
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" aria-label="Search">
          <SearchIcon />
        </button>
      </form>
      {words.states && (
        <SelectField
          label="Show"
          value={filters.completed}
          options={STATES}
          onChange={(completed) => onChange({ ...filters, completed })}
        />
      )}
      <SelectField
        label="Sort"
        value={filters.ordering}
        options={ORDERINGS}
        onChange={(ordering) => onChange({ ...filters, ordering })}
      />
      {children}
    </div>
  )
}
