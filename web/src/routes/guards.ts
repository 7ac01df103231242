import { notFound, redirect, type RegisteredRouter } from '@tanstack/react-router'
import { openLogin } from '#/features/auth/dialogs'
import { DASHBOARD, HOME } from '#/features/dashboard/address'
import { listingOptions } from '#/features/listings/queries'
import { resolveOptions } from '#/features/pages/queries'
import { queryClient, session } from '#/features/session/current'
import { siteOptions } from '#/features/site/site'
import { isStatus } from '#/lib/http'
import { sitePath } from '#/lib/site-path'
import { SIGN_UP } from './sign-up-address'

/** Guards the pages of a section, which do not exist while the section is off. */
export function requireSection(section: string): () => Promise<void> {
  return async () => {
    const site = await queryClient.query({ ...siteOptions(), staleTime: 'static' })
    // The router expects a thrown `notFound`.
    // oxlint-disable-next-line typescript/only-throw-error -- see above
    if (site.sections[section] === false) throw notFound()
  }
}

interface GuardContext {
  location: { pathname: string; hash: string }
}

/** The guard of readers' pages: redirects a guest to the log-in page, which leads back. */
export async function requireReader({ location: { pathname, hash } }: GuardContext): Promise<void> {
  const { status } = await session.settled()
  if (status === 'member') return
  // A hash never reaches a server, so it is passed in the query. The cast avoids a circular type:
  // the type of a query depends on the whole tree of routes, which includes this guard.
  const next = pathname + (hash && `#${hash}`)
  // oxlint-disable-next-line typescript/only-throw-error -- a redirect is thrown
  throw redirect({ to: '/accounts/login', search: { next } as never, replace: true })
}

interface UploadContext extends GuardContext {
  params: { first: string; second: string }
}

/**
 * The guard of the page that uploads photos of a place. Guests need not log in for a place that is closed or does not
 * exist.
 */
export async function requireUploader({ location, params }: UploadContext): Promise<void> {
  const { status } = await session.settled()
  if (status !== 'member' && (await takesPhotos(`/${params.first}/${params.second}/`))) {
    await requireReader({ location })
  }
}

/** Whether there is an open place at a path. If the request fails, the page reports the error after the log-in. */
async function takesPhotos(path: string): Promise<boolean> {
  try {
    const { kind, id } = await queryClient.query(resolveOptions(path))
    return kind === 'listing' && !(await queryClient.query(listingOptions(id))).is_closed
  } catch (error) {
    return !isStatus(error, 404)
  }
}

interface LoginContext {
  search: { next?: string }
}

/** The guard of the log-in page: redirects a reader to the requested page. */
export async function requireGuest({ search }: LoginContext): Promise<void> {
  const { status } = await session.settled()
  if (status === 'guest') return
  // oxlint-disable-next-line typescript/only-throw-error -- a redirect is thrown
  throw redirect({ href: sitePath(search.next, HOME), replace: true })
}

/** Opens the log-in dialog on its page, unless the address opens the sign-up dialog. */
export function openLoginHere({ search }: LoginContext): void {
  if (!(SIGN_UP in search)) openLogin(undefined, sitePath(search.next, HOME))
}

/** The page that uploads photos of a place. */
export const UPLOAD = '/$first/$second/photos/upload/'

/** Runs the guard of a reader's page again when the session ends on it. */
export function leaveWhenSignedOut(router: Pick<RegisteredRouter, 'state' | 'invalidate'>): void {
  session.state.subscribe(() => {
    const isGuarded = router.state.matches.some(
      ({ routeId }) => routeId === DASHBOARD || routeId === UPLOAD,
    )
    if (isGuarded && session.state.get().status === 'guest') void router.invalidate()
  })
}
