import { QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { makeQueryClient, refetchChanged } from './query-client'

test('a first answer that was requested before a change is not shown after it', async () => {
  const client = makeQueryClient()
  const answers: ((list: string) => void)[] = []
  const list = new QueryObserver(client, {
    queryKey: ['list'],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
  })
  const stop = list.subscribe(() => undefined)

  const refetched = refetchChanged(client, ['list'])
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[0]?.('before')
  answers[1]?.('after')
  await refetched

  expect(list.getCurrentResult().data).toBe('after')
  stop()
})
