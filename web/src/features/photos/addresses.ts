/** The page that uploads photos of a place. */
export function uploadPath(place: { share_url: string }): string {
  return `${place.share_url}photos/upload/`
}
