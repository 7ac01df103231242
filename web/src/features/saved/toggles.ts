import type { ComponentType } from 'react'
import { BookmarkIcon, FlagIcon, HeartIcon } from '#/ui/icons'
import type { STORAGE_KEYS } from './storage-keys'

/** A kind that a button switches on and off; ratings have stars. */
export type ToggledName = Exclude<keyof typeof STORAGE_KEYS, 'rating'>

/** The control of a kind. */
interface Toggle {
  /** The accessible name of the round control, before the object's name. */
  control: string
  /** The text of the labelled control while it is off, and while it is on. */
  add: string
  added: string
  icon: ComponentType<{ className?: string | undefined }>
}

/** The control on articles, videos and events. */
function saveToggle(noun: string): Toggle {
  return { control: 'Save', add: `Save this ${noun}`, added: 'Saved', icon: BookmarkIcon }
}

export const TOGGLES: Record<ToggledName, Toggle> = {
  favourite: {
    control: 'Favourite',
    add: 'Add to favourites',
    added: 'In your favourites',
    icon: HeartIcon,
  },
  todo: { control: 'To-do', add: 'Want to go', added: 'In your to-dos', icon: FlagIcon },
  'article-bookmark': saveToggle('article'),
  'video-bookmark': saveToggle('video'),
  'event-bookmark': saveToggle('event'),
}
