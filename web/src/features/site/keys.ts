export const siteKeys = {
  site: () => ['site'] as const,
  navigation: () => ['navigation'] as const,
}
