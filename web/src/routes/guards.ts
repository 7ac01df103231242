import { notFound, redirect, type RegisteredRouter } from '@tanstack/react-router'
import { openLogin } from '#/features/auth/dialogs'
import { DASHBOARD, HOME } from '#/features/dashboard/address'
import { queryClient, session } from '#/features/session/current'
import { siteOptions } from '#/features/site/site'
import { sitePath } from '#/lib/site-path'
import { SIGN_UP } from './sign-up-address'

/** Guards the pages of a section: they are not found while the section is switched off. */
export function requireSection(section: string): () => Promise<void> {
  return async () => {
    const site = await queryClient.query({ ...siteOptions(), staleTime: 'static' })
    // The router takes what is thrown as the answer.
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- see above
    if (site.sections[section] === false) throw notFound()
  }
}

interface Place {
  location: { pathname: string; hash: string }
}

/** A page for readers alone: a guest is led to the log-in page, and from there back. */
export async function requireReader({ location: { pathname, hash } }: Place): Promise<void> {
  const { status } = await session.settled()
  if (status === 'member') return
  // The hash never reaches a server by itself: it goes along in the query. The cast avoids
  // a circular type: that of a query depends on the whole tree of routes, which this guard is part of.
  const next = pathname + (hash && `#${hash}`)
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- a redirect is thrown
  throw redirect({ to: '/accounts/login', search: { next } as never, replace: true })
}

interface Login {
  search: { next?: string }
}

/** The log-in page, which leads a reader on to where they wanted to go. */
export async function requireGuest({ search }: Login): Promise<void> {
  const { status } = await session.settled()
  if (status === 'guest') return
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- a redirect is thrown
  throw redirect({ href: sitePath(search.next, HOME), replace: true })
}

/** Opens the log-in dialog on its page, unless the address opens the sign-up dialog. */
export function openLoginHere({ search }: Login): void {
  if (!(SIGN_UP in search)) openLogin(undefined, sitePath(search.next, HOME))
}

/** The page that uploads photos of a place. */
export const UPLOAD = '/$first/$second/photos/upload/'

/** Runs the guard of the reader's pages again when the session ends while one of them is shown. */
export function leaveWhenSignedOut(router: Pick<RegisteredRouter, 'state' | 'invalidate'>): void {
  session.state.subscribe(() => {
    const isGuarded = router.state.matches.some(
      ({ routeId }) => routeId === DASHBOARD || routeId === UPLOAD,
    )
    if (isGuarded && session.state.get().status === 'guest') void router.invalidate()
  })
}
