import type { ReactNode } from 'react'

/** The states of each component by its file's name, each with a name of its own. */
export type States = Record<string, Record<string, ReactNode>>
