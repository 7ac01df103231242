import { Emitter } from '#/lib/emitter'
import { formKeys } from '#/lib/form-keys'
import { problemOf } from './picture-files'
import type { Licence, OwnPhoto } from './types'

/** The rights of all photos that are sent together. */
export interface Rights {
  credit: string
  licence: Licence
}

type UploadState =
  | { is: 'chosen' }
  | { is: 'unfit'; problem: string }
  | { is: 'queued' }
  | { is: 'sending'; share: number }
  | { is: 'failed'; error: unknown }
  | { is: 'sent'; photo: OwnPhoto }

export interface Upload {
  id: number
  file: File
  /** An address of the file in this browser; null for a file that is not a picture. */
  preview: string | null
  description: string
  state: UploadState
}

export interface Sending {
  file: File
  description: string
  rights: Rights
  key: string
  onProgress: (share: number) => void
  signal: AbortSignal
}

interface Ports {
  send: (sending: Sending) => Promise<OwnPhoto>
  preview: { make: (file: File) => string; drop: (preview: string) => void }
  onSent?: (photo: OwnPhoto) => void
  onFailed?: (error: unknown, retry: () => void) => void
}

/** Maximum number of parallel uploads. */
const MAX_PARALLEL = 2
/** Maximum number of photos that can be chosen. */
export const MAX_FILES = 20

/** The photos that a reader uploads to a place: chosen, sent two at a time, cancelled and retried. */
export class Uploads {
  readonly all = new Emitter<readonly Upload[]>([])
  readonly #ports: Ports
  readonly #running = new Map<number, AbortController>()
  /** A file that is sent again unchanged keeps its key, so that the server counts it once. */
  readonly #keys = new Map<number, (content: unknown) => string>()
  readonly #rights = new Map<number, Rights>()
  #lastId = 0

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /** Adds files; returns the number of files above the maximum. */
  add(files: readonly File[]): number {
    const open = this.all.get().filter(({ state }) => state.is !== 'sent').length
    const taken = files.slice(0, Math.max(0, MAX_FILES - open))
    const added = taken.map((file): Upload => {
      const problem = problemOf(file)
      return {
        id: (this.#lastId += 1),
        file,
        preview: problem === null ? this.#ports.preview.make(file) : null,
        description: '',
        state: problem === null ? { is: 'chosen' } : { is: 'unfit', problem },
      }
    })
    this.all.set([...this.all.get(), ...added])
    return files.length - taken.length
  }

  describe(id: number, description: string): void {
    this.#change(id, { description })
  }

  /** Sends all chosen photos, and retries all failed uploads. */
  start(rights: Rights): void {
    for (const { id, state } of this.all.get()) {
      if (state.is !== 'chosen' && state.is !== 'failed') continue
      this.#rights.set(id, rights)
      this.#change(id, { state: { is: 'queued' } })
    }
    this.#proceed()
  }

  /** Retries a failed upload without changes. */
  retry(id: number): void {
    if (this.#find(id)?.state.is !== 'failed') return
    this.#change(id, { state: { is: 'queued' } })
    this.#proceed()
  }

  /** Removes an upload, and cancels it if it is running. */
  remove(id: number): void {
    const upload = this.#find(id)
    if (!upload) return
    if (upload.preview !== null) this.#ports.preview.drop(upload.preview)
    this.all.set(this.all.get().filter((one) => one.id !== id))
    this.#running.get(id)?.abort()
    this.#running.delete(id)
    this.#keys.delete(id)
    this.#proceed()
  }

  isBusy = (): boolean =>
    this.all.get().some(({ state }) => state.is === 'queued' || state.is === 'sending')

  /** Cancels all uploads when the reader leaves the page. */
  clear(): void {
    for (const { id } of [...this.all.get()].reverse()) this.remove(id)
  }

  #find(id: number): Upload | undefined {
    return this.all.get().find((one) => one.id === id)
  }

  #change(id: number, change: Partial<Pick<Upload, 'description' | 'state'>>): void {
    this.all.set(this.all.get().map((one) => (one.id === id ? { ...one, ...change } : one)))
  }

  #proceed(): void {
    for (const upload of this.all.get()) {
      if (this.#running.size >= MAX_PARALLEL) return
      if (upload.state.is === 'queued') void this.#send(upload)
    }
  }

  async #send({ id, file, description }: Upload): Promise<void> {
    const rights = this.#rights.get(id)
    if (!rights) return
    const keyOf = this.#keys.get(id) ?? formKeys()
    this.#keys.set(id, keyOf)
    const abort = new AbortController()
    this.#running.set(id, abort)
    this.#change(id, { state: { is: 'sending', share: 0 } })
    try {
      const photo = await this.#ports.send({
        file,
        description,
        rights,
        key: keyOf({ description, ...rights }),
        onProgress: (share) => {
          if (this.#running.get(id) === abort) {
            this.#change(id, { state: { is: 'sending', share } })
          }
        },
        signal: abort.signal,
      })
      this.#running.delete(id)
      this.#change(id, { state: { is: 'sent', photo } })
      this.#ports.onSent?.(photo)
    } catch (error) {
      if (abort.signal.aborted) return
      this.#running.delete(id)
      this.#change(id, { state: { is: 'failed', error } })
      this.#ports.onFailed?.(error, () => this.retry(id))
    }
    this.#proceed()
  }
}
