import { useSyncExternalStore } from 'react'
import { Emitter } from '#/lib/emitter'

export type ChromePanel = 'menu' | 'profile' | null

/** The side menu and the profile panel: one value, so one excludes the other. */
const panel = new Emitter<ChromePanel>(null)

export function setPanel(value: ChromePanel): void {
  panel.set(value)
}

export function togglePanel(value: Exclude<ChromePanel, null>): void {
  panel.set(panel.get() === value ? null : value)
}

export function usePanel(): ChromePanel {
  return useSyncExternalStore(panel.subscribe, panel.get)
}
