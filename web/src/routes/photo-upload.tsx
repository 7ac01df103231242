import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { listingOptions } from '#/features/listings/queries'
import { resolveOptions } from '#/features/pages/queries'
import { UploadPhotos } from '#/features/photos/UploadPhotos'
import { PageTitle } from '#/features/site/PageTitle'
import { useHasSection } from '#/features/site/site'
import { LoadedPage } from './LoadedPage'
import { NotFoundPage } from './not-found'
import { TextSkeleton } from './PageSkeleton'

/** The page that uploads photos of the place above it. Its guard redirects guests to the log-in page. */
export function PhotoUploadPage() {
  const params: Record<string, string | undefined> = useParams({ strict: false })
  const path = `/${params.first ?? ''}/${params.second ?? ''}/`
  const hasPlaces = useHasSection('listings')
  const resolved = useQuery(resolveOptions(path))
  if (!hasPlaces) return <NotFoundPage />
  return (
    <LoadedPage query={resolved} skeleton={<TextSkeleton />}>
      {({ kind, id }) => (kind === 'listing' ? <Upload id={id} /> : <NotFoundPage />)}
    </LoadedPage>
  )
}

function Upload({ id }: { id: number }) {
  const place = useQuery(listingOptions(id))
  return (
    <LoadedPage query={place} skeleton={<TextSkeleton />}>
      {(loaded) => (
        <>
          <PageTitle page={`Upload photos of ${loaded.name}`} />
          <UploadPhotos key={loaded.id} place={loaded} />
        </>
      )}
    </LoadedPage>
  )
}
