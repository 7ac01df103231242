/**
 * The sentence below an item's name, unless it is only the beginning of the text (`deck` in `gateway/src/pages/content/markup.rs`).
 */
export function deckOf(sentence: string, body: string | null | undefined): string {
  const begin = letters(sentence)
  return begin !== '' && letters(body ?? '').startsWith(begin) ? '' : sentence
}

/** The letters and digits of HTML: punctuation and entities differ between an excerpt and its text. */
function letters(html: string): string {
  return html.replaceAll(/<[^>]*>|&[^;\s]*;|[^\p{L}\p{N}]/gu, '')
}
