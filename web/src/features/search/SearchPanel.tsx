import { useNavigate } from '@tanstack/react-router'
import { useState, type RefObject, type SubmitEvent } from 'react'
import type { Suggestion } from '#/api/types'
import { useSite } from '#/features/site/site'
import { Button } from '#/ui/Button'
import { categoriesOf, searchAddress, type Category } from './categories'
import { rememberSearch } from './recent'
import { SearchBox } from './SearchBox'
import styles from './SearchPanel.module.css'

interface Props {
  box: RefObject<HTMLInputElement | null>
  onClose: () => void
}

/** The search box with its suggestions and categories. */
export function SearchPanel({ box, onClose }: Props) {
  const site = useSite()
  const navigate = useNavigate()
  const [category, setCategory] = useState<Category>('all')
  const [text, setText] = useState('')

  const open = (address: string): void => {
    onClose()
    const { pathname, searchParams } = new URL(address, window.location.origin)
    void navigate({ to: pathname, search: Object.fromEntries(searchParams) })
  }
  const search = (words: string): void => {
    rememberSearch(words)
    open(searchAddress(category, words))
  }
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const words = text.trim()
    // White space is not a search.
    if (words) search(words)
  }
  const choose = ({ text: words, share_url: page }: Suggestion): void => {
    if (page) open(page)
    else search(words)
  }

  return (
    <form className={styles.panel} role="search" aria-label="The whole site" onSubmit={submit}>
      <SearchBox box={box} text={text} onText={setText} onChoose={choose} />
      <fieldset className={styles.categories}>
        <legend className="visually-hidden">Search in</legend>
        {categoriesOf(site).map(({ value, label }) => (
          <label key={value} className={styles.category}>
            <input
              type="radio"
              name="category"
              value={value}
              checked={category === value}
              onChange={() => setCategory(value)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <div className={styles.buttons}>
        <Button type="submit">Search</Button>
        <Button look="outline" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
