import { useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react'
import type { SavedTakeout, TakeoutEntry, TakeoutReview } from '#/api/types'
import { SAVED_KINDS } from '#/features/saved/kinds'
import { grouped } from '#/lib/words'
import { Button } from '#/ui/Button'
import { Failure } from '#/ui/form/Failure'
import { useSaveTakeout } from './mutations'
import { groupsOf, kindFor, places, restOf, summaryOf, type Match, type PlaceKind } from './review'
import styles from './Takeout.module.css'

const KINDS: readonly PlaceKind[] = ['favourite', 'todo']
const FIELDS = ['listings', 'kind'] as const

interface Props {
  review: TakeoutReview
  onSaved: (saved: SavedTakeout, kind: PlaceKind) => void
  /** Content beside the save button. */
  children: ReactNode
}

/** The matches of a file. Sure matches are ticked. */
export function Review({ review, onSaved, children }: Props) {
  const groups = useMemo(() => groupsOf(review.results), [review])
  const [chosen, setChosen] = useState<ReadonlySet<number>>(
    () => new Set(groups.sure.map(({ listing }) => listing.id)),
  )
  const [kind, setKind] = useState(() => kindFor(review.list))
  const save = useSaveTakeout()
  const title = useRef<HTMLHeadingElement>(null)
  const id = useId()
  useEffect(() => title.current?.focus(), [])

  const choose = (listing: number, isChosen: boolean): void => {
    const next = new Set(chosen)
    if (isChosen) next.add(listing)
    else next.delete(listing)
    setChosen(next)
  }
  const send = (): void =>
    save.mutate({ listings: [...chosen], kind }, { onSuccess: (saved) => onSaved(saved, kind) })
  const rest = restOf(review)
  const hasMatches = groups.sure.length + groups.perhaps.length > 0
  return (
    <div className={styles.result}>
      <h2 ref={title} className={styles.list} tabIndex={-1}>
        {review.list || 'Your file'}: {places(review.results.length)}
      </h2>
      <p role="status">{summaryOf(groups)}</p>
      {rest && <p className={styles.note}>{rest}</p>}
      <Choices title="Found for sure" matches={groups.sure} chosen={chosen} onChoose={choose} />
      <Choices
        title="Possible matches"
        matches={groups.perhaps}
        chosen={chosen}
        onChoose={choose}
      />
      <Others title="Not in our guide" entries={groups.none} />
      <Others title="In other cities" entries={groups.elsewhere} />
      {hasMatches && (
        <fieldset className={styles.kinds}>
          <legend>Save them to</legend>
          {KINDS.map((name) => (
            <label key={name}>
              <input
                type="radio"
                name={id}
                checked={kind === name}
                onChange={() => setKind(name)}
              />
              Your {SAVED_KINDS[name].dashboard.label.toLowerCase()}
            </label>
          ))}
        </fieldset>
      )}
      <Failure error={save.error} fields={FIELDS} />
      <div className={styles.actions}>
        {hasMatches && (
          <Button disabled={chosen.size === 0} isBusy={save.isPending} onClick={send}>
            Save {places(chosen.size)}
          </Button>
        )}
        {children}
      </div>
    </div>
  )
}

interface ChoicesProps {
  title: string
  matches: readonly Match[]
  chosen: ReadonlySet<number>
  onChoose: (listing: number, isChosen: boolean) => void
}

function Choices({ title, matches, chosen, onChoose }: ChoicesProps) {
  if (matches.length === 0) return null
  return (
    <fieldset className={styles.choices}>
      <legend>
        {title} <span className={styles.count}>{grouped(matches.length)}</span>
      </legend>
      <ul>
        {matches.map((match) => (
          <Choice
            key={match.listing.id}
            {...match}
            isChosen={chosen.has(match.listing.id)}
            onChoose={onChoose}
          />
        ))}
      </ul>
    </fieldset>
  )
}

interface ChoiceProps extends Match {
  isChosen: boolean
  onChoose: (listing: number, isChosen: boolean) => void
}

function Choice({ entry, listing, isChosen, onChoose }: ChoiceProps) {
  const { id, name, address, default_neighborhood: area, share_url, is_closed } = listing
  const where = [address, area?.name, is_closed && 'closed'].filter(Boolean).join(', ')
  const theirs = [entry.name, entry.address].filter(Boolean).join(', ')
  const isNamedAlike = entry.name.toLowerCase() === name.toLowerCase()
  return (
    <li className={styles.choice}>
      <label>
        <input
          type="checkbox"
          checked={isChosen}
          onChange={(event) => onChoose(id, event.currentTarget.checked)}
        />
        <span>
          <b>{name}</b>
          {where && <span className={styles.note}>{where}</span>}
          {(entry.certainty === 'perhaps' || !isNamedAlike) && (
            <span className={styles.note}>You saved: {theirs}</span>
          )}
          {entry.note && <q className={styles.note}>{entry.note}</q>}
        </span>
      </label>
      <a
        href={share_url}
        target="_blank"
        rel="noreferrer"
        aria-label={`Look at ${name} in a new tab`}
      >
        Look
      </a>
    </li>
  )
}

function Others({ title, entries }: { title: string; entries: readonly TakeoutEntry[] }) {
  if (entries.length === 0) return null
  return (
    <details className={styles.others}>
      <summary>
        {title} <span className={styles.count}>{grouped(entries.length)}</span>
      </summary>
      <ul>
        {entries.map(({ name, address }, number) => (
          <li key={number}>
            {name}
            {address && <span className={styles.note}>{address}</span>}
          </li>
        ))}
      </ul>
    </details>
  )
}
