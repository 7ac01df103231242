import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { receiptOptions } from '#/features/account/queries'
import { Receipt } from '#/features/account/Receipt'
import { PageTitle } from '#/features/site/PageTitle'
import { isStatus } from '#/lib/http'
import { Notice } from '#/ui/Notice'
import { Retry } from '#/ui/Retry'
import { SiteLink } from '#/ui/SiteLink'
import { Skeleton } from '#/ui/Skeleton'

/**
 * The receipt of an erasure, by the mailed link. Its token is the address's hash, which no server logs; it
 * stays there, so that the page can be loaded again.
 */
export function ReceiptPage() {
  const token = useLocation({ select: (location) => location.hash })
  return (
    <>
      <PageTitle page="Your receipt" />
      {token ? (
        <Found token={token} />
      ) : (
        <Notice level={1} title="Open the link in our mail">
          <p>After an account is deleted we mail a link to its receipt.</p>
        </Notice>
      )}
    </>
  )
}

function Found({ token }: { token: string }) {
  const receipt = useQuery(receiptOptions(token))
  if (receipt.data) return <Receipt receipt={receipt.data} />
  if (isStatus(receipt.error, 404)) {
    return (
      <Notice level={1} title="There is no such receipt">
        <p>Receipts can be read for 30 days. A file that you have downloaded stays valid.</p>
        <SiteLink href="/">To the front page</SiteLink>
      </Notice>
    )
  }
  if (receipt.isError) return <Retry onRetry={() => void receipt.refetch()} />
  return (
    <div role="status" aria-label="Loading your receipt">
      <Skeleton height="12rem" />
    </div>
  )
}
