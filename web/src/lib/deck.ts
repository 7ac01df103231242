import type { Article } from '#/api/types'

/**
 * The sentence below an article's name: its excerpt, unless the excerpt is only the beginning of
 * the text (`deck` in `gateway/src/pages/content/markup.rs`).
 */
export function deckOf({ excerpt, body }: Pick<Article, 'excerpt' | 'body'>): string {
  const begin = letters(excerpt)
  return begin !== '' && letters(body ?? '').startsWith(begin) ? '' : excerpt
}

/** The letters and digits of HTML: punctuation and entities differ between an excerpt and its text. */
function letters(html: string): string {
  return html.replaceAll(/<[^>]*>|&[^;\s]*;|[^\p{L}\p{N}]/gu, '')
}
