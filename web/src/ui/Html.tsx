import { useMemo } from 'react'
import { trustedHtml } from '#/lib/trusted-html'

interface Props {
  /** HTML that the server has sanitised. */
  html: string
  className?: string | undefined
}

/** A text with its own markup; the only place that HTML enters the page. */
export function Html({ html, className }: Props) {
  // A new value would make the browser parse the HTML again.
  const content = useMemo(() => ({ __html: trustedHtml(html) }), [html])
  return <div className={className} dangerouslySetInnerHTML={content} />
}
