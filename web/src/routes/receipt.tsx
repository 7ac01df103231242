import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { receiptOptions } from '#/features/account/queries'
import { Receipt } from '#/features/account/Receipt'
import { PageTitle } from '#/features/site/PageTitle'
import { Loaded } from '#/ui/Loaded'
import { Notice } from '#/ui/Notice'
import { Placeholder } from '#/ui/Placeholder'
import { SiteLink } from '#/ui/SiteLink'
import { Skeleton } from '#/ui/Skeleton'

/**
 * The receipt of an erasure, by the mailed link. Its token is the address's hash, which no server
 * logs; it stays there, so that the page can be reloaded.
 */
export function ReceiptPage() {
  const token = useLocation({ select: (location) => location.hash })
  return (
    <>
      <PageTitle page="Your receipt" />
      {token ? (
        <ReceiptByToken token={token} />
      ) : (
        <Notice level={1} title="Open the link in our mail">
          <p>After an account is deleted we mail a link to its receipt.</p>
        </Notice>
      )}
    </>
  )
}

function ReceiptByToken({ token }: { token: string }) {
  const receipt = useQuery(receiptOptions(token))
  return (
    <Loaded
      query={receipt}
      notFound={
        <Notice level={1} title="There is no such receipt">
          <p>Receipts can be read for 30 days. A file that you have downloaded stays valid.</p>
          <SiteLink href="/">To the front page</SiteLink>
        </Notice>
      }
      skeleton={
        <Placeholder what="your receipt">
          <Skeleton height="12rem" />
        </Placeholder>
      }
    >
      {(loaded) => <Receipt receipt={loaded} />}
    </Loaded>
  )
}
