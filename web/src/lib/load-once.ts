/**
 * Loads a value once; after a failure the next call retries. A loaded value is available immediately, whereas
 * `import()` takes a few tasks even for loaded code. The arguments of later calls are ignored.
 */
export function loadOnce<Arguments extends unknown[], Loaded>(
  load: (...given: Arguments) => Promise<Loaded>,
): (...given: Arguments) => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined
  return (...given) => {
    loaded ??= load(...given).catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
