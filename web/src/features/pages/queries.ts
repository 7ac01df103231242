import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '#/lib/http'

/** What a page's path stands for. */
export function resolveOptions(path: string) {
  return queryOptions({
    queryKey: ['resolve', path],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/resolve/', { params: { query: { path } }, signal })),
    staleTime: 10 * 60_000,
  })
}

/** A static page such as the privacy policy. */
export function staticPageOptions(slug: string) {
  return queryOptions({
    queryKey: ['pages', slug],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/pages/{slug}/', { params: { path: { slug } }, signal })),
    staleTime: 10 * 60_000,
  })
}
