export const adKeys = {
  advertisers: () => ['ads', 'advertisers'] as const,
}
