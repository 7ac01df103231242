import { useHasSection } from '#/features/site/site'
import { PageTitle } from '#/features/site/PageTitle'
import { Notice } from '#/ui/Notice'
import { SiteLink } from '#/ui/SiteLink'

export function NotFoundPage() {
  const hasPlaces = useHasSection('listings')
  const hasNeighbourhoods = useHasSection('neighbourhoods')

  return (
    <>
      <PageTitle page="Not found" />
      <Notice isEmpty level={1} title="There is nothing at this address">
        <p>The page may have moved, or the address is misspelt. Try one of these:</p>
        <ul>
          <li>
            <SiteLink href="/">The front page</SiteLink>
          </li>
          {hasPlaces && (
            <li>
              <SiteLink href="/places/">All places</SiteLink>
            </li>
          )}
          {hasNeighbourhoods && (
            <li>
              <SiteLink href="/neighbourhoods/">All neighbourhoods</SiteLink>
            </li>
          )}
        </ul>
      </Notice>
    </>
  )
}
