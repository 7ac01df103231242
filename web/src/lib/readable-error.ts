/** An error whose message is for the reader. */
export class ReadableError extends Error {
  override readonly name = 'ReadableError'
}
