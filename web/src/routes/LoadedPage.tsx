import { Loaded, type LoadedProps } from '#/ui/Loaded'
import { NotFoundPage } from './not-found'

/** The data of a page, which does not exist if the server answers 404. */
export function LoadedPage<T>(props: Omit<LoadedProps<T>, 'notFound'>) {
  return <Loaded {...props} notFound={<NotFoundPage />} />
}
