import { useQuery } from '@tanstack/react-query'
import { useId, useState, type KeyboardEvent, type RefObject } from 'react'
import type { Suggestion } from '#/api/types'
import { SearchIcon } from '#/ui/icons'
import { suggestionsOptions } from './queries'
import { recentSearches } from './recent'
import styles from './SearchBox.module.css'
import { takeCapturedText } from './type-ahead'

/** The kind of a suggestion, beside its text. */
const KINDS: Record<Suggestion['kind'], string> = {
  listing: 'Place',
  'best-of-list': 'Best of',
  article: 'Article',
  event: 'Event',
  video: 'Video',
  'listing-type': 'Type',
  neighbourhood: 'Neighbourhood',
  query: 'Search',
}

interface Props {
  box: RefObject<HTMLInputElement | null>
  text: string
  onText: (text: string) => void
  onChoose: (suggestion: Suggestion) => void
}

/** The search box, with suggestions for the arrow keys. */
export function SearchBox({ box, text, onText, onChoose }: Props) {
  const list = useId()
  const { data } = useQuery(suggestionsOptions(text))
  // The suggestion that the arrow keys have reached, and the text that it belongs to.
  const [reached, setReached] = useState({ text: '', index: -1 })
  const suggestions = text.trim() ? (data?.results ?? []) : recent()
  const active = reached.text === text ? reached.index : -1
  const option = (index: number): string => `${list}-${index}`

  const move = (event: KeyboardEvent<HTMLInputElement>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const chosen = suggestions[active]
    if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      onChoose(chosen)
    } else if (step && suggestions.length > 0) {
      event.preventDefault()
      // The text itself is one step beyond either end.
      const places = suggestions.length + 1
      setReached({ text, index: ((active + 1 + step + places) % places) - 1 })
    }
  }

  return (
    <div>
      <div className={styles.box}>
        <SearchIcon className={styles.icon} />
        <input
          ref={box}
          type="search"
          name="q"
          role="combobox"
          aria-label="Search for"
          aria-expanded={suggestions.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 ? option(active) : undefined}
          autoComplete="off"
          maxLength={200}
          enterKeyHint="search"
          value={text}
          onFocus={() => {
            const ahead = takeCapturedText()
            if (ahead) onText(text + ahead)
          }}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={move}
        />
      </div>
      <div id={list} role="listbox" aria-label="Suggestions">
        {suggestions.map((suggestion, index) => (
          <button
            key={`${suggestion.kind} ${suggestion.share_url ?? suggestion.text}`}
            id={option(index)}
            type="button"
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            className={styles.option}
            // The box keeps the focus, and a phone its keyboard.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onChoose(suggestion)}
          >
            <span>{suggestion.text}</span>
            <span className={styles.what}>
              {text.trim() ? KINDS[suggestion.kind] : 'Searched before'}
            </span>
          </button>
        ))}
      </div>
    </div>
  )
}

function recent(): Suggestion[] {
  return recentSearches().map((text) => ({ text, kind: 'query', share_url: null }))
}
