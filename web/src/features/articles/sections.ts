/** A part of a text, and the place whose card follows it. */
export interface TextSection {
  html: string
  placeId: number | undefined
}

/** Splits a text at the positions of places' cards. */
export function sectionsOf(body: string): TextSection[] {
  // Texts and ids alternate.
  const parts = body.split(/<aside data-place="(\d+)"><\/aside>\n?/)
  const sections: TextSection[] = []
  for (let index = 0; index < parts.length; index += 2) {
    const id = parts[index + 1]
    sections.push({ html: parts[index] ?? '', placeId: id === undefined ? id : Number(id) })
  }
  return sections
}
