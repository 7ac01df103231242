/** Saves a file under a name, like a download link. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // By the next task the browser has started to read it.
  setTimeout(() => URL.revokeObjectURL(address))
}

/** The file's name in an answer's `Content-Disposition`. */
export function fileName(response: Response, otherwise: string): string {
  const header = response.headers.get('Content-Disposition') ?? ''
  return /filename="([^"]+)"/.exec(header)?.[1] ?? otherwise
}
