/**
 * Loads what a page needs later, once; after a failure the next call tries again. What is there is there at once: the
 * browser takes a few tasks for an import, even of code that it has. The arguments of later calls are not looked at.
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
