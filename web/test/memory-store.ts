import type { KeyValue } from '#/lib/storage'

export interface MemoryStore extends KeyValue {
  readonly values: Map<string, string>
}

export function memoryStore(initial: Record<string, string> = {}): MemoryStore {
  const values = new Map(Object.entries(initial))
  return {
    values,
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  }
}
