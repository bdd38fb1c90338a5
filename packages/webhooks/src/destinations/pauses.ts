import type { DestinationStore } from './store.ts'

/** The paused destinations, as this process knows them. */
export interface Pauses {
  has(name: string): boolean
  /** Whether the states were read once. */
  readonly areKnown: boolean
  /** Pauses a destination now, and stores it for all processes. */
  pause(name: string, reason: string | undefined): void
  /** Reads the states from the store. */
  refresh(): Promise<void>
}

interface PausesOptions {
  readonly store: Pick<DestinationStore, 'list' | 'pause'>
  readonly onError: (error: unknown) => void
  /** Called for each destination that was resumed. */
  readonly onResumed: (name: string) => void
}

export function createPauses({ store, onError, onResumed }: PausesOptions): Pauses {
  let paused: ReadonlySet<string> = new Set()
  /** The pauses of this process that a read may not have seen, and whether they are stored. */
  const own = new Map<string, { isStored: boolean }>()
  let reading: Promise<void> = Promise.resolve()
  let areKnown = false

  async function read(): Promise<void> {
    for (const [name, { isStored }] of own) if (isStored) own.delete(name)
    const states = await store.list()
    areKnown = true
    const before = paused
    paused = new Set([
      ...states.flatMap(({ name, pausedAt }) => (pausedAt === undefined ? [] : [name])),
      ...own.keys(),
    ])
    for (const name of before) if (!paused.has(name)) onResumed(name)
  }

  return {
    has: (name) => paused.has(name),
    get areKnown() {
      return areKnown
    },
    pause(name, reason) {
      const pause = { isStored: false }
      own.set(name, pause)
      paused = new Set([...paused, name])
      store.pause(name, reason).then(
        () => (pause.isStored = true),
        (error: unknown) => {
          own.delete(name)
          onError(error)
        },
      )
    },
    refresh() {
      // An older answer must not replace a newer one.
      reading = reading.then(read, read)
      return reading
    },
  }
}
