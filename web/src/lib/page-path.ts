/** `/restaurants/pai/photos/12`: a photo over the page of its place. */
const PHOTO = /^(\/[^/]+\/[^/]+\/)photos\/([^/]+)\/?$/

/** The path of the page at an address. The viewer of a photo is part of its place's page. */
export function pagePath(path: string): string {
  const [, page, photo] = PHOTO.exec(path) ?? []
  return page === undefined || photo === 'upload' ? path : page
}
