/** How the browser loaded the page; undefined if it does not say. */
export function loadType(): NavigationTimingType | undefined {
  const [load] = performance.getEntriesByType('navigation')
  return load?.type
}

/** Whether Back or Forward loaded the page: the browser shows it as it stored it, however long ago. */
export const isReturn = loadType() === 'back_forward'
