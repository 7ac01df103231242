/** An error with a message for the reader. */
export class ReadableError extends Error {
  override readonly name = 'ReadableError'
}
