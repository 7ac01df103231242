/** `/restaurants/pai/photos/12`: a photo, shown over the page of its place. */
const PHOTO = /^(\/[^/]+\/[^/]+\/)photos\/([^/]+)\/?$/

/** The path of the page that an address shows: a photo's viewer is a part of its place's page. */
export function pagePath(path: string): string {
  const [, page, photo] = PHOTO.exec(path) ?? []
  return page === undefined || photo === 'upload' ? path : page
}
