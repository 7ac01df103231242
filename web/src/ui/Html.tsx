import { useMemo } from 'react'
import { trustedHtml } from '#/lib/trusted-html'

interface Props {
  /** HTML that the server has sanitised. */
  html: string
  className?: string | undefined
}

/** Text with markup; the only component that inserts HTML into the page. */
export function Html({ html, className }: Props) {
  // A new value would make the browser parse the HTML again.
  const content = useMemo(() => ({ __html: trustedHtml(html) }), [html])
  return <div className={className} dangerouslySetInnerHTML={content} />
}
