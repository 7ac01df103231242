import { Chips } from '#/ui/Chips'
import { searchAddress } from './categories'

interface Props {
  /** The accessible name of the list. */
  label: string
  searches: readonly string[]
}

/** Links to searches, as a row of chips. */
export function SearchLinks({ label, searches }: Props) {
  const links = searches.map((words) => ({ name: words, href: searchAddress('all', words) }))
  return <Chips label={label} links={links} />
}
